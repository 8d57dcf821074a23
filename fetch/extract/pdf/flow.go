package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/markdown"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// pdfFlow joins lines to paragraphs across columns and pages, and records where pages begin.
type pdfFlow struct {
	out     markdown.Writer
	pages   []int // code point at which each page begins
	known   map[string]bool
	leading float64 // usual distance of lines, in line heights
	pending bool    // out ends inside a paragraph
	last    pdfLine // the last written line
	open    bool    // a page has begun without text so far
	notes   pdfNotes
	page    int
	foot    []footColumn // notes that wait for the end of the paragraph
}

// footColumn is the notes at the foot of a column.
type footColumn struct {
	column pdfColumn
	page   int
}

// flow writes the columns of all pages as text and as Markdown.
func flow(pages [][]pdfColumn, rotated []string) (text, markdown string, runs []document.Run, starts []int) {
	f := pdfFlow{known: vocabulary(pages), leading: usualLeading(pages), notes: notesOf(pages)}
	body := bodySize(pages)
	for i, columns := range pages {
		f.open, f.page = true, i
		for _, c := range columns {
			text, foot := splitFoot(c, body)
			f.column(text)
			if len(foot.lines) > 0 {
				f.foot = append(f.foot, footColumn{foot, i})
			}
		}
		if t := strings.TrimSpace(readable(sanitize.Visible(rotated[i]))); t != "" {
			f.paragraph()
			f.begin(pdfLine{text: t, pieces: []pdfPiece{{pdfWord: pdfWord{text: t}}}})
			f.paragraph()
		}
		f.mark() // an empty page begins at the same place as the next one
	}
	f.paragraph()
	text, markdown, runs = f.out.Result()
	end := utf8.RuneCountInString(text)
	for i := range f.pages { // empty pages at the end
		f.pages[i] = min(f.pages[i], end)
	}
	return text, markdown, runs, f.pages
}

// mark records the start of a page, unless that is done.
func (f *pdfFlow) mark() {
	if f.open {
		f.pages = append(f.pages, f.out.Chars)
		f.open = false
	}
}

// paragraph ends an open paragraph.
func (f *pdfFlow) paragraph() {
	if f.pending {
		if f.last.hyphen {
			f.out.Both("-")
		}
		if f.last.kind == codeLine {
			f.out.MarkdownOnly("\n```")
		}
		f.out.Row = false
		f.out.EndBlock()
	}
	f.pending, f.last.hyphen = false, false
	f.writeFoot()
}

// writeFoot writes the notes that wait. They belong to their own page, also if the next one has begun.
func (f *pdfFlow) writeFoot() {
	foot, page, open := f.foot, f.page, f.open
	f.foot, f.open = nil, false
	for _, n := range foot {
		f.page = n.page
		f.column(n.column)
		f.paragraph()
	}
	f.page, f.open = page, open
}

func (f *pdfFlow) column(c pdfColumn) {
	for i, line := range c.lines {
		if line.text == "" {
			continue
		}
		var next *pdfLine
		if i+1 < len(c.lines) {
			next = &c.lines[i+1]
		}
		switch {
		case !f.pending:
			f.begin(line)
		case i == 0: // the first line of a column or page
			switch {
			case f.continues(line):
				f.join(line)
			case f.last.kind >= rowLine && line.kind == rowLine: // a table goes on
				f.newLine(line, c.box)
			default:
				f.paragraph()
				f.begin(line)
			}
		default:
			switch f.gap(c.lines[i-1], line, next, c.box) {
			case newParagraph:
				f.paragraph()
				f.begin(line)
			case newLine:
				f.newLine(line, c.box)
			default:
				f.join(line)
			}
		}
	}
}

