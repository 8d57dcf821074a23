package demo

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/passages"
)

// args are the arguments of a call.
type args = map[string]any

// The shapes of the answers, as far as this host reads them.
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
		Groundedness float64 `json:"overall_groundedness"`
		Claims       []struct {
			Claim, Status, Because string
		} `json:"verified_claims"`
		Hallucinated []struct{ Citation, Why string } `json:"hallucinated_citations"`
		Uncited      []struct{ Text string }          `json:"uncited_sentences"`
	}
)

func (v verification) grounded() int {
	n := 0
	for _, c := range v.Claims {
		if c.Status == "grounded" {
			n++
		}
	}
	return n
}

// angleQuery is how a script words an angle; a model does it better.
func angleQuery(angle, question string) string {
	switch angle {
	case "byTimeWindow":
		return question + " history version change"
	case "bySourceType":
		return question + " specification rule definition"
	case "byCounterArg":
		return question + " incorrect not guaranteed race error"
	}
	return question
}

// Bounds on a claim: shorter sentences say little alone, longer ones say several things.
const (
	minClaimChars  = 50
	maxClaimChars  = 260
	claimsEachTime = 6
)

// claimsFrom takes sentences that speak of the question from passages: one of each passage, the one with
// most of the question's words.
func claimsFrom(found []passage, question string, have map[string]bool) []claim {
	wanted := map[string]bool{}
	for _, term := range passages.Terms(question) {
		wanted[term] = true
	}
	var out []claim
	for _, p := range found {
		best, bestScore := "", 1
		for _, s := range passages.Sentences(p.Text) {
			text := strings.Join(strings.Fields(s.Text), " ")
			if !readsAsClaim(text) || have[text] {
				continue
			}
			score := 0
			seen := map[string]bool{}
			for _, term := range passages.Terms(text) {
				if wanted[term] && !seen[term] {
					seen[term] = true
					score++
				}
			}
			if score > bestScore {
				best, bestScore = text, score
			}
		}
		if best == "" {
			continue
		}
		have[best] = true
		out = append(out, claim{best, []string{p.SourceID}})
		if len(out) == claimsEachTime {
			break
		}
	}
	return out
}

// readsAsClaim keeps whole sentences and leaves headings, code, tables and questions.
func readsAsClaim(text string) bool {
	n := utf8.RuneCountInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if n < minClaimChars && !strings.ContainsRune("。！", last) || n > maxClaimChars {
		return false
	}
	return strings.ContainsRune(".!。！", last) && !strings.ContainsAny(text, "{}[]|`<>#*_=\\")
}

// negations turn a statement into its opposite by one word.
var negations = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\b(is|are|was|were|must|can|will|may|does|do|should|has|have) `), "$1 not "},
}

// contradict turns one of the claims into its opposite.
func contradict(claims []claim) (wrong, original claim, ok bool) {
	for _, c := range claims {
		if regexp.MustCompile(`(?i)\b(not|no|never|neither|nor|none|cannot|without|unless|if|n't)\b`).MatchString(c.Claim) {
			continue
		}
		for _, n := range negations {
			if at := n.pattern.FindStringIndex(c.Claim); at != nil {
				text := c.Claim[:at[0]] + n.pattern.ReplaceAllString(c.Claim[at[0]:at[1]], n.with) + c.Claim[at[1]:]
				return claim{text, c.SourceIDs}, c, true
			}
		}
	}
	return claim{}, claim{}, false
}

// text is the draft: every claim with its citation.
func (h *host) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", h.Question)
	for i, c := range h.claims {
		if i > 0 {
			b.WriteString("\n\n")
		}
		end := len(c.Claim)
		for end > 0 && strings.ContainsRune(".!", rune(c.Claim[end-1])) {
			end--
		}
		fmt.Fprintf(&b, "%s [%s]%s", c.Claim[:end], c.SourceIDs[0], c.Claim[end:])
	}
	return b.String() + "\n"
}

// passing are the claims whose sentences of the draft are grounded.
func (h *host) passing(v verification) []claim {
	var out []claim
	for _, c := range h.claims {
		start := quote(strings.TrimRight(c.Claim, ".!。！"), 40)
		for _, got := range v.Claims {
			if got.Status == "grounded" && strings.HasPrefix(got.Claim, strings.TrimSuffix(start, "…")) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

func quote(s string, chars int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return string([]rune(s)[:chars-1]) + "…"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func ms(begun time.Time) string { return fmt.Sprintf("%d ms", time.Since(begun).Milliseconds()) }
