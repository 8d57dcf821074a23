package verdict

import (
	"slices"

	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// PlanOf plans the reading of candidates. The id of the loop draws the sample, so that the plan can be replayed.
func PlanOf(loop, coverage string, candidates []loopstate.ReviewCandidate, readings map[string]loopstate.Reading) reader.Plan {
	items := make([]reader.PlanItem, len(candidates))
	answers := make(map[string]string, len(candidates))
	for i, c := range candidates {
		items[i] = reader.PlanItem{Key: c.Key, Front: c.Front}
		if reading, ok := readings[c.Key]; ok {
			answers[c.Key] = reading.Answer
		}
	}
	return reader.NewPlan(loop, items, answers, coverage == loopstate.CoverageAll)
}

// Planned returns the claims of a loop that are to be read now. Each text is planned for itself, as its own verification
// does, so that what a verdict waits for can be read.
func Planned(st *loopstate.State) []loopstate.ReviewCandidate {
	wanted := map[string]bool{}
	want := func(coverage string, text []loopstate.ReviewCandidate) {
		for _, key := range PlanOf(st.Loop, coverage, text, st.Readings).Next {
			wanted[key] = true
		}
	}
	coverage := ""
	if st.Verification != nil {
		coverage = st.Verification.Coverage
	}
	for text, candidates := range textsOfCandidates(st) {
		if st.Scratch == nil || text == finalText { // claims wait while the draft made of them is read
			want(coverage, candidates)
		}
	}
	if st.Scratch != nil {
		want(st.Scratch.Coverage, st.Scratch.Candidates)
	}
	return slices.DeleteFunc(st.PendingReviews(), func(c loopstate.ReviewCandidate) bool { return !wanted[c.Key] })
}

// Texts of candidates that are no list of claims; the lists are numbered by the cycles of their verifications, from 1.
const finalText, noText = -1, 0

// textsOfCandidates groups the loop's candidates by the text that they are of: the loop's text, or a list of claims. A candidate
// may be of both, or of neither.
func textsOfCandidates(st *loopstate.State) map[int][]loopstate.ReviewCandidate {
	cycles := map[string]int{}
	for _, c := range st.Claims {
		if c.Check != nil {
			cycles[c.Check.Key] = max(cycles[c.Check.Key], c.Check.Cycle)
		}
	}
	out := map[int][]loopstate.ReviewCandidate{}
	for _, c := range st.Candidates {
		cycle, listed := cycles[c.Key]
		if listed {
			out[cycle] = append(out[cycle], c)
		}
		switch {
		case c.Draft:
			out[finalText] = append(out[finalText], c)
		case !listed:
			out[noText] = append(out[noText], c)
		}
	}
	return out
}

// ReviewNeeded counts the claims for a second reader.
type ReviewNeeded struct {
	Pending int    // claims that the plan wants read now
	Batch   string // the open batch, or ""
}

// Needed counts what a loop wants read.
func Needed(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(Planned(st))}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}