// begin writes the first line of a paragraph after the Markdown marks of its type.
func (f *pdfFlow) begin(line pdfLine) {
	f.mark()
	switch line.kind {
	case codeLine:
		f.out.MarkdownOnly("```\n")
	case headingLine:
		f.out.MarkdownOnly(strings.Repeat("#", line.level) + " ")
		f.out.Begun = true // so that a number is not a list item
	case proseLine:
		if len(line.pieces) > 1 {
			switch first := &line.pieces[0]; {
			case bullet.MatchString(first.text):
				f.out.TextOnly(first.text + " ")
				f.out.MarkdownOnly("- ")
				line.pieces = line.pieces[1:]
				line.pieces[0].space = false
			case itemNumber.MatchString(first.text) && line.pieces[1].space:
				f.out.Both(first.text + " ")
				line.pieces = line.pieces[1:]
				line.pieces[0].space = false
			}
		}
		line.pieces = f.noteBegins(line.pieces)
	}
	f.writeLine(line)
	f.pending, f.last = true, line
}

// newLine continues a block that keeps its lines: code, a table, a table of contents.
func (f *pdfFlow) newLine(line pdfLine, column box) {
	if f.last.hyphen {
		f.out.Both("-")
	}
	switch {
	case line.kind == codeLine:
		f.out.Both("\n" + indent(line, column))
	case line.kind == rowLine:
		f.out.TextOnly("\n")
		f.out.MarkdownOnly("\n")
	default:
		f.out.TextOnly("\n")
		f.out.MarkdownOnly("  \n")
		f.out.Begun = false
	}
	f.mark()
	f.writeLine(line)
	f.last = line
}

// indent returns the white space before a line of code, computed from its distance to the margin.
func indent(line pdfLine, column box) string {
	if n := utf8.RuneCountInString(line.text); n > 0 && line.box.width() > 0 {
		em := line.box.width() / float64(n)
		return strings.Repeat(" ", min(max(int(math.Round((line.box.x0-column.x0)/em)), 0), 40))
	}
	return ""
}

// join continues a paragraph and removes a hyphen of the line break. The hyphen stays if the document has the word with it
// elsewhere.
func (f *pdfFlow) join(line pdfLine) {
	first, _ := utf8.DecodeRuneInString(line.text)
	end, _ := utf8.DecodeLastRuneInString(f.last.text)
	switch {
	case f.last.hyphen:
		left, right := lastWord(f.last.text), firstWord(line.text)
		joined, apart := strings.ToLower(left+right), strings.ToLower(left+"-"+right)
		if !f.known[joined] && (f.known[apart] || !unicode.IsLower(first) || unicode.IsDigit(end)) {
			f.out.Both("-")
		}
	case isWide(first) && isWide(end): // Chinese and Japanese are written without spaces
	default:
		f.out.Both(" ")
	}
	f.mark()
	f.writeLine(line)
	f.last = line
}

type gapKind int

const (
	sameParagraph gapKind = iota
	newLine
	newParagraph
)

// gap classifies the space between two lines of a column.
func (f *pdfFlow) gap(a, b pdfLine, next *pdfLine, column box) gapKind {
	h := max(a.size, 1)
	lead := a.box.y0 - b.box.y0
	switch {
	case beginsNote(b):
		return newParagraph
	case a.kind == headingLine && b.kind == headingLine && a.level == b.level && lead < 1.9*h && !headingNumber.MatchString(b.text):
		return sameParagraph
	case a.kind == codeLine && b.kind == codeLine && lead < 4*h, a.kind >= rowLine && b.kind == rowLine:
		return newLine
	case a.kind != b.kind || b.kind == headingLine || b.kind == codeLine:
		return newParagraph
	case b.size > 1.2*a.size, b.size < 0.8*a.size: // a heading, a note
		if !(lead < 0.6*h) { // otherwise it may be a part of a formula
			return newParagraph
		}
	case lead > max(1.35*f.leading, f.leading+0.25)*h:
		return newParagraph
	}
	short := a.box.x1 < column.x1-max(0.12*column.width(), 2*h)
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
		if next == nil || next.box.x0 < b.box.x0-0.4*h {
			return newParagraph
		}
	case short && ended && startsSentence(b.text):
		return newParagraph
	}
	return sameParagraph
}

