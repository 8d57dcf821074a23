package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Without a text of the host the report has the recorded claims: a summary of counts, and the claims grouped by verdict.

// fact is one line of the summary.
type fact struct{ Name, Says string }

// digest returns the summary of a report without a text.
func (f facts) digest() []fact {
	out := []fact{{"Question", heading(f.Document)}}
	if asOf := sanitize.Line(f.AsOf); asOf != "" {
		out = append(out, fact{"As of", asOf})
	}
	if len(f.Sentences) == 0 {
		out = append(out, fact{"Check", "No claim was recorded."})
	} else {
		out = append(out, fact{"Check", strings.TrimSpace(f.checked() + " " + f.needed())})
	}
	if n := len(f.Sources); n == 0 {
		out = append(out, fact{"Sources", "None was read."})
	} else {
		cited := 0
		for _, s := range f.Sources {
			if s.Number > 0 {
				cited++
			}
		}
		out = append(out, fact{"Sources", fmt.Sprintf("%d read, %d of them cited; %s.", n, cited, drawing.Count(f.origins(), "independent origin", "independent origins"))})
	}
	title, reason := f.stopped()
	return append(out, fact{"Rounds", strconv.Itoa(len(f.Rounds))}, fact{title, reason})
}

// needed describes the share of grounded sentences and its threshold.
func (d Document) needed() string {
	if len(d.Sentences) == 0 {
		return ""
	}
	return fmt.Sprintf("%s grounded, %s needed.", percent(d.Groundedness), percent(d.Threshold))
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

// witnesses describes how many sources there are and how many are independent; "" without sources.
func (f facts) witnesses() string {
	n := len(f.Sources)
	if n == 0 {
		return ""
	}
	says := drawing.Count(n, "source", "sources") + ", " + drawing.Count(f.origins(), "independent origin", "independent origins")
	if f.origins() < n {
		says += " (copies of one text count once)"
	}
	return says + "."
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
		if len(g.Sentences) > 0 {
			out = append(out, g)
		}
	}
	return out
}
