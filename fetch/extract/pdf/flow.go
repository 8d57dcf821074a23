package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// flow joins lines to blocks, paragraphs across columns and pages.
type flow struct {
	blocks  []document.Block
	waiting []document.Block // notes and furniture, which would interrupt the open paragraph
	known   map[string]bool
	leading float64 // usual distance of lines, in line heights
	body    float64 // usual size of text
	open    bool    // the last block may go on
	last    line    // of the last block
	page    int     // from 1
	foot    bool    // it is the foot of a column, where marks are those of notes
}

// blocksOf makes blocks of the columns of all pages.
func blocksOf(pages []pageLines) []document.Block {
	f := flow{known: vocabulary(pages), leading: usualLeading(pages), body: bodySize(pages)}
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
	f.open, f.last.hyphen = false, false
	f.blocks = append(f.blocks, f.waiting...)
	f.waiting = nil
}

func (f *flow) column(c column) {
	for i, line := range c.lines {
		if line.text == "" {
			continue
		}
		how := newParagraph
		switch {
		case !f.open:
		case i > 0:
			how = f.gap(c, i)
		case f.continues(line):
			how = sameParagraph
		}
		switch how {
		case newParagraph:
			f.end()
			f.begin(line)
		case newLine:
			separator := "\n"
			if f.last.hyphen {
				separator = "-\n"
			}
			f.put(separator, line)
		default:
			f.put(f.joint(f.last.text, f.last.hyphen, line.text), line)
		}
	}
}

