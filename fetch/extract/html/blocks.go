package html

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// BlockText writes the text of a tree as a reader sees it: paragraphs and headings apart by a blank line, list
// items as "- " lines, table rows as cells with " | " between them, preformatted text with its white space.
// What no reader sees is left out.
//
// Trees come from parseTree, so their depth is bounded and recursion is safe.
func BlockText(n *html.Node) string {
	var w blockWriter
	w.children(n)
	w.flush(0)
	return strings.TrimRight(w.out.String(), "\n")
}

// blockWriter collects the text of one block in line and moves it to out when the block ends.
type blockWriter struct {
	out      strings.Builder
	line     strings.Builder
	space    bool              // white space was seen that separates what comes next in this line
	gap      int               // newlines due before the next block
	lists    int               // depth of lists
	item     bool              // the next block begins a list item
	row      bool              // a row of a table is written: one line, whatever is in it
	cell     int               // where its cell begins in line; 0 outside of rows
	repeated int               // bytes that wide and high cells added
	spans    []rowSpan         // of the table that is written, by column
	raise    *strings.Replacer // of the characters in a <sup> or <sub>; nil outside
	mark     *markup
}

// flush ends the current block; gap newlines will follow it at least.
func (w *blockWriter) flush(gap int) {
	if w.row { // blocks in a cell are part of its line
		w.space = true
		return
	}
	text := strings.TrimRight(w.line.String(), " \n")
	if text != "" {
		start, pad := w.write(text)
		if w.mark != nil {
			w.mark.block(text, start, pad)
		}
	}
	w.line.Reset()
	w.space = false
	w.due(gap)
}

// due asks for newlines before the next block.
func (w *blockWriter) due(gap int) {
	if w.out.Len() > 0 {
		w.gap = max(w.gap, gap)
	}
	if w.mark != nil && w.mark.out.Len() > 0 {
		w.mark.gap = max(w.mark.gap, gap)
	}
}

// write moves a block to the output. It returns where its text begins there, and how many bytes each of its
// further lines is indented.
func (w *blockWriter) write(text string) (start, pad int) {
	for range w.gap {
		w.out.WriteByte('\n')
	}
	w.gap = 0
	if w.lists > 0 {
		indent := strings.Repeat("  ", min(w.lists-1, 8))
		lead := indent + "  "
		if w.item {
			lead = indent + "- "
		}
		w.out.WriteString(lead)
		text = strings.ReplaceAll(text, "\n", "\n"+indent+"  ")
		pad = len(lead)
	}
	w.item = false
	start = w.out.Len()
	w.out.WriteString(text)
	return start, pad
}

// inside is the gap around a block: in a list its parts stay together.
func (w *blockWriter) inside() int {
	if w.lists > 0 {
		return 1
	}
	return 2
}

func (w *blockWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *blockWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.ElementNode:
	case html.DocumentNode:
		w.children(n)
		return
	default:
		return
	}
	if isUnread(n) {
		return
	}
	if to := raising(n); to != nil && w.raise == nil && (w.mark == nil || !w.mark.notes.refersIn(n)) {
		w.raise = to
		w.children(n)
		w.raise = nil
		return
	}
	if w.raise == nil && isExponent(n) && (w.mark == nil || !w.mark.notes.refersIn(n)) {
		w.text("^")
		w.children(n)
		return
	}
	if w.mark != nil && w.mark.element(w, n) {
		return
	}
	switch n.DataAtom {
	case atom.Br:
		w.newline()
	case atom.Hr:
		w.flush(w.inside())
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		w.preformatted(n)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		w.list(n)
	case atom.Li:
		w.listItem(n)
	case atom.Table:
		w.table(n)
	case atom.Dt, atom.Dd, atom.Tr:
		w.flush(1)
		w.children(n)
		w.flush(1)
	default:
		if !isBlock(n.DataAtom) && !displayed(n) {
			w.children(n)
			return
		}
		w.flush(w.inside())
		w.children(n)
		w.flush(w.inside())
	}
}

// text adds running text, its white space collapsed.
func (w *blockWriter) text(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, unicode.IsSpace)
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			if word := document.SplitLigatures(sanitize.Visible(s[:i])); word != "" {
				if w.raise != nil {
					word = w.raise.Replace(word)
				}
				spaced := w.space && w.line.Len() > w.cell && !strings.HasSuffix(w.line.String(), "\n")
				if spaced {
					w.line.WriteByte(' ')
				}
				w.space = false
				if w.mark != nil {
					w.mark.word(word, w.line.Len(), spaced)
				}
				w.line.WriteString(word)
			}
			s = s[i:]
			continue
		}
		w.space = true
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
}

// newline is a <br>: a line break, and a blank line when it comes twice.
func (w *blockWriter) newline() {
	if w.row {
		w.space = true
		return
	}
	w.space = false
	line := w.line.String()
	switch {
	case line == "":
	case strings.HasSuffix(line, "\n"):
		w.flush(w.inside())
	default:
		w.line.WriteByte('\n')
		if w.mark != nil {
			w.mark.newline()
		}
	}
}

func (w *blockWriter) preformatted(n *html.Node) {
	if w.row {
		w.children(n)
		return
	}
	w.flush(w.inside())
	var raw strings.Builder
	verbatim(n, &raw)
	text := sanitize.Visible(raw.String())
	if text = strings.TrimRight(strings.TrimLeft(text, "\n"), " \t\n"); text != "" {
		if w.lists > 0 || strings.Contains(text, fence) { // the first line of an item is no fence
			start, pad := w.write(text)
			if w.mark != nil {
				w.mark.fence(n, text, start, pad, false)
			}
		} else { // without a fence, comments and short lines of code would be read as headings
			start, pad := w.write(fence + "\n" + text + "\n" + fence)
			if w.mark != nil {
				w.mark.fence(n, text, start+len(fence)+1, pad, true)
			}
		}
	}
	w.due(w.inside())
}

