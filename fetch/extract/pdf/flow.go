package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// flow joins lines to blocks, paragraphs across columns and pages.
type flow struct {
	usual   usual
	blocks  []document.Block
	waiting []document.Block // notes and furniture, which would interrupt the open paragraph
	open    bool             // the last block may go on
	last    line             // of the last block
	page    int              // from 1
	foot    bool             // it is the foot of a column, where marks are those of notes
}

// blocksOf makes blocks of the columns of all pages.
func blocksOf(pages []pageLines, usual usual) []document.Block {
	f := flow{usual: usual}
	for i, p := range pages {
		f.page = i + 1
		for _, text := range p.furniture {
			f.aside(document.Block{Kind: document.Furniture, Text: text})
		}
		for _, c := range p.columns {
			text, foot := f.splitFoot(c)
			f.column(text)
			for _, note := range f.notes(foot) {
				f.aside(note)
			}
		}
		if t := strings.TrimSpace(readable(sanitize.Visible(p.rotated))); t != "" {
			f.aside(document.Block{Text: t})
		}
	}
	f.end()
	return f.blocks
}

// aside adds a block that is not part of the text around it, after the open paragraph.
func (f *flow) aside(b document.Block) {
	b.Page = f.page
	if f.waiting = append(f.waiting, b); !f.open {
		f.end()
	}
}

// end ends the open block.
func (f *flow) end() {
	if f.open && f.last.hyphen {
		f.blocks[len(f.blocks)-1].Text += "-"
	}
	f.open = false
	f.blocks = append(f.blocks, f.waiting...)
	f.waiting = nil
}

func (f *flow) column(c column) {
	for i, line := range c.lines {
		how := newParagraph
		switch {
		case line.text == "":
			continue
		case i > 0 && f.open:
			how = f.gap(c, i)
		case f.open && f.continues(line):
			how = sameParagraph
		}
		switch how {
		case newParagraph:
			f.end()
			f.blocks = append(f.blocks, f.begin(&line))
			f.open, f.last = true, line
		case newLine:
			f.put(strings.TrimPrefix(f.last.whole(), f.last.text)+"\n", line)
		default:
			f.put(f.usual.joint(f.last.piece, line.text), line)
		}
	}
}

// begin begins a block with a line.
func (f *flow) begin(line *line) document.Block {
	b := document.Block{Page: f.page, Text: line.text}
	switch {
	case line.kind == headingLine:
		b.Kind, b.Level = document.Heading, line.level
		return b
	case line.kind >= rowLine:
		var cells []string
		for _, c := range line.cells {
			cells = append(cells, c.whole())
		}
		b.Kind, b.Begins, b.Text = document.Row, line.kind == firstRow, strings.Join(cells, document.CellMark)
		line.hyphen = false
		return b
	case len(line.words) == 1 || !line.words[1].space:
		return b
	}
	mark := line.words[0].text
	rest := strings.TrimSpace(strings.TrimPrefix(line.text, mark))
	switch {
	case (line.words[0].raised || f.foot) && noteMark.MatchString(mark):
		b.Kind, b.Number, b.Text = document.Note, mark, rest
	case bullet.MatchString(mark):
		b.Kind, b.Level, b.Text = document.Item, 1, rest
	case itemNumber.MatchString(mark):
		b.Kind, b.Level, b.Number, b.Text = document.Item, 1, mark, rest
	}
	return b
}

// put continues the open block with a line.
func (f *flow) put(separator string, line line) {
	b := &f.blocks[len(f.blocks)-1]
	b.Text += separator
	for b.Page+len(b.Turns) < f.page {
		b.Turns = append(b.Turns, utf8.RuneCountInString(b.Text))
	}
	b.Text += line.text
	f.last = line
}

// What stands between two lines.
const (
	sameParagraph = " " // or nothing, at a hyphen
	newLine       = "\n"
	newParagraph  = "\n\n"
)

// longLine is longer, in characters, than most lines of addresses, poems and lists; columns of text have some 40.
const longLine = 32

