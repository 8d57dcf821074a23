package pdf

import (
	"iter"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// pdfLine is a line of one column.
type pdfLine struct {
	text   string
	box    box
	size   float64 // height of its tall words: fonts without metrics give each character its own height
	hyphen bool    // it ends in a hyphen, which the line break may have added
	cells  int     // parts between wide gaps, or the columns of its table
	pieces []pdfPiece
	kind   pdfKind
	level  int // of a heading
}

// pdfPiece is a word of a line.
type pdfPiece struct {
	pdfWord
	space  bool    // before it
	gap    float64 // before it, in points, if it begins a segment
	column int     // of a table, from 0 in reading direction
}

// pdfColumn is consecutive lines that are read from top to bottom.
type pdfColumn struct {
	lines []pdfLine
	box   box
}

// pdfKind is the type of block that a line belongs to.
type pdfKind int

const (
	proseLine pdfKind = iota
	headingLine
	rowLine  // of a table
	firstRow // that begins a table
)

// pageLines is a page in reading order.
type pageLines struct {
	columns   []pdfColumn
	rotated   string   // words in another direction than the page's
	furniture []string // lines that repeat on other pages
}

// linesOf goes through the lines of pages.
func linesOf(pages []pageLines) iter.Seq[*pdfLine] {
	return func(yield func(*pdfLine) bool) {
		for _, p := range pages {
			for _, c := range p.columns {
				for i := range c.lines {
					if !yield(&c.lines[i]) {
						return
					}
				}
			}
		}
	}
}

const headingScale = 1.12 // of the body's size; the same nominal size differs less between fonts

const maxSameSize = 0.06 // largest difference between equal sizes

var headingNumber = lazyregexp.New(`^(?:\d{1,2}(?:\.\d{1,3})*\.?|[A-Z](?:\.\d{1,3})*\.?|[IVX]{1,5}\.|§\s?\d+)\s+\p{L}`)

// mayHead reports whether a line may belong to a heading.
func mayHead(line pdfLine, body float64) bool {
	item := listMark.MatchString(line.text) && !headingNumber.MatchString(line.text)
	return line.kind == proseLine && !leaders.MatchString(line.text) && !item && letters(line.text) >= 2 && line.size >= headingScale*body
}