// fence is the line before and after code.
const fence = "```"

func verbatim(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode || isUnread(c):
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			verbatim(c, b)
			// highlighters wrap each line of code in a block of its own, without a newline
			if isBlock(c.DataAtom) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
	}
}

func (w *blockWriter) list(n *html.Node) {
	outer := w.inside()
	w.flush(outer)
	if w.row {
		w.children(n)
		return
	}
	w.lists++
	w.item = false
	if w.mark != nil {
		w.mark.beginList(n)
	}
	w.children(n)
	w.flush(1)
	w.lists--
	w.item = false
	if w.mark != nil {
		w.mark.leave()
	}
	w.due(outer)
}

func (w *blockWriter) listItem(n *html.Node) {
	w.flush(1)
	if w.row {
		w.children(n)
		w.space = true
		return
	}
	loose := w.lists == 0 // an item without its list
	if loose {
		w.lists++
		if w.mark != nil {
			w.mark.beginList(n)
		}
	}
	w.item = true
	if w.mark != nil {
		w.mark.item(n)
	}
	w.children(n)
	w.flush(1)
	w.item = false
	if loose {
		w.lists--
		if w.mark != nil {
			w.mark.leave()
		}
	}
}

// table writes rows, one line each. Tables that only lay out a page are read as the blocks they hold.
func (w *blockWriter) table(n *html.Node) {
	w.flush(w.inside())
	if w.row || isLayout(n) {
		w.children(n)
		w.flush(w.inside())
		return
	}
	outer := w.spans
	w.spans = nil
	defer func() { w.spans = outer }()
	if w.mark != nil {
		w.mark.rows = 0
		defer func() { w.mark.rows = 0 }()
	}
	w.rows(n)
	w.flush(w.inside())
}

func (w *blockWriter) rows(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode || isUnread(c):
		case c.DataAtom == atom.Tr:
			w.tableRow(c)
		case c.DataAtom == atom.Thead, c.DataAtom == atom.Tbody, c.DataAtom == atom.Tfoot:
			w.rows(c)
		case (c.DataAtom == atom.Div || c.DataAtom == atom.Span) && holdsRows(c): // between the parts of a table by roles
			w.rows(c)
		default:
			w.node(c)
		}
	}
}

func holdsRows(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.DataAtom == atom.Tr || c.DataAtom == atom.Tbody {
			return true
		}
	}
	return false
}

// tableRow writes the cells of a row with bars between them; a row without text is left out.
func (w *blockWriter) tableRow(tr *html.Node) {
	w.flush(1)
	if w.mark != nil {
		w.mark.beginRow()
	}
	w.row = true
	filled, cells := false, 0
	next := func() {
		if cells > 0 {
			w.line.WriteString(" | ")
			if w.mark != nil {
				w.mark.nextCell()
			}
		}
		cells++
		w.space, w.cell = false, w.line.Len()
	}
	empty := 0 // columns of a wide cell that are written when another cell follows
	for c := tr.FirstChild; ; c = c.NextSibling {
		for c != nil && (c.Type != html.ElementNode || isUnread(c)) {
			c = c.NextSibling
		}
		for cells+empty < len(w.spans) && w.spans[cells+empty].rows > 0 {
			above := &w.spans[cells+empty]
			above.rows--
			if w.repeated += len(above.text) + len(" | "); w.repeated > maxRepeated {
				w.spans = nil
				break
			}
			for ; empty > 0; empty-- {
				next()
			}
			next()
			w.text(above.text)
		}
		if c == nil {
			break
		}
		for ; empty > 0; empty-- {
			next()
		}
		next()
		w.children(c)
		filled = filled || w.line.Len() > w.cell
		w.spanRows(c, cells-1, w.line.String()[w.cell:])
		if empty = min(spanOf(c, "colspan"), maxSpan) - 1; empty > 0 {
			if w.repeated += empty * len(" | "); w.repeated > maxRepeated {
				empty = 0
			}
		}
	}
	w.row, w.space, w.cell = false, false, 0
	if !filled {
		w.line.Reset()
	}
	if w.mark != nil {
		w.mark.endRow(filled, cells)
	}
	w.flush(1)
}

// rowSpan is a cell that goes on in the rows below it, where its words are repeated: a row says something only together
// with what names it.
type rowSpan struct {
	rows int // that are still to come
	text string
}

const (
	maxSpan      = 1_000   // columns, and rows
	maxSpanBytes = 100     // of a text that is repeated; a longer one is no name
	maxRepeated  = 200_000 // bytes that spans may add to a page
)

// spanRows notes a cell of a column that is more than one row high.
func (w *blockWriter) spanRows(cell *html.Node, column int, text string) {
	rows := spanOf(cell, "rowspan") - 1
	if rows < 1 || column >= maxSpan || w.repeated > maxRepeated {
		return
	}
	for len(w.spans) <= column {
		w.spans = append(w.spans, rowSpan{})
	}
	if len(text) > maxSpanBytes {
		text = ""
	}
	w.spans[column] = rowSpan{min(rows, maxSpan), text}
}

// spanOf is how many columns or rows a cell takes.
func spanOf(cell *html.Node, key string) int {
	if n, err := strconv.Atoi(strings.TrimSpace(attr(cell, key))); err == nil && n > 0 {
		return n
	}
	return 1
}

// InlineText is the text of a node on one line.
func InlineText(n *html.Node) string {
	if n == nil {
		return ""
	}
	return strings.Join(strings.Fields(BlockText(n)), " ")
}
