package loops

import (
	"fmt"

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

// briefGaps is how many gaps fit into a brief.
const briefGaps = 20

// brief sets the brief, and shortens its lists until the view fits into BriefTokens.
func (v *View) brief(st *loopstate.State) {
	b := &Brief{HowToGoOn: howToGoOn(v), Sources: []string{}}
	for _, r := range st.Rubrics {
		b.Rubrics = append(b.Rubrics, Shorten(r, 120))
	}
	tried := st.Tried()
	for _, g := range firstOf(st.OpenGaps(), briefGaps) {
		gap := BriefGap{ID: g.ID, Gap: Shorten(g.Gap, 160), Material: g.Material}
		if t, ok := tried[g.ID]; ok {
			gap.Tried = t.String()
		}
		b.OpenGaps = append(b.OpenGaps, gap)
	}
	b.LeftOut += max(0, v.Progress.OpenGaps-briefGaps)
	for _, g := range st.GapsWith(loopstate.GapUnanswerable) {
		b.OpenQuestions = append(b.OpenQuestions, Shorten(g.ID+" "+g.Gap, 140))
	}
	for i := len(st.Sources) - 1; i >= 0; i-- {
		b.Sources = append(b.Sources, st.Sources[i].ID+" "+Shorten(st.Sources[i].Title, 70))
	}
	for _, c := range st.CurrentClaims() {
		switch {
		case c.Check == nil:
			b.Claims.Unchecked++
		case c.Check.Status == loopstate.Grounded:
			b.Claims.Grounded++
		case c.Check.Status == loopstate.Inferred:
			b.Claims.Inferred++
		default:
			b.Claims.Unsupported++
			b.Claims.ToMend = append(b.Claims.ToMend, c.ID+" "+Shorten(c.Claim, 120))
		}
	}
	for _, e := range st.UnreadEvidence(8) {
		b.Unread = append(b.Unread, Shorten(e.URL, 200))
	}
	for i := len(st.Questions) - 1; i >= 0 && len(b.LastQueries) < 8; i-- {
		b.LastQueries = append(b.LastQueries, Shorten(st.Questions[i], 100))
	}
	for _, f := range st.Failures {
		b.Failures = append(b.Failures, Shorten(f, 120))
	}
	for _, x := range st.Contradictions {
		b.Contradicting = append(b.Contradicting, Shorten(x.ID+" "+x.Topic, 100))
	}
	v.Brief = b
	v.fitBrief()
}

// fitBrief cuts the lists of the brief until it fits: all to four, two and one times what is kept as long as possible, then to nothing.
// The least important list is first: sources, because find_passages searches all. The target gap is last.
func (v *View) fitBrief() {
	b := v.Brief
	for _, share := range []int{4, 2, 1, 0} {
		for _, l := range []struct {
			items *[]string
			keep  int
		}{{&b.Sources, 10}, {&b.LastQueries, 4}, {&b.Rubrics, 4}, {&b.Unread, 3}, {&b.Contradicting, 2}, {&b.OpenQuestions, 3},
			{&b.Failures, 3}, {&b.Claims.ToMend, 3}} {
			if cut(l.items, share*l.keep, &b.LeftOut); share < 4 && tokensOf(v) <= BriefTokens {
				return
			}
		}
		if cut(&b.OpenGaps, max(1, 5*share), &b.LeftOut); tokensOf(v) <= BriefTokens {
			return
		}
	}
}

func cut[T any](list *[]T, n int, leftOut *int) {
	if len(*list) > n {
		*leftOut += len(*list) - n
		*list = (*list)[:n]
	}
}

// howToGoOn describes the next calls, each with the state_id of the view.
func howToGoOn(v *View) string {
	out := nextCalls(v)
	if v.Query == "" {
		out = "The loop has no question yet: the first query of run_channel, loop_update or fetch becomes it. " + out
	}
	if n := v.Progress.PendingReviews; n > 0 && v.Decision.NextAction != loopstate.Abort {
		out += fmt.Sprintf(" Sentences not read yet: %d; have a fresh subagent call review_claims.", n)
	}
	return out
}

func nextCalls(v *View) string {
	switch v.Decision.NextAction {
	case loopstate.Abort:
		return "The user aborted this loop. It can be read and reported, not continued."
	case loopstate.Finalize:
		return "Finish: write the final text with [S1]-style citations, check it with verify_citations(draft=…), then loop_report. " +
			"Name open questions and what stays unsupported."
	case loopstate.EscalateBudget:
		return "Ask the user whether to continue beyond the confirmed rounds; then loop_update with confirm_rounds, or finish with " +
			"the current results."
	case loopstate.FetchMore:
		return "Read decision.next_urls_to_fetch with fetch(urls=…, query=…), then write claims from the passages and verify_citations."
	}
	if v.Decision.Rule == "first_signoff" {
		return "One sign-off is recorded. Look for gaps once more and call loop_reflect: a second sign-off finishes the loop."
	}
	return fmt.Sprintf("Round %d is open: run_channel for decision.target, fetch the best hits, write claims that cite source ids, "+
		"verify_citations, loop_reflect.", v.Round+1)
}
