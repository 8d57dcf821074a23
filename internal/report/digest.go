package report

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/loopstate"
)

// Without a text of the host the report has the recorded claims: the best of them, and all, grouped by verdict.

// bestShown bounds the sentences of the summary.
const bestShown = 5

// best returns the grounded sentences for the summary, those with several independent origins first, in order.
func (f facts) best() []int {
	var out []int
	for _, several := range []bool{true, false} {
		for i, s := range f.Sentences {
			if drawing.VerdictOf(s.Status).Status == loopstate.Grounded && several == (s.IndependentOrigins > 1) && len(out) < bestShown {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return out
}

// needed describes the share of grounded sentences and its threshold, and the total if it excludes the author's own
// statements.
func (f facts) needed() string {
	n := sharesOf(f.Document)
	switch {
	case n.all == 0:
		return ""
	case n.own == 0 || n.checked < n.all-n.own:
		return f.words.T("%s grounded, %s needed.", percent(f.Groundedness), percent(f.Threshold))
	}
	return f.words.T("%s of the %d checked sentences grounded, %s needed.", percent(f.Groundedness), n.checked, percent(f.Threshold))
}

// shares counts the sentences of a document.
type shares struct{ all, checked, grounded, own int }

func sharesOf(d Document) shares {
	n := shares{all: len(d.Sentences)}
	for _, s := range d.Sentences {
		switch drawing.VerdictOf(s.Status).Status {
		case drawing.Own:
			n.own++
		case loopstate.Grounded:
			n.grounded++
			n.checked++
		case loopstate.Inferred, loopstate.Unsupported:
			n.checked++
		}
	}
	return n
}

// Shares counts the checked and grounded sentences of a document, and the author's own statements: "59 of 131 sentences
// are checked, all grounded; 72 are the author's own".
func Shares(d Document) string {
	n := sharesOf(d)
	says := fmt.Sprintf("%d of %d sentences are checked, %d grounded", n.checked, n.all, n.grounded)
	if n.grounded == n.checked && n.checked > 0 {
		says = fmt.Sprintf("%d of %d sentences are checked, all grounded", n.checked, n.all)
	}
	if n.own > 0 {
		says += fmt.Sprintf("; %d are the author's own", n.own)
	}
	return says
}

// origins returns the number of independent origins. Old documents do not have it; then it is computed from the sources.
func (d Document) origins() int {
	if d.Origins > 0 {
		return d.Origins
	}
	n := 0
	for _, s := range d.Sources {
		if s.DuplicateOf == "" {
			n++
		}
	}
	return n
}

// sourceCounts describes the number of sources and of independent ones; "" without sources.
func (f facts) sourceCounts() string {
	n := len(f.Sources)
	if n == 0 {
		return ""
	}
	says := f.count(n, "1 source", "%s sources") + f.words.T(", ") + f.count(f.origins(), "1 independent origin", "%s independent origins")
	switch {
	case f.origins() < n:
		says += f.words.T(" (copies of one text count once)")
	case n > 1:
		says += f.words.T(" (none copied another)")
	}
	return says + f.words.T(".")
}

// group is sentences with similar verdicts, by index.
type group struct {
	Title     string
	Sentences []int
}

// groups groups the sentences by verdict, best first, without empty groups.
func (f facts) groups() []group {
	all := []group{
		{Title: "Supported by several independent origins"}, {Title: "Supported by one origin"}, {Title: "Waiting for a reader, or supported in part"},
		{Title: "Not supported by the sources cited"}, {Title: "Without a citation"}, {Title: "The author's own"}, {Title: "Not checked"},
	}
	for i, s := range f.Sentences {
		at := 6
		switch drawing.VerdictOf(s.Status).Status {
		case loopstate.Grounded:
			at = 1
			if s.IndependentOrigins > 1 {
				at = 0
			}
		case loopstate.Inferred:
			at = 2
		case loopstate.Unsupported:
			at = 3
		case drawing.Uncited:
			at = 4
		case drawing.Own:
			at = 5
		}
		all[at].Sentences = append(all[at].Sentences, i)
	}
	var out []group
	for _, g := range all {
		if g.Title = f.words.T(g.Title); len(g.Sentences) > 0 {
			out = append(out, g)
		}
	}
	return out
}
