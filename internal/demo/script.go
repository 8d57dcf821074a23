package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
)

// args are the arguments of a call.
type args = map[string]any

// The parts of the results that this host reads.
type (
	angle    struct{ Angle, Brief string }
	decision struct {
		NextAction string `json:"next_action"`
		StopReason string `json:"stop_reason"`
		Rule       string
		Target     string
	}
	hit    struct{ Seen bool }
	source struct {
		SourceID                   string `json:"source_id"`
		URL, Title, Status, Reason string
		Chars                      int
	}
	passage struct {
		SourceID string `json:"source_id"`
		Text     string
	}
	claim struct {
		Claim     string   `json:"claim"`
		SourceIDs []string `json:"source_ids"`
	}
	row struct {
		Round, Sources, Claims int
		NewSources             int `json:"new_sources"`
		OpenGaps               int `json:"open_gaps"`
		SignOff                bool
	}
	verification struct {
		Verdict      string
		Groundedness float64   `json:"overall_groundedness"`
		Claims       []checked `json:"verified_claims"`
		Flags        []string
		Hallucinated []struct{ Claim, Citation, Why string } `json:"hallucinated_citations"`
		Uncited      []struct{ Text string }                 `json:"uncited_sentences"`
	}
	checked struct {
		Claim, Status, Because string
		Read, Verbatim         bool
		Remarks                []remarkAt
	}
	remarkAt struct{ Claim, Lines, Text string }
)

// failedCheck returns the verification that an error result of verify_citations carries.
func failedCheck(err error) (v verification) {
	if failed, ok := errors.AsType[*research.ToolError](err); ok && json.Unmarshal(failed.Body, &v) == nil {
		return v
	}
	return verification{}
}

// count counts the claims of a status.
func (v verification) count(status string) int {
	n := 0
	for _, c := range v.Claims {
		if c.Status == status {
			n++
		}
	}
	return n
}

// errorOf returns why a sentence of the draft is an error, or "".
func (v verification) errorOf(sentence string) string {
	for _, h := range v.Hallucinated {
		if sameSentence(h.Claim, sentence) {
			return h.Citation + ": " + h.Why
		}
	}
	for _, u := range v.Uncited {
		if sameSentence(u.Text, sentence) {
			return "it cites no source"
		}
	}
	for _, c := range v.Claims {
		if sameSentence(c.Claim, sentence) && c.Status == "unsupported" {
			return c.Because
		}
	}
	return ""
}

// unread counts the claims that wait for a reader.
func (v verification) unread() int {
	n := 0
	for _, c := range v.Claims {
		if c.Status == "inferred" && !c.Read {
			n++
		}
	}
	return n
}

// summary counts the verdicts in words.
func (v verification) summary() string {
	supported, unread, remarks := v.count("grounded"), v.unread(), 0
	for _, c := range v.Claims {
		if !c.Read && len(c.Remarks) > 0 {
			remarks++
		}
	}
	said := fmt.Sprintf("%d sentences: %d supported, %d not supported, %d not read yet", len(v.Claims), supported, len(v.Claims)-supported-unread, unread)
	if remarks > 0 {
		said += fmt.Sprintf(" (%d with a remark)", remarks)
	}
	return said
}

// String says the remark.
func (r remarkAt) String() string {
	switch {
	case r.Claim == "":
		return fmt.Sprintf("%s has %q", r.Lines, r.Text)
	case r.Text == "":
		return fmt.Sprintf("%s has no %q", r.Lines, r.Claim)
	}
	return fmt.Sprintf("%q, where %s has %q", r.Claim, r.Lines, r.Text)
}

// angleWords are the words that an angle adds to the question in its query. A model would write a better query.
var angleWords = map[string]string{
	"byTimeWindow": " history version change",
	"bySourceType": " specification rule definition",
	"byCounterArg": " incorrect not guaranteed race error",
}

// Limits of a claim: shorter sentences have too little content, longer ones several assertions.
const (
	minClaimChars  = 50
	maxClaimChars  = 260
	claimsEachTime = 6
)

// termWeights weighs the words of a question by how rare they are in the passages.
func termWeights(question string, found []passage) map[string]float64 {
	in := map[string]int{}
	for _, p := range found {
		seen := map[string]bool{}
		for _, term := range words.Terms(p.Text) {
			if !seen[term] {
				seen[term] = true
				in[term]++
			}
		}
	}
	weights := map[string]float64{}
	for _, term := range words.Terms(question) {
		if in[term] > 0 {
			weights[term] = math.Log(1 + float64(len(found))/float64(in[term]))
		}
	}
	return weights
}

