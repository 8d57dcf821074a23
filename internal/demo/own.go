package demo

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Limits of a claim: shorter sentences have too little content, longer ones several assertions.
const (
	minClaimChars   = 50
	maxClaimChars   = 260
	claimsEachRound = 6
	readEachRound   = 5
)

// own is a run on the user's documents.
type own struct {
	loop
	claims []claim
}

// rounds runs rounds until the server decides to stop.
func (o *own) rounds(ctx context.Context) error {
	d := decision{Target: o.Question}
	for round := 1; round <= maxRounds; round++ {
		o.say("\nRound %d\n", round)
		if err := o.search(ctx, cmp.Or(d.Target, o.Question)); err != nil {
			return err
		}
		if err := o.read(ctx); err != nil {
			return err
		}
		if err := o.claim(ctx, round); err != nil {
			return err
		}
		var err error
		if d, err = o.reflect(ctx, round); err != nil {
			return err
		}
		o.say("  decision        %s (%s) %s\n", d.NextAction, d.Rule, d.StopReason)
		if !slices.Contains([]string{"search_more", "fetch_more", "critique"}, d.NextAction) {
			return nil
		}
	}
	return fmt.Errorf("the loop did not stop within %d rounds", maxRounds)
}

func (o *own) search(ctx context.Context, query string) error {
	var out struct {
		Evidence []hit
		Channels []struct {
			Name, Status string
			Count        int
		}
	}
	if err := o.call(ctx, "run_channel", args{"channels": o.Channels, "query": query, "limit": 6}, &out); err != nil {
		return err
	}
	var outcomes []string
	for _, c := range out.Channels {
		outcomes = append(outcomes, fmt.Sprintf("%s %s %d", c.Name, c.Status, c.Count))
	}
	o.say("  run_channel     %-46s [%s]\n", sanitize.Short(query, 44), strings.Join(outcomes, ", "))
	return nil
}

// read fetches unread hits that the server lists.
func (o *own) read(ctx context.Context) error {
	var state struct {
		Brief struct {
			Unread []string `json:"unread_urls"`
		}
	}
	if err := o.call(ctx, "loop_get_state", args{}, &state); err != nil {
		return err
	}
	urls := state.Brief.Unread
	if urls = urls[:min(len(urls), readEachRound)]; len(urls) == 0 {
		o.say("  fetch           nothing new to read\n")
		return nil
	}
	var out struct{ Sources []source }
	if err := o.call(ctx, "fetch", args{"urls": urls, "query": o.Question}, &out); err != nil {
		return err
	}
	for _, s := range out.Sources {
		if s.Status != "read" {
			o.say("  fetch           ✗ %-9s %s: %s\n", s.Status, sanitize.Short(s.URL, 60), s.Reason)
			continue
		}
		o.say("  fetch           ✓ %-4s %-50s %7d characters\n", s.SourceID, sanitize.Short(s.Title, 48), s.Chars)
	}
	return nil
}

// claim copies sentences from the best passages, verifies them, and records those that are no errors.
func (o *own) claim(ctx context.Context, round int) error {
	var found struct{ Passages []passage }
	if err := o.call(ctx, "find_passages", args{"query": o.Question, "limit": 12}, &found); err != nil {
		return err
	}
	fresh := o.sentences(found.Passages)
	o.say("  find_passages   %d passages, %d claims taken from them\n", len(found.Passages), len(fresh))
	if o.claims = append(o.claims, fresh...); len(o.claims) == 0 {
		return fmt.Errorf("nothing in these documents answers %q; ask another question, or name other documents with --corpus", o.Question)
	}
	var v verification
	begun := time.Now()
	if err := o.verify(ctx, args{"claims": o.claims}, &v); err != nil {
		return err
	}
	o.claims = standing(o.claims, v)
	o.say("  verify          %s, %d ms\n", v.summary(), time.Since(begun).Milliseconds())
	return o.update(ctx, args{"claims": o.claims, "usage": args{"tokens": 2_000}, "operation_id": fmt.Sprintf("demo-%d", round)})
}

