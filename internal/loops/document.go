package loops

import (
	"sort"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// describe sets the parts of the document from the loop's state. It lists only weaknesses of claims that the draft states.
func describe(d *report.Document, st *loopstate.State, v verify.Result) {
	d.Query, d.AsOf, d.Decision = st.Query, st.AsOf, wording.Advised(st)
	d.Rounds = append([]loopstate.Round{}, st.Rounds...)
	d.Contradictions = append([]loopstate.Contradiction{}, st.Contradictions...)
	d.OpenQuestions, d.OpenGaps, d.NotTried, d.OneSource = []report.OpenQuestion{}, []string{}, []string{}, []string{}
	tried := st.Tried()
	for _, g := range st.GapsWith("all") {
		switch {
		case g.Status == loopstate.GapUnanswerable:
			d.OpenQuestions = append(d.OpenQuestions, report.OpenQuestion{Question: g.Gap, Why: g.Why, Tried: tried[g.ID].String()})
		case g.Status == loopstate.GapOpen:
			d.OpenGaps = append(d.OpenGaps, g.Gap)
		}
	}
	for _, a := range d.Decision.Advice {
		switch a.Code {
		case loopstate.AdviseAngles, loopstate.AdviseRecent, loopstate.AdviseTypes, loopstate.AdviseLanguages:
			d.NotTried = append(d.NotTried, a.Words)
		}
	}
	if len(st.Searches) > 0 && !v.OfDraft {
		for _, c := range st.OneSourceClaims() {
			d.OneSource = append(d.OneSource, c.Claim)
		}
	}
	d.Origins, d.Coverage = st.Origins(), st.Coverage
	for _, src := range st.Sources {
		src.Pages, src.Furniture = nil, nil // internal
		d.Sources = append(d.Sources, report.Source{Source: src})
	}
	d.Import = st.Import
	d.Searches, d.Reviews = searchCounts(st.Searches), report.ReviewsOf(st.Reviews)
}

// searchCounts counts the searches and outcomes of each channel, by name.
func searchCounts(searches []loopstate.Search) []report.SearchCount {
	counts := []report.SearchCount{}
	at := map[string]int{}
	for _, search := range searches {
		for _, o := range search.Channels {
			i, ok := at[o.Channel]
			if !ok {
				i = len(counts)
				at[o.Channel] = i
				counts = append(counts, report.SearchCount{Channel: o.Channel, Outcomes: map[string]int{}})
			}
			counts[i].Searches++
			counts[i].Outcomes[o.Status]++
		}
	}
	sort.Slice(counts, func(i, j int) bool { return counts[i].Channel < counts[j].Channel })
	return counts
}
