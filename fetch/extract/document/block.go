package document

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/lines"
)

// Kind says what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Item // of a list
	Row  // of a table; the first one after Begins names the columns
	Caption
	Code
	Quote
	Note      // a footnote or an endnote
	Furniture // what surrounds the content: navigation, banners, forms. It is stored and marked
	Verbatim  // lines of a file of text, as they stand there
)

// Block is the smallest part of a document: what its reader sees between two breaks.
type Block struct {
	Kind   Kind
	Text   string // lines end in \n; the cells of a row have [CellMark] between them
	Level  int    // of a heading, 1 to 6; else how many lists the block stands in
	Number string // as the document shows it: "3.", "(a)", "Art. 4", "[1]"; empty for a bullet
	Begins bool   // an item or a row that begins another list or table than the block before it
	Page   int    // on which it begins, from 1; 0 where the format has no pages
	Turns  []int  // of a paragraph: code points of Text at which each of the next pages begins
}

// CellMark separates the cells of a row.
const CellMark = " | "

// fence is the line before and after code, without which its comments would be headings.
const fence = "```"

// Write makes the lines of a document from its blocks: it sets Text, Furniture, Pages and Chars. It is the one writer of
// lines. Blank lines separate blocks; items of a list, rows of a table, and furniture follow each other without one.
func (d *Document) Write() {
	w := lineWriter{line: 1}
	for i := range d.Blocks {
		w.write(&d.Blocks[i])
	}
	d.Text, d.Furniture, d.Pages = w.out.String(), w.furniture, w.pages
	d.Chars = w.chars
}

type lineWriter struct {
	out         strings.Builder
	last        *Block
	line, chars int // the line that is written next, and the code points before it
	furniture   lines.Ranges
	pages       []int
}

func (w *lineWriter) write(b *Block) {
	if strings.TrimSpace(b.Text) == "" && b.Number == "" {
		return
	}
	if w.last != nil {
		w.put("\n")
		if w.apart(b) {
			w.put("\n")
		}
	}
	for b.Page > len(w.pages) {
		w.pages = append(w.pages, w.chars)
	}
	first, before := w.line, w.chars
	w.put(linesOf(b, w.last))
	for _, turn := range b.Turns {
		w.pages = append(w.pages, min(before+turn, w.chars))
	}
	if b.Kind == Furniture {
		if n := len(w.furniture); n > 0 && w.furniture[n-1].Last >= first-2 && w.last.Kind == Furniture {
			w.furniture[n-1].Last = w.line
		} else {
			w.furniture = append(w.furniture, lines.Range{First: first, Last: w.line})
		}
	}
	w.last = b
}

func (w *lineWriter) put(s string) {
	w.out.WriteString(s)
	w.line += strings.Count(s, "\n")
	w.chars += utf8.RuneCountInString(s)
}

// apart reports whether a blank line separates a block from the one before it.
func (w *lineWriter) apart(b *Block) bool {
	a := w.last
	switch {
	case a.Kind == Furniture && b.Kind == Furniture:
		return false
	case a.Kind == Furniture || b.Kind == Furniture || b.Begins && b.Level < 2:
		return true
	case a.Kind == Row && b.Kind == Row:
		return false
	case b.Kind == Heading || a.Kind == Heading:
		return true
	}
	return a.Level == 0 || b.Level == 0
}

// linesOf writes a block: a mark before it, and its further lines below its first.
func linesOf(b, last *Block) string {
	mark := ""
	if b.Number != "" {
		mark = b.Number + " "
	}
	indent := strings.Repeat("  ", min(max(0, b.Level-1), 8))
	switch b.Kind {
	case Furniture:
		return mark + b.Text
	case Verbatim:
		return b.Text
	case Heading:
		return strings.Repeat("#", min(max(1, b.Level), 6)) + " " + mark + strings.ReplaceAll(b.Text, "\n", " ")
	case Item:
		if mark == "" {
			mark = "- "
		}
		return indent + mark + strings.ReplaceAll(b.Text, "\n", "\n"+indent+"  ")
	case Code:
		if b.Level < 2 && !strings.Contains(b.Text, fence) {
			b = &Block{Text: fence + "\n" + b.Text + "\n" + fence, Level: b.Level}
		}
	case Row:
		mark += strings.ReplaceAll(b.Text, "\n", " ")
		b = &Block{Level: b.Level}
	}
	if b.Level > 0 {
		indent += "  "
	}
	return indent + mark + strings.ReplaceAll(b.Text, "\n", "\n"+indent)
}

// Content returns the text without the lines of its furniture.
func (d *Document) Content() string {
	if len(d.Furniture) == 0 {
		return d.Text
	}
	all, from := strings.Split(d.Text, "\n"), 0
	kept := make([]string, 0, len(all))
	for _, r := range d.Furniture {
		kept, from = append(kept, all[from:r.First-1]...), min(r.Last, len(all))
	}
	return strings.Trim(strings.Join(append(kept, all[from:]...), "\n"), "\n")
}
