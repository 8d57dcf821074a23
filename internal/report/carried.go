package report

import (
	"fmt"
	"html/template"
	"strconv"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// carriedView shows which source supports which claim, as a drawing and a table.
type carriedView struct {
	Drawing template.HTML
	Rows    []carriedRow
	Idle    string // how many sources support none
	Copies  bool   // some sources are copies of one text
}

type carriedRow struct {
	Source    sourceRef
	Origin    string // in words
	Sentences []carriedSentence
}

type carriedSentence struct {
	N       int
	Verdict drawing.Verdict
	Cited   bool // only cited: no passage of the source was found for it
}

// carried relates a source to a sentence.
type carried struct {
	sentence int
	receipt  int // of the sentence, from 1; 0 if the source is only cited
}

// carriedBy lists the sentences of each source, by its index.
func (f facts) carriedBy() [][]carried {
	out := make([][]carried, len(f.Sources))
	for i, s := range f.Sentences {
		seen := make(map[int]bool)
		add := func(id string, receipt int) {
			if _, at, ok := f.source(id); ok && !seen[at] {
				seen[at] = true
				out[at] = append(out[at], carried{i, receipt})
			}
		}
		for j, r := range s.Receipts {
			add(r.SourceID, j+1)
		}
		for _, m := range s.Markers {
			add(m.SourceID, 0)
		}
	}
	return out
}

// carriedOf returns nil if no source supports a sentence.
func carriedOf(f facts) *carriedView {
	m := drawing.Matrix{}
	for i, s := range f.Sentences {
		v := s.verdict()
		m.Columns = append(m.Columns, drawing.Column{Status: v.Status, Says: fmt.Sprintf("%d %s %s: %s", i+1, v.Sign, v.Word, sanitize.Short(s.Text, pointedChars)), Href: fmt.Sprintf("#p%d", i+1)})
	}
	view, idle, drawn := &carriedView{}, 0, make(map[string]int)
	for at, sentences := range f.carriedBy() {
		if len(sentences) == 0 {
			idle++
			continue
		}
		s := f.Sources[at]
		row := carriedRow{Source: refTo(s, at), Origin: f.originWords(at)}
		drawn[s.Origin()]++
		view.Copies = view.Copies || drawn[s.Origin()] > 1
		for _, c := range sentences {
			v := f.Sentences[c.sentence].verdict()
			cell := drawing.Cell{Row: len(m.Rows), Column: c.sentence, Passage: c.receipt > 0, Href: fmt.Sprintf("#r%d-%d", c.sentence+1, c.receipt),
				Says: fmt.Sprintf("[%s] carries sentence %d: %s %s", s.label(), c.sentence+1, v.Sign, v.Word)}
			if c.receipt == 0 {
				cell.Href, cell.Says = fmt.Sprintf("#p%d", c.sentence+1), fmt.Sprintf("[%s] is cited for sentence %d, but no passage of it was found: %s %s", s.label(), c.sentence+1, v.Sign, v.Word)
			}
			m.Cells = append(m.Cells, cell)
			row.Sentences = append(row.Sentences, carriedSentence{c.sentence + 1, v, c.receipt == 0})
		}
		m.Rows = append(m.Rows, drawing.Row{Label: s.label(), Name: s.title(), Href: "#source-" + strconv.Itoa(at+1), Origin: s.Origin()})
		view.Rows = append(view.Rows, row)
	}
	if len(m.Rows) == 0 {
		return nil
	}
	if idle > 0 {
		view.Idle = drawing.Count(idle, "source was read but supports no sentence.", "sources were read but support no sentence.")
	}
	view.Drawing = template.HTML(m.SVG()) //nolint:gosec // drawing escapes
	return view
}

// sharing returns the indexes of the other sources with the same text.
func (f facts) sharing(at int) []int {
	var out []int
	for _, i := range f.origin[f.Sources[at].Origin()] {
		if i != at {
			out = append(out, i)
		}
	}
	return out
}

// maxSharing bounds the copies that are named (chosen); the drawing has all.
const maxSharing = 8

// originWords describes whether a source is independent.
func (f facts) originWords(at int) string {
	if f.Parts != nil {
		return "" // unknown
	}
	others := f.sharing(at)
	if len(others) == 0 {
		if s := f.Sources[at]; s.DuplicateOf != "" {
			return "same text as " + sanitize.Line(s.DuplicateOf)
		}
		return "independent origin"
	}
	says := "same origin as "
	for i, other := range others {
		if i == maxSharing {
			return says + fmt.Sprintf(" and %d more", len(others)-i)
		}
		if i > 0 {
			says += ", "
		}
		says += "[" + f.Sources[other].label() + "]"
	}
	return says
}
