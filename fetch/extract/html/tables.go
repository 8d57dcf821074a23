package html

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// table writes rows, one line each. Tables that only lay out a page are read as the blocks they hold.
func (w *writer) table(n *html.Node) {
	w.flush()
	if w.flat > 0 || isLayout(n) {
		w.children(n)
		w.flush()
		return
	}
	outer, from := w.spans, len(w.parts)
	w.spans = nil
	w.tables++
	w.rows(n)
	w.tables--
	w.flush()
	w.spans = outer
	for i := from; i < len(w.parts); i++ {
		if w.parts[i].Kind == document.Row {
			w.parts[i].Begins = true
			break
		}
	}
}

func (w *writer) rows(n *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type != html.ElementNode || isUnread(c):
		case c.DataAtom == atom.Tr:
			w.row(c)
		case c.DataAtom == atom.Thead, c.DataAtom == atom.Tbody, c.DataAtom == atom.Tfoot, holdsRows(c):
			outer := w.enter(c)
			w.rows(c)
			w.leave(outer)
		default:
			w.node(c)
		}
	}
}

// holdsRows reports an element between the parts of a table by roles.
func holdsRows(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if (c.DataAtom == atom.Tr || c.DataAtom == atom.Tbody) && (n.DataAtom == atom.Div || n.DataAtom == atom.Span) {
			return true
		}
	}
	return false
}

// row writes the cells of a row with bars between them; a row without text is left out.
func (w *writer) row(tr *html.Node) {
	w.flush()
	outer := w.enter(tr)
	w.flat++
	var cells []string
	isEmpty := true
	for _, c := range Elements(tr) {
		if isUnread(c) {
			continue
		}
		cells = w.fromAbove(cells)
		w.node(c)
		w.endStruck()
		text := w.line.String()
		w.line.Reset()
		w.space, isEmpty = false, isEmpty && text == ""
		w.hold(c, len(cells), text)
		cells = append(cells, text)
		for wide := min(spanOf(c, "colspan"), maxSpan); wide > 1 && w.mayRepeat(""); wide-- {
			cells = append(cells, "")
		}
	}
	cells = w.fromAbove(cells)
	for len(cells) > 0 && (isEmpty || cells[len(cells)-1] == "") {
		cells = cells[:len(cells)-1]
	}
	w.flat--
	w.line.WriteString(strings.Join(cells, document.CellMark))
	w.cur.Kind, w.cur.region, w.cur.times = document.Row, w.at, nil
	w.flush()
	w.leave(outer)
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

// fromAbove adds the cells that go on from the rows above.
func (w *writer) fromAbove(cells []string) []string {
	for len(cells) < len(w.spans) && w.spans[len(cells)].rows > 0 {
		above := &w.spans[len(cells)]
		above.rows--
		if !w.mayRepeat(above.text) {
			w.spans = nil
			break
		}
		cells = append(cells, above.text)
	}
	return cells
}

// mayRepeat counts what wide and high cells add to a page.
func (w *writer) mayRepeat(text string) bool {
	w.added += len(text) + len(document.CellMark)
	return w.added <= maxRepeated
}

// hold notes a cell of a column that is more than one row high.
func (w *writer) hold(cell *html.Node, column int, text string) {
	rows := spanOf(cell, "rowspan") - 1
	if rows < 1 || column >= maxSpan || w.added > maxRepeated {
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

// isLayout reports a table that only lays out a page: it has no header, and its cells hold documents rather than values:
// another table, code, or more than two paragraphs or headings. It does not look into tables within, which keeps them linear.
func isLayout(table *html.Node) bool {
	switch strings.ToLower(strings.TrimSpace(attr(table, "role"))) {
	case "presentation", "none":
		return true
	}
	heads, rows, paragraphs, documents := 0, 0, 0, false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		before := paragraphs
		for c := range n.ChildNodes() {
			switch c.DataAtom {
			case atom.Table, atom.Pre:
				documents = true
				continue
			case atom.Th:
				heads++
			case atom.Tr:
				rows++
			case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Article, atom.Section:
				paragraphs++
			}
			walk(c)
		}
		if (n.DataAtom == atom.Td || n.DataAtom == atom.Th) && paragraphs-before > 2 {
			documents = true
		}
	}
	walk(table)
	return documents && heads < 2 && (heads == 0 || rows != 1)
}