// sentences returns new claims: sentences with at least two words of the question, those with the most first.
func (o *own) sentences(found []passage) []claim {
	asked := words.Terms(o.Question)
	var out []claim
	shared := map[string]int{} // words of the question, by sentence
	for _, p := range found {
		for _, s := range words.Sentences(p.Text) {
			text := strings.TrimPrefix(strings.Join(strings.Fields(s.Text), " "), "- ")
			if shared[text] > 0 || !readsAsClaim(text) || slices.ContainsFunc(o.claims, func(c claim) bool { return c.Claim == text }) {
				continue
			}
			terms := words.Terms(text)
			for _, term := range asked {
				if slices.Contains(terms, term) {
					shared[text]++
				}
			}
			if shared[text] >= 2 {
				out = append(out, claim{text, []string{p.SourceID}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b claim) int { return shared[b.Claim] - shared[a.Claim] })
	return out[:min(len(out), claimsEachRound)]
}

// dependent matches sentences that depend on the one before.
var dependent = regexp.MustCompile(`^(This|That|These|Those|It|They|He|She|Note|However|Thus|Also|Then|So|But|And|Or|For example|In this|In that|Such|As above|As a result|Similarly|Otherwise)\b`)

// readsAsClaim accepts whole sentences, and rejects headings, code, tables and questions.
func readsAsClaim(text string) bool {
	n := utf8.RuneCountInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if n < minClaimChars && !strings.ContainsRune("。！", last) || n > maxClaimChars {
		return false
	}
	return strings.ContainsRune(".!。！", last) && !strings.ContainsAny(text, "{}[]|`<>#*_=\\") && !dependent.MatchString(text)
}

// reflect is the critic. It asks for the other side after the first round, and signs off after the others.
func (o *own) reflect(ctx context.Context, round int) (decision, error) {
	in := args{"synthesis": o.text(), "signoff": true, "coverage": args{"overall": 0.9, "reasoning": "Both sides were read."}}
	switch round {
	case 1:
		in["signoff"] = false
		in["gaps"] = []args{{"gap": "What is explicitly not guaranteed, and what goes wrong then?", "kind": "missing-counterarg",
			"query": o.Question + " incorrect not guaranteed error", "priority": 2, "material": true}}
		in["coverage"] = args{"overall": 0.6, "reasoning": "One side is covered."}
	case 2:
		in["answered_gaps"] = []string{"G1"}
	}
	var out struct{ Decision decision }
	err := o.call(ctx, "loop_reflect", in, &out)
	return out.Decision, err
}

var (
	negated = regexp.MustCompile(`(?i)\b(not|no|never|neither|nor|none|cannot|without|unless|if|n't)\b`)
	verb    = regexp.MustCompile(`\b(is|are|was|were|must|can|will|may|does|do|should|has|have) `)
)

// mistakes checks two deliberate mistakes: a citation of an unread source, and a negated claim.
func (o *own) mistakes(ctx context.Context) error {
	o.say("\nTwo deliberate mistakes\n")
	var v verification
	o.result.Planted++
	if err := o.verify(ctx, args{"claims": []claim{{o.claims[0].Claim, []string{"S99"}}}}, &v); err != nil {
		return err
	}
	if len(v.Hallucinated) == 1 {
		o.result.Caught++
		o.say("  ✓ caught: a citation of S99, which was never read (%s)\n", v.Hallucinated[0].Why)
	} else {
		o.say("  ✗ NOT caught: a citation of S99\n")
	}
	at := slices.IndexFunc(o.claims, func(c claim) bool { return verb.MatchString(c.Claim) && !negated.MatchString(c.Claim) })
	if at < 0 {
		o.say("  – no claim here can be negated by one word\n")
		return nil
	}
	o.result.Planted++
	wrong := o.claims[at]
	end := verb.FindStringIndex(wrong.Claim)[1]
	wrong.Claim = wrong.Claim[:end] + "not " + wrong.Claim[end:]
	got, err := o.verdict(ctx, wrong)
	if err != nil {
		return err
	}
	o.say("  the source says: %s\n  the claim says:  %s\n", sanitize.Short(o.claims[at].Claim, 150), sanitize.Short(wrong.Claim, 150))
	if got.Status == "grounded" {
		o.say("  ✗ NOT caught: it is called grounded\n")
		return nil
	}
	o.result.Caught++
	o.say("  ✓ caught: %s\n", remarksOf(got.Remarks))
	return o.update(ctx, args{"retract_claims": []string{wrong.Claim}})
}

// report verifies the text sentence by sentence, removes what fails, and writes it.
func (o *own) report(ctx context.Context) error {
	o.say("\nThe final text\n")
	var v verification
	for {
		if err := o.verify(ctx, args{"draft": o.text()}, &v); err != nil {
			return err
		}
		left := standing(o.claims, v)
		if len(left) == len(o.claims) {
			break
		}
		o.say("  verify          %d of %d sentences are errors; they are removed\n", len(o.claims)-len(left), len(o.claims))
		if o.claims = left; len(left) == 0 {
			return fmt.Errorf("no sentence of the text was left; nothing was written")
		}
	}
	o.say("  verify          %s: %s. An assistant would have a reader read them now.\n", v.Verdict, v.summary())
	return o.writeReports(ctx, o.text())
}

// text returns the draft: every claim with its citation.
func (o *own) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", o.Question)
	for _, c := range o.claims {
		end := len(strings.TrimRight(c.Claim, ".!"))
		fmt.Fprintf(&b, "\n%s [%s]%s\n", c.Claim[:end], c.SourceIDs[0], c.Claim[end:])
	}
	return b.String()
}

// standing returns the claims that are no errors.
func standing(claims []claim, v verification) []claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return v.errorOf(c.Claim) != "" })
}
