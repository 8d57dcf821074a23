package loops

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Brief is what a host with an empty context needs to continue.
type Brief struct {
	HowToGoOn     string      `json:"how_to_go_on"`
	Rubrics       []string    `json:"rubrics,omitempty"`
	OpenGaps      []BriefGap  `json:"open_gaps,omitempty"`      // best first
	OpenQuestions []string    `json:"open_questions,omitempty"` // cannot be answered; they belong into the report with why
	Sources       []string    `json:"sources"`                  // read and kept, newest first; find_passages searches all of them
	Claims        BriefClaims `json:"claims,omitzero"`
	Unread        []string    `json:"unread_urls,omitempty"`  // found but not read yet
	LastQueries   []string    `json:"last_queries,omitempty"` // asked already; do not ask them again
	Failures      []string    `json:"evaluator_failures,omitempty"`
	Contradicting []string    `json:"contradictions,omitempty"`
	LeftOut       int         `json:"left_out,omitempty"` // items that did not fit; the other views have them
}

// BriefGap is a shortened gap.
type BriefGap struct {
	ID       string `json:"gap_id"`
	Gap      string `json:"gap"`
	Material bool   `json:"material"`
	Tried    string `json:"tried,omitempty"` // how it was searched for
}

// BriefClaims counts claims by status and lists the unsupported ones.
type BriefClaims struct {
	Grounded    int      `json:"grounded,omitempty"`
	Inferred    int      `json:"inferred,omitempty"`
	Unsupported int      `json:"unsupported,omitempty"`
	Unchecked   int      `json:"unchecked,omitempty"`
	ToMend      []string `json:"to_mend,omitempty"` // claims that no cited text supports
}

// brief sets the brief, with lists as long as fit into BriefTokens. The target gap is always in it.
func (v *View) brief(st *loopstate.State) {
	for n := 20; n > 0; n /= 2 {
		v.Brief = briefOf(st, n)
		if v.Brief.HowToGoOn = howToGoOn(v, st.Draft); tokensOf(v) <= BriefTokens {
			return
		}
	}
}

// briefOf returns a brief of n gaps, twice as many sources, and half as many of everything else.
func briefOf(st *loopstate.State, n int) *Brief {
	b, half := &Brief{Sources: []string{}}, max(1, n/2)
	tried, open := st.Tried(), st.OpenGaps()
	for _, g := range firstOf(open, n) {
		b.OpenGaps = append(b.OpenGaps, BriefGap{ID: g.ID, Gap: loopstate.Shorten(g.Gap, 160), Material: g.Material, Tried: tried[g.ID]})
	}
	b.LeftOut = len(open) - len(b.OpenGaps)
	var unsupported []loopstate.Claim
	for _, c := range st.CurrentClaims() {
		switch {
		case c.Check == nil:
			b.Claims.Unchecked++
		case c.Check.Status == loopstate.Grounded:
			b.Claims.Grounded++
		case c.Check.Status == loopstate.Inferred:
			b.Claims.Inferred++
		default:
			unsupported = append(unsupported, c)
		}
	}
	b.Claims.Unsupported = len(unsupported)
	same := func(text string) string { return text }
	b.Sources = append(b.Sources, listed(b, reversed(st.Sources), 2*n, 75,
		func(src loopstate.Source) string { return src.ID + " " + src.Title })...)
	b.Rubrics = listed(b, st.Rubrics, half, 120, same)
	b.OpenQuestions = listed(b, st.GapsWith(loopstate.GapUnanswerable), half, 140,
		func(g loopstate.Gap) string { return g.ID + " " + g.Gap })
	b.Claims.ToMend = listed(b, unsupported, half, 126, func(c loopstate.Claim) string { return c.ID + " " + c.Claim })
	b.Unread = listed(b, st.Unread(half), half, 200, func(e loopstate.Evidence) string { return e.URL })
	b.LastQueries = listed(b, firstOf(reversed(st.Questions), half), half, 100, same)
	b.Failures = listed(b, st.Failures, half, 120, same)
	b.Contradicting = listed(b, st.Contradictions, half, 100, func(x loopstate.Contradiction) string { return x.ID + " " + x.Topic })
	return b
}

// listed returns the words of the first n items, shortened, and counts the others as left out.
func listed[T any](b *Brief, items []T, n, chars int, words func(T) string) (out []string) {
	for _, item := range firstOf(items, n) {
		out = append(out, loopstate.Shorten(words(item), chars))
	}
	b.LeftOut += len(items) - len(out)
	return out
}

// reversed returns the items, the last one first.
func reversed[T any](items []T) []T {
	items = slices.Clone(items)
	slices.Reverse(items)
	return items
}

// howToGoOn describes the next calls, each with the state_id of the view.
func howToGoOn(v *View, text *loopstate.Draft) string {
	out := v.Decision.NextCalls(v.Round)
	if text != nil && v.Decision.NextAction == loopstate.Finalize && text.Verdict == verify.Pass {
		out = fmt.Sprintf("The text is written and passed its check (%d characters). loop_report gives it, and its last report is "+
			"report.* in the folder of the loop. Change it only if the user wants more.", text.Chars)
	}
	if v.Query == "" {
		out = "The loop has no question yet: the first query of run_channel, loop_update or fetch becomes it. " + out
	}
	if n := v.Progress.PendingReviews; n > 0 && v.Decision.NextAction != loopstate.Abort {
		out += fmt.Sprintf(" Sentences not read yet: %d; have a fresh subagent call review_claims.", n)
	}
	return out
}