// continues reports whether a line continues the paragraph of the previous column or page.
func (f *pdfFlow) continues(line pdfLine) bool {
	alike := f.last.size > 0 && line.size <= 1.3*f.last.size && line.size >= 0.75*f.last.size
	if f.last.kind != line.kind || line.kind != proseLine || !alike || listMark.MatchString(line.text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(line.text)
	if f.last.hyphen {
		return unicode.IsLetter(first)
	}
	return !endsSentence(f.last.text) && (unicode.IsLower(first) || isWide(first) || unicode.IsDigit(first) && !listMark.MatchString(line.text))
}

// maxVocabulary bounds the remembered words; a long book has some 30,000 forms.
const maxVocabulary = 200_000

// vocabulary holds the words, in lower case, that occur unbroken within lines.
func vocabulary(pages [][]pdfColumn) map[string]bool {
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
func usualLeading(pages [][]pdfColumn) float64 {
	var leads []float64
	for _, columns := range pages {
		for _, c := range columns {
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

// writeLine writes the words of a line, with Markdown for links, inline code, cells and note marks.
func (f *pdfFlow) writeLine(line pdfLine) {
	t := &f.out
	if line.kind == codeLine {
		t.Both(line.text)
		return
	}
	column := 0
	if line.kind >= rowLine {
		t.Row = true
		column = line.pieces[0].column
		t.MarkdownOnly("| " + strings.Repeat("| ", column))
	}
	link, code := "", false
	for i, p := range line.pieces {
		mono := isInlineCode(line, i)
		cell := line.kind >= rowLine && p.column != column
		if link != "" && (p.link != link || cell) {
			t.MarkdownOnly("](" + markdown.Address(link) + ")")
			link = ""
		}
		if code && (!mono || cell) {
			t.MarkdownOnly("`")
			code = false
		}
		switch {
		case cell:
			t.TextOnly(" ")
			t.MarkdownOnly(" | " + strings.Repeat("| ", max(0, p.column-column-1)))
			column = p.column
		case p.space:
			t.Both(" ")
		}
		if label := f.notes.label(f.page, p); label != "" {
			t.TextOnly(p.text)
			t.MarkdownOnly("[^" + label + "]")
			continue
		}
		if p.link != "" && link == "" && line.kind != headingLine {
			t.MarkdownOnly("[")
			link = p.link
		}
		if mono && !code {
			t.MarkdownOnly("`")
			code = true
		}
		if code {
			// The font of a word is that of its first letter, so punctuation after code belongs to the sentence.
			rest := strings.TrimRight(p.text, ".,;:")
			if i+1 < len(line.pieces) && isInlineCode(line, i+1) || rest == "" {
				rest = p.text
			}
			t.Both(rest)
			if t.Begun = true; rest != p.text {
				t.MarkdownOnly("`")
				t.Both(p.text[len(rest):])
				code = false
			}
		} else {
			t.Word(p.text)
		}
	}
	if link != "" {
		t.MarkdownOnly("](" + markdown.Address(link) + ")")
	}
	if code {
		t.MarkdownOnly("`")
	}
	if line.kind >= rowLine {
		t.MarkdownOnly(strings.Repeat(" |", line.cells-column))
	}
	if line.kind == firstRow {
		t.MarkdownOnly("\n|" + strings.Repeat(" --- |", max(line.cells, 1)))
	}
}

// isInlineCode reports whether a word is code in a line of prose.
func isInlineCode(line pdfLine, i int) bool {
	p := &line.pieces[i]
	return p.font != nil && p.font.mono && line.kind == proseLine && p.link == "" && !strings.Contains(p.text, "`")
}

// noteBegins writes the mark at the beginning of a note.
func (f *pdfFlow) noteBegins(pieces []pdfPiece) []pdfPiece {
	if len(pieces) < 2 {
		return pieces
	}
	label := f.notes.label(f.page, pieces[0])
	if label == "" {
		return pieces
	}
	f.out.TextOnly(pieces[0].text + " ")
	f.out.MarkdownOnly("[^" + label + "]: ")
	pieces = pieces[1:]
	pieces[0].space = false
	return pieces
}
