package report

import "github.com/citeloop/citeloop/internal/sanitize"

// section is a part of a report after its text: both formats write its title and, by the template of its name, its body.
type section struct {
	Name  string // also its place on the page
	Title string
	Class string // in the style sheet of the page
	Body  any
}

// textState is what a format knows of the text that it has written, and how it writes sentences beside it.
type textState struct {
	written bool                // there is a text
	missed  []int               // the sentences that it does not show, by index
	limits  bool                // it has its own section on limits
	say     func(index int) any // writes a sentence with its citations and its verdict
	best    func(index int) any // writes a sentence of the summary
	draws   bool                // it has drawings
}

type researchView struct {
	CoverageGaps                         bool
	StopTitle, StopReason, Because, Rule string
	Rounds                               []roundRow
	Timed                                bool
	Looked                               []looked
}

type sourcesView struct {
	Counts, Dates  string
	Cited, Uncited []sourceView
}

type receiptsView struct {
	Proofs []proofView
	Full   bool                 // Markdown with passages
	Found  func(n int) []string // Markdown without: the lines that were read for a sentence
}

// sections returns the parts of a report that it has something for: those in the column of the text, and those below it.
func (f facts) sections(text textState, counts []StateCount) (reading, below []section) {
	column := func(name, title, class string, body any) {
		reading = append(reading, section{name, f.words.T(title), class, body})
	}
	wide := func(name, title string, body any) {
		below = append(below, section{name, f.words.T(title), "wide", body})
	}
	loop := f.Parts == nil // a check without a loop has no research to tell of

	if !text.written {
		column("text", "Executive Summary", "text", statements(f.best(), text.best))
		column("findings", "Detailed Findings", "text", f.groups(text.say))
	} else if len(text.missed) > 0 {
		column("beside", "Sentences not found in the text", "", statements(text.missed, text.say))
	}
	if limits := f.limits(text.limits); limits != nil && loop {
		reading = append(reading, section{"limitations", limits.Title, "", limits})
	}
	if len(f.Conflicts) > 0 {
		column("conflicts", "Conflicting values", "", each(f, f.Conflicts, conflictOf))
	}
	if len(f.Contradictions) > 0 {
		column("contradictions", "Contradictions", "", each(f, f.Contradictions, contradictionOf))
	}
	if table := comparisonOf(f, true); table != nil {
		wide("comparison", "Evidence table", table)
	}
	if len(f.Reviews) > 0 {
		wide("reviews", "Readers", f.reviewRows())
	}
	if loop {
		r := researchView{
			CoverageGaps: len(f.CoverageGaps) > 0, Because: sanitize.Line(f.Decision.Because), Rule: sanitize.Line(f.Decision.Rule),
			Looked: f.looked(),
		}
		r.StopTitle, r.StopReason = f.stopped()
		r.Rounds, r.Timed = f.roundRows()
		wide("loop", "How this was researched", r)
	}
	wide("sources", "Sources", f.sourcesView(loop))
	if len(f.Sentences) > 0 {
		receipts := &receiptsView{}
		for i := range f.Sentences {
			receipts.Proofs = append(receipts.Proofs, proofOf(f, i))
		}
		for i := range receipts.Proofs {
			if !text.written {
				receipts.Proofs[i].Back = "f"
			}
		}
		for _, i := range text.missed {
			receipts.Proofs[i].Back = "f"
		}
		below = append(below, section{"receipts", f.words.T("Receipts"), "", receipts})
	}
	return reading, below
}

// each returns the views of a list.
func each[T, V any](f facts, list []T, view func(f facts, item T, index int) V) (out []V) {
	for i, item := range list {
		out = append(out, view(f, item, i))
	}
	return out
}

// sourcesView returns the list of sources, with a count of them if they are of a loop.
func (f facts) sourcesView(loop bool) *sourcesView {
	v := &sourcesView{}
	if loop {
		v.Counts, v.Dates = f.sourceCounts(), datesOf(f.words, f.Sources)
	}
	for i := range f.Sources {
		if s := sourceViewOf(f, i); s.Number > 0 {
			v.Cited = append(v.Cited, s)
		} else {
			v.Uncited = append(v.Uncited, s)
		}
	}
	return v
}
