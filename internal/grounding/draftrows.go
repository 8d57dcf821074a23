package grounding

import (
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// A row of a table is one claim, or, if several of its cells have marks of their own, one claim for each of these cells. The
// heads of the columns, and for a cell the first cell of its row, go with it: "Option: VACUUM; Locks: ACCESS EXCLUSIVE".
// A column with the mark [inference] in its head, or a head such as "Our verdict", is the author's own: only its cited cells are
// checked. A cell that says that the sources lack something is left out of a row
// that says something else.

// tableCell is a cell of a row.
type tableCell struct {
	start, end int    // code points in the draft, without white space around
	head, text string // what a reader sees of the column's head and of the cell
	marked     bool   // has a citation or an inference
	inferred   bool   // has an inference
	own        bool   // its column is the author's own
	absence    bool   // it says that the sources lack something
}

// words is what a reader sees of a cell with its head.
func (c tableCell) words() string {
	if c.head == "" || c.text == "" {
		return c.text
	}
	return c.head + ": " + c.text
}

// rowSpan is a part of a row that is one sentence.
type rowSpan struct {
	lead string // words before those of the span
	text string // the words instead of those of the span, if not empty
	head string // the heads in them
}

// cells cuts a row at its bars.
func (p *draftReader) cells(b draftBlock, markers []Marker) []tableCell {
	var out []tableCell
	column, start := 0, b.start
	add := func(end int) {
		c := tableCell{}
		if c.start, c.end = p.trimmed(start, end); c.start < c.end || start > b.start {
			c.text = p.visible(c.start, c.end)
			if column < len(p.heads) {
				c.head, c.own = p.heads[column].text, p.heads[column].inferred || saysOwn("column", p.heads[column].text)
			}
			for len(markers) > 0 && markers[0].Start < end {
				c.marked, c.inferred, markers = true, c.inferred || markers[0].Kind == markerInference, markers[1:]
			}
			c.absence = !c.marked && (saysOwn("cell", c.text) || ownBy(c.text, false) == OwnAbsence)
			column++
			out = append(out, c)
		}
	}
	for i := b.start; i < b.end; i++ {
		if p.mask[i] == '|' && p.role[i] == roleProse && (i == b.start || p.src[i-1] != '\\') {
			add(i)
			start = i + 1
		}
	}
	if last, end := p.trimmed(start, b.end); last < end {
		add(b.end)
	}
	return out
}

// readHeads keeps the heads of the columns for the rows that follow.
func (p *draftReader) readHeads(b draftBlock, markers []Marker) {
	p.heads = nil
	p.heads = p.cells(b, markers)
}

// rowSpans returns the sentences of a row, relative to the block, and their words by the place where they begin.
func (p *draftReader) rowSpans(b draftBlock, markers []Marker) ([]passages.Passage, map[int]rowSpan) {
	cells := p.cells(b, markers)
	marked, bare := 0, false
	for _, c := range cells {
		if c.marked {
			marked++
			bare = bare || !hasWord(c.text) // a column of sources
		}
	}
	if marked < 2 || bare || cells[0].marked {
		facts := 0 // one alone is the row's label
		for _, c := range cells {
			if hasWord(c.text) && !c.own && !c.absence {
				facts++
			}
		}
		var words, heads []string
		for _, c := range cells {
			if c.text != "" && (c.marked || !c.own) && (!c.absence || facts < 2) {
				words, heads = append(words, c.words()), append(heads, c.head)
			}
		}
		return []passages.Passage{{Start: 0, End: b.end - b.start}}, map[int]rowSpan{0: {text: strings.Join(words, "; "), head: strings.Join(heads, "; ")}}
	}
	var spans []passages.Passage
	said := map[int]rowSpan{}
	for _, c := range cells {
		if !c.marked {
			continue
		}
		lead := ""
		if cells[0].text != "" {
			lead = cells[0].text + "; "
		}
		if c.head != "" {
			lead += c.head + ": "
		}
		spans = append(spans, passages.Passage{Start: c.start - b.start, End: c.end - b.start})
		said[c.start-b.start] = rowSpan{lead: lead, head: c.head}
	}
	return spans, said
}