// begin begins a block with a line.
func (f *flow) begin(line line) {
	b := document.Block{Page: f.page, Text: line.text}
	switch line.kind {
	case headingLine:
		b.Kind, b.Level = document.Heading, line.level
	case rowLine, firstRow:
		b.Kind, b.Begins, b.Text = document.Row, line.kind == firstRow, f.rowOf(line)
		line.hyphen = false
	default:
		if len(line.words) > 1 && line.words[1].space {
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
		}
	}
	f.blocks = append(f.blocks, b)
	f.open, f.last = true, line
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

// joint returns what stands between a text and the line that continues it. A hyphen of the line break stays if the document has the
// word with it elsewhere.
func (f *flow) joint(above string, hyphen bool, below string) string {
	first, _ := utf8.DecodeRuneInString(below)
	end, _ := utf8.DecodeLastRuneInString(above)
	switch {
	case hyphen:
		left, right := lastWord(above), firstWord(below)
		joined, apart := strings.ToLower(left+right), strings.ToLower(left+"-"+right)
		if !f.known[joined] && (f.known[apart] || !unicode.IsLower(first) || unicode.IsDigit(end)) {
			return "-"
		}
		return ""
	case isWide(first) && isWide(end), brokenAddress(above, below): // Chinese and Japanese are written without spaces
		return ""
	}
	return " "
}

// brokenAddress reports whether a line break is inside of an address: behind it are several parts of one, such as er/two/lines.
func brokenAddress(above, below string) bool {
	address := above[strings.LastIndexByte(above, ' ')+1:]
	rest, _, _ := strings.Cut(below, " ")
	parts := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/.-_=&", r) })
	return strings.Contains(address, "://") && len(parts) > 2 && !strings.Contains(rest, "://")
}

type gapKind int

const (
	sameParagraph gapKind = iota
	newLine
	newParagraph
)

// gap classifies the space between a line of a column and the one before it.
func (f *flow) gap(c column, i int) gapKind {
	a, b := c.lines[i-1], c.lines[i]
	h := max(a.size, 1)
	lead := a.box.y0 - b.box.y0
	switch {
	case beginsNote(b), a.kind >= rowLine || b.kind >= rowLine:
		return newParagraph
	case a.kind == headingLine && b.kind == headingLine && a.level == b.level && lead < 1.9*h && !headingNumber.MatchString(b.text):
		return sameParagraph
	case a.kind != b.kind || b.kind == headingLine:
		return newParagraph
	case (b.size > 1.2*a.size || b.size < 0.8*a.size) && !(lead < 0.6*h): // a heading, a note; nearer, a part of a formula
		return newParagraph
	case lead > max(1.35*f.leading, f.leading+0.25)*h:
		return newParagraph
	}
	short := a.box.x1 < c.box.x1-max(0.12*c.box.width(), 2*h)
	ended := endsSentence(a.text)
	first, _ := utf8.DecodeRuneInString(b.text)
	switch {
	case a.hyphen && unicode.IsLower(first) && !leaders.MatchString(a.text):
		return sameParagraph
	case leaders.MatchString(a.text) || leaders.MatchString(b.text):
		return newLine
	case listMark.MatchString(b.text) && (short || ended):
		return newParagraph
	case a.cells > 1 && b.cells > 1:
		return newLine
	case a.hyphen:
		return sameParagraph
	case b.box.x0 > a.box.x0+0.7*h && (ended || short):
		// An indented first line begins a paragraph, unless the next lines have the same indent, as in a list.
		if i+1 == len(c.lines) || c.lines[i+1].box.x0 < b.box.x0-0.4*h {
			return newParagraph
		}
	case short && ended && startsSentence(b.text):
		return newParagraph
	}
	switch {
	case !fits(c.lines, i) || runsOn(a) && unicode.IsLetter(first) && !unicode.IsUpper(first):
		return sameParagraph
	case short && startsSentence(b.text) && b.box.x1 > c.box.x1-0.12*c.box.width(): // a head above a full line
		return newParagraph
	}
	return newLine
}

// runsOn reports a line without the end of a sentence that is longer than most lines of addresses, poems and lists, as those of ragged
// paragraphs and beside a box are.
func runsOn(line line) bool {
	const long = 32 // characters; columns of text have some 40
	return utf8.RuneCountInString(line.text) >= long && !endsSentence(line.text)
}

// fits reports whether the first word of a line would have had its place at the end of the line before it, so that the break is meant:
// the lines near by that begin at the same edge go farther.
func fits(lines []line, i int) bool {
	const near, slack = 4, 1.5 // lines; line heights
	a, b := lines[i-1], lines[i]
	first, _ := utf8.DecodeRuneInString(b.text)
	if isWide(first) || isRightToLeft(a.text) || len(b.words) == 0 {
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
	first, _ := utf8.DecodeRuneInString(line.text)
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
		if line := c.lines[i]; line.kind == headingLine || line.size >= noteSize*f.body {
			break
		} else if beginsNote(line) && i > 0 {
			at = i
		}
	}
	above := f.last
	if i >= 0 {
		above = c.lines[i]
	}
	end, _ := utf8.DecodeLastRuneInString(above.text)
	goesOn := (i >= 0 || f.open) && above.kind == proseLine && above.size >= noteSize*f.body && (unicode.IsLetter(end) || end == ',')
	if i+1 < at && goesOn && c.lines[i+1].kind == proseLine {
		at = i + 1
	}
	return column{c.lines[:at], c.box}, c.lines[at:]
}

// notes makes blocks of the lines at the foot of a column.
func (f *flow) notes(lines []line) []document.Block {
	g := flow{known: f.known, leading: f.leading, body: f.body, page: f.page, foot: true}
	c := column{lines: lines}
	for _, line := range lines {
		c.box = c.box.union(line.box)
	}
	g.column(c)
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

// maxVocabulary bounds the remembered words; a long book has some 30,000 forms.
const maxVocabulary = 200_000

// vocabulary holds the words, in lower case, that occur unbroken within lines.
func vocabulary(pages []pageLines) map[string]bool {
	known := map[string]bool{}
	for line := range linesOf(pages) {
		words := strings.FieldsFunc(strings.ToLower(readable(line.text)), notInWord)
		for i, w := range words {
			if i > 0 && !(i == len(words)-1 && line.hyphen) && len(known) < maxVocabulary {
				known[w] = true
			}
		}
	}
	return known
}

// usualLeading returns the median distance of lines, in line heights.
func usualLeading(pages []pageLines) float64 {
	var leads []float64
	for _, p := range pages {
		for _, c := range p.columns {
			for i := 1; i < len(c.lines); i++ {
				a, b := c.lines[i-1], c.lines[i]
				if lead := (a.box.y0 - b.box.y0) / max(a.size, 1); lead > 0.5 && lead < 3 {
					leads = append(leads, lead)
				}
			}
		}
	}
	if len(leads) == 0 {
		return 1.2
	}
	return median(leads)
}

// rowOf returns the cells of a row with marks between them.
func (f *flow) rowOf(line line) string {
	cells := make([]string, line.cells)
	for i, w := range line.words {
		at := &cells[w.column]
		*at += w.text
		goesOn := i+1 < len(line.words) && line.words[i+1].column == w.column
		switch {
		case w.hyphen && goesOn:
			*at += f.joint(*at, true, line.words[i+1].text)
		case w.hyphen:
			*at += "-"
		case goesOn && line.words[i+1].space:
			*at += " "
		}
	}
	return strings.Join(cells, document.CellMark)
}

// median returns the middle value; all must not be empty.
func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
