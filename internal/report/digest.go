package report

import (
	"slices"

	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Without a text of the host the report has the recorded claims: the best of them, and all, grouped by verdict.

// bestShown bounds the sentences of the summary.
const bestShown = 5

// best returns the supported sentences for the summary, those with several independent origins first, in order.
func (f facts) best() []int {
	var out []int
	for _, several := range []bool{true, false} {
		for i, s := range f.Sentences {
			if style.VerdictOf(s.Status).Status == loopstate.Grounded && several == (s.IndependentOrigins > 1) && len(out) < bestShown {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return out
}

// needed describes the share of supported sentences among those that were read, and its threshold.
func (f facts) needed() string {
	if readOf(f.Document).Read == 0 {
		return ""
	}
	return f.words.T("%s of what was read is supported, %s needed.", percent(f.Groundedness), percent(f.Threshold))
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

// group is statements with similar verdicts.
type group struct {
	Title      string
	Statements []statement
}

// groups groups the sentences by verdict, best first, without empty groups.
func (f facts) groups(say func(sentence int) any) (out []group) {
	titles := []string{"Supported by several independent origins", "Supported by one origin", "Supported in part", "Not read yet",
		"Not supported by the sources cited", "Without a citation", "The author's own", "Not checked"}
	which := make([][]int, len(titles))
	for i, s := range f.Sentences {
		at := 7
		switch state := s.state(); state {
		case supported, byHost:
			if at = 1; s.IndependentOrigins > 1 {
				at = 0
			}
		case inPart:
			at = 2
		case waiting:
			at = 3
		case contradicted, notFound, dead:
			at = 4
		case uncited:
			at = 5
		case own:
			at = 6
		}
		which[at] = append(which[at], i)
	}
	for at, title := range titles {
		if n := len(which[at]); n > 0 {
			out = append(out, group{counted(f.words.T(title), n), statements(which[at], say)})
		}
	}
	return out
}

// statement is a sentence with its citations and its verdict.
type statement struct {
	N    int
	Says any // escaped: template.HTML for the page, a string for Markdown
}

func statements(which []int, say func(sentence int) any) (out []statement) {
	for _, i := range which {
		out = append(out, statement{i + 1, say(i)})
	}
	return out
}

// sameOrigin returns the indexes of the other sources with the same text.
func (f facts) sameOrigin(at int) []int {
	var out []int
	for _, i := range f.origin[f.Sources[at].Origin()] {
		if i != at {
			out = append(out, i)
		}
	}
	return out
}

// maxSameOrigin bounds the copies that are named; the drawing has all.
const maxSameOrigin = 8

// originWords describes whether a source is independent.
func (f facts) originWords(at int) string {
	if f.Parts != nil {
		return "" // unknown
	}
	others := f.sameOrigin(at)
	if len(others) == 0 {
		if s := f.Sources[at]; s.DuplicateOf != "" {
			return f.words.T("same text as %s", sanitize.Line(s.DuplicateOf))
		}
		return f.words.T("independent origin")
	}
	says := ""
	for i, other := range others {
		if i == maxSameOrigin {
			says += " " + f.words.T("and %d more", len(others)-i)
			break
		}
		if i > 0 {
			says += ", "
		}
		says += "[" + f.Sources[other].label() + "]"
	}
	return f.words.T("same origin as %s", says)
}