// gap classifies the space between a line of a column and the one before it.
func (f *flow) gap(c column, i int) string {
	a, b := c.lines[i-1], c.lines[i]
	h, lead := max(a.size, 1), lead(c.lines, i)
	switch {
	case b.kind == headingRest:
		return sameParagraph
	case a.kind != proseLine || b.kind != proseLine || beginsNote(b):
		return newParagraph
	case (b.size > 1.2*a.size || b.size < 0.8*a.size) && lead >= 0.6*h: // a heading, a note; nearer, a part of a formula
		return newParagraph
	case lead > max(1.35*f.usual.leading, f.usual.leading+0.25)*h:
		return newParagraph
	}
	first, starts, ended := firstRune(b.text), startsSentence(b.text), endsSentence(a.text)
	goesOn := unicode.IsLetter(first) && !unicode.IsUpper(first)
	short := a.box.x1 < c.box.x1-max(0.12*c.box.width(), 2*h)
	full := b.box.x1 > c.box.x1-0.12*c.box.width()
	indented := b.box.x0 > a.box.x0+0.7*h
	alone := i+1 == len(c.lines) || c.lines[i+1].box.x0 < b.box.x0-0.4*h // not as the lines of a reference
	switch {
	case a.hyphen && goesOn && !leaders.MatchString(a.text):
		return sameParagraph
	case leaders.MatchString(a.text) || leaders.MatchString(b.text):
		return newLine
	case listMark.MatchString(b.text) && (short || ended):
		return newParagraph
	case a.parts > 1 && b.parts > 1:
		return newLine
	case a.hyphen:
		return sameParagraph
	case indented && alone && (ended || short), !indented && short && ended && starts:
		return newParagraph
	case !fits(c.lines, i), goesOn && !ended && utf8.RuneCountInString(a.text) >= longLine: // beside a box, or ragged
		return sameParagraph
	case short && starts && full: // a head
		return newParagraph
	}
	return newLine
}

// fits reports whether the first word of a line would have had its place at the end of the line before it, so that the break is meant:
// the lines near by that begin at the same edge go farther.
func fits(lines []line, i int) bool {
	const near, slack = 4, 1.5 // lines; line heights
	a, b := lines[i-1], lines[i]
	if isWide(firstRune(b.text)) || isRightToLeft(a.text) {
		return false
	}
	end := 1
	for end < len(b.words) && !b.words[end].space {
		end++
	}
	needs := a.box.x1 + b.words[end-1].box.x1 - b.words[0].box.x0 + slack*a.size
	for _, line := range lines[max(0, i-1-near):min(len(lines), i+1+near)] {
		if line.kind == proseLine && math.Abs(line.box.x0-b.box.x0) < 2*a.size && line.box.x1 > needs {
			return true
		}
	}
	return false
}

// continues reports whether a line continues the paragraph of the previous column or page.
func (f *flow) continues(line line) bool {
	alike := f.last.size > 0 && line.size <= 1.3*f.last.size && line.size >= 0.75*f.last.size
	if f.last.kind != line.kind || line.kind != proseLine || !alike || listMark.MatchString(line.text) {
		return false
	}
	first := firstRune(line.text)
	if f.last.hyphen {
		return unicode.IsLetter(first)
	}
	return !endsSentence(f.last.text) && (unicode.IsLower(first) || isWide(first) || unicode.IsDigit(first))
}

const (
	noteSize  = 0.93 // largest height of the lines of a note, as a share of the body's
	footShare = 0.4  // of the lines of a column that may be at its foot
)

// splitFoot separates the notes at the foot of a column from its text: small lines, from the first one with a raised mark, or all
// of them if the sentence above goes on, which may be in the column before.
func (f *flow) splitFoot(c column) (text column, foot []line) {
	at, i := len(c.lines), len(c.lines)-1
	for ; i >= 0 && float64(len(c.lines)-i) <= max(3, footShare*float64(len(c.lines))); i-- {
		if line := c.lines[i]; line.kind == headingLine || line.size >= noteSize*f.usual.size {
			break
		} else if beginsNote(line) && i > 0 {
			at = i
		}
	}
	above := f.last
	if i >= 0 {
		above = c.lines[i]
	}
	end := lastRune(above.text)
	goesOn := (i >= 0 || f.open) && above.kind == proseLine && above.size >= noteSize*f.usual.size && (unicode.IsLetter(end) || end == ',')
	if i+1 < at && goesOn && c.lines[i+1].kind == proseLine {
		at = i + 1
	}
	return column{c.lines[:at], c.box}, c.lines[at:]
}

// notes makes blocks of the lines at the foot of a column.
func (f *flow) notes(lines []line) []document.Block {
	g := flow{usual: f.usual, page: f.page, foot: true}
	g.column(column{lines, around(lines)})
	g.end()
	for i := range g.blocks {
		if g.blocks[i].Kind == document.Paragraph {
			g.blocks[i].Kind = document.Note
		}
	}
	return g.blocks
}

// beginsNote reports whether a line begins with the raised mark of a note.
func beginsNote(line line) bool {
	return line.kind == proseLine && len(line.words) > 1 && line.words[0].raised && noteMark.MatchString(line.words[0].text)
}