// claimsFrom selects sentences about the question from passages. Each sentence adds the greatest weight of words that
// the earlier ones lack.
func claimsFrom(found []passage, weights map[string]float64, have map[string]bool) []claim {
	type candidate struct {
		claim
		terms map[string]bool // its words of the question
	}
	var pool []candidate
	pooled := map[string]bool{}
	for _, p := range found {
		for _, s := range words.Sentences(p.Text) {
			text := strings.TrimPrefix(strings.Join(strings.Fields(s.Text), " "), "- ")
			if !readsAsClaim(text) || have[text] || pooled[text] {
				continue
			}
			terms := map[string]bool{}
			for _, term := range words.Terms(text) {
				if weights[term] > 0 {
					terms[term] = true
				}
			}
			if len(terms) >= 2 {
				pooled[text] = true
				pool = append(pool, candidate{claim{text, []string{p.SourceID}}, terms})
			}
		}
	}
	said := map[string]float64{}
	var out []claim
	for len(out) < claimsEachTime && len(pool) > 0 {
		best, bestScore := 0, -1.0
		for i, c := range pool {
			score := 0.0
			for term := range c.terms {
				score += weights[term] / (1 + said[term])
			}
			if score > bestScore+1e-9 { // map order must not decide a tie
				best, bestScore = i, score
			}
		}
		for term := range pool[best].terms {
			said[term]++
		}
		have[pool[best].Claim] = true
		out = append(out, pool[best].claim)
		pool = slices.Delete(pool, best, best+1)
	}
	return out
}

// readsAsClaim accepts whole sentences, and rejects headings, code, tables and questions.
func readsAsClaim(text string) bool {
	n := utf8.RuneCountInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if n < minClaimChars && !strings.ContainsRune("。！", last) || n > maxClaimChars {
		return false
	}
	return strings.ContainsRune(".!。！", last) && !strings.ContainsAny(text, "{}[]|`<>#*_=\\") && !dependent.MatchString(text)
}

// dependent matches sentences that depend on the one before.
var dependent = regexp.MustCompile(`^(This|That|These|Those|It|They|He|She|Note|However|Thus|Also|Then|So|But|And|Or|For example|In this|In that|Such|As above|As a result|Similarly|Otherwise)\b`)

var (
	negated = regexp.MustCompile(`(?i)\b(not|no|never|neither|nor|none|cannot|without|unless|if|n't)\b`)
	verb    = regexp.MustCompile(`\b(is|are|was|were|must|can|will|may|does|do|should|has|have) `)
)

// contradict negates one of the claims.
func contradict(claims []claim) (wrong, original claim, ok bool) {
	for _, c := range claims {
		if at := verb.FindStringIndex(c.Claim); at != nil && !negated.MatchString(c.Claim) {
			return claim{c.Claim[:at[1]] + "not " + c.Claim[at[1]:], c.SourceIDs}, c, true
		}
	}
	return claim{}, claim{}, false
}

// text returns the draft: every claim with its citation, those of later rounds under their own heading.
func (h *host) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", h.Question)
	for part, heading := range []string{"What the documents say", "What they warn of, and what they leave open"} {
		headed := false
		for _, c := range h.claims {
			if (h.foundIn[c.Claim] > 1) != (part == 1) {
				continue
			}
			if !headed {
				headed = true
				fmt.Fprintf(&b, "\n## %s\n", heading)
			}
			end := len(strings.TrimRight(c.Claim, ".!"))
			fmt.Fprintf(&b, "\n%s [%s]%s\n", c.Claim[:end], c.SourceIDs[0], c.Claim[end:])
		}
	}
	return b.String()
}

// standing returns the claims whose sentences in the draft are no errors.
func (h *host) standing(v verification) []claim {
	return slices.DeleteFunc(slices.Clone(h.claims), func(c claim) bool {
		start := strings.TrimSuffix(sanitize.Short(strings.TrimRight(c.Claim, ".!。！"), 40), "…")
		for _, got := range v.Claims {
			if strings.HasPrefix(got.Claim, start) {
				return got.Status == "unsupported"
			}
		}
		return false
	})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func ms(begun time.Time) string { return fmt.Sprintf("%d ms", time.Since(begun).Milliseconds()) }
