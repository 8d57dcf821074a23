package loops

import (
	"slices"

	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// planOf plans the reading of candidates. The id of the loop draws the sample, so that the plan can be replayed.
func planOf(loop, coverage string, candidates []loopstate.ReviewCandidate, readings map[string]loopstate.Reading) reader.Plan {
	items := make([]reader.PlanItem, 0, len(candidates))
	at := make(map[string]int, len(candidates))
	for _, c := range candidates {
		i, known := at[c.Key] // a text may state something twice
		switch {
		case c.Status == loopstate.Grounded: // by the wording rules of an earlier version
		case known:
			items[i].Front = items[i].Front || c.Front
		default:
			at[c.Key] = len(items)
			items = append(items, reader.PlanItem{Key: c.Key, Front: c.Front})
		}
	}
	answers := make(map[string]string, len(items))
	for _, it := range items {
		if reading, ok := readings[it.Key]; ok {
			answers[it.Key] = reading.Answer
		}
	}
	return reader.NewPlan(loop, items, answers, coverage == loopstate.CoverageAll)
}

// planned returns the claims of a loop that are to be read now. Each text is planned for itself, as its own verification
// does, so that what a verdict waits for can be read.
func planned(st *loopstate.State) []loopstate.ReviewCandidate {
	coverage := ""
	if st.Verification != nil {
		coverage = st.Verification.Coverage
	}
	wanted := map[string]bool{}
	for _, text := range textsOfCandidates(st) {
		for _, key := range planOf(st.Loop, coverage, text, st.Readings).Next {
			wanted[key] = true
		}
	}
	return slices.DeleteFunc(st.PendingReviews(), func(c loopstate.ReviewCandidate) bool { return !wanted[c.Key] })
}

// textsOfCandidates groups the candidates by the text that they are of: the last draft, or a list of claims, which is known by
// the cycle of its verification. A candidate may be of both, or of neither.
func textsOfCandidates(st *loopstate.State) map[int][]loopstate.ReviewCandidate {
	const draft, neither = -1, 0 // cycles begin at 1
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
			out[draft] = append(out[draft], c)
		case !listed:
			out[neither] = append(out[neither], c)
		}
	}
	return out
}
