package html

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// list is a list that is written.
type list struct {
	kind   string // of its numbers: "1", "a", "A", "i", "I"; empty for bullets and definitions
	next   int    // number of the next item
	step   int    // 1, or -1 for a list in reverse
	item   bool   // the next block begins an item
	number string // of that item
	begun  bool   // an item is written
}

// list writes an ordered list, one with bullets, or one of definitions: a term is an item, and its definition belongs to it.
func (w *writer) list(n *html.Node) {
	w.flush()
	if w.flat > 0 {
		w.children(n)
		return
	}
	w.lists = append(w.lists, newList(n))
	w.children(n)
	w.flush()
	w.lists = w.lists[:len(w.lists)-1]
}

func newList(n *html.Node) *list {
	l := &list{next: 1, step: 1}
	if n.DataAtom != atom.Ol {
		return l
	}
	switch kind := attr(n, "type"); kind {
	case "a", "A", "i", "I":
		l.kind = kind
	case "none": // of its style
	default:
		l.kind = "1"
	}
	start, err := strconv.Atoi(strings.TrimSpace(attr(n, "start")))
	if hasAttr(n, "reversed") {
		l.step, l.next = -1, 0
		for _, c := range Elements(n) {
			if c.DataAtom == atom.Li {
				l.next++
			}
		}
	}
	if err == nil {
		l.next = start
	}
	return l
}

// MarkNumber is the attribute of an item with the number that another format gives it.
const MarkNumber = "~number"

// item writes an item of a list, or a term.
func (w *writer) item(n *html.Node) {
	w.flush()
	if w.flat > 0 {
		w.children(n)
		w.space = true
		return
	}
	if len(w.lists) == 0 { // an item without its list
		w.lists = append(w.lists, &list{})
		defer func() { w.lists = nil }()
	}
	l := w.lists[len(w.lists)-1]
	if value, err := strconv.Atoi(strings.TrimSpace(attr(n, "value"))); err == nil {
		l.next = value
	}
	own, element := ownLabel(n, l.label())
	l.item, l.number, w.skipped = true, cmp.Or(attr(n, MarkNumber), own), element
	if label, ok := w.notes.labels[n]; ok && l.number == "" {
		l.number = "[" + label + "]"
	}
	outer := w.kind
	w.kind = document.Paragraph
	w.children(n)
	w.flush()
	w.kind = outer
	l.item = false
	l.next += l.step
}

var (
	labelText = lazyregexp.New(`^(?:[•·▪■◦‣●○–—*-]|§ ?\d+|[\[(]?(?:\d+(?:\.\d+)*|[a-zA-Z]|[ivxlcIVXLC]+)` +
		`(?:[.)\]]+|$))$`)
	labelNames = lazyregexp.New(`(?i)(?:^|[\s_-])(?:ltx_tag|tag|label|marker|num|number|no)(?:$|[\s_-])`)
)

// ownLabel is the label of an item: that in an element of its own, where its text begins with one, or else the number that a browser
// shows.
func ownLabel(n *html.Node, number string) (label string, in *html.Node) {
	first := n.FirstChild
	for first != nil && first.Type == html.TextNode && strings.TrimSpace(first.Data) == "" {
		first = first.NextSibling
	}
	if first == nil || first.NextSibling == nil || first.DataAtom != atom.Span && first.DataAtom != atom.Div {
		return number, nil
	}
	text, short := shortText(first, 12)
	switch {
	case !short || !labelNames.MatchString(attr(first, "class")) || !labelText.MatchString(text):
		return number, nil
	case strings.Trim(text, "[().]") == strings.TrimSuffix(number, "."), strings.Trim(text, "•·▪■◦‣●○–—*-") == "":
		return number, first
	}
	return text, first
}

// label is the number of the next item as a browser shows it.
func (l *list) label() string {
	letters := ""
	switch l.kind {
	case "":
		return ""
	case "a", "A":
		for n := l.next; n > 0; n = (n - 1) / 26 {
			letters = string(rune('a'+(n-1)%26)) + letters
		}
	case "i", "I":
		letters = strings.ToLower(document.Roman(l.next))
	}
	if letters == "" {
		letters = strconv.Itoa(l.next)
	}
	if l.kind == "A" || l.kind == "I" {
		letters = strings.ToUpper(letters)
	}
	return letters + "."
}

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
	for c := n.FirstChild; c != nil; c = c.NextSibling {
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
	column, end := 0, 0 // end is that of the last cell with a text
	for _, c := range Elements(tr) {
		if isUnread(c) {
			continue
		}
		column = w.fromAbove(column)
		w.beginCell(column)
		w.node(c)
		w.endStruck()
		if w.line.Len() > w.cell {
			end = w.line.Len()
		}
		w.spanRows(c, column, w.line.String()[w.cell:])
		column++
		for wide := min(spanOf(c, "colspan"), maxSpan); wide > 1 && w.mayRepeat(""); wide-- {
			w.beginCell(column)
			column++
		}
	}
	if w.fromAbove(column) > column && end > 0 {
		w.endStruck()
		end = w.line.Len()
	}
	text := w.line.String()[:end]
	w.line.Reset()
	w.line.WriteString(text)
	w.flat, w.space, w.cell = w.flat-1, false, 0
	w.cur.Kind, w.cur.region = document.Row, w.at
	w.flush()
	w.leave(outer)
}

func (w *writer) beginCell(column int) {
	w.endStruck()
	if column > 0 {
		w.line.WriteString(document.CellMark)
	}
	w.space, w.cell = false, w.line.Len()
}

// fromAbove writes the cells that go on from the rows above, from a column on, and returns the column behind them.
func (w *writer) fromAbove(column int) int {
	for ; column < len(w.spans) && w.spans[column].rows > 0; column++ {
		above := &w.spans[column]
		above.rows--
		if !w.mayRepeat(above.text) {
			w.spans = nil
			break
		}
		w.beginCell(column)
		w.text(above.text)
	}
	return column
}

// mayRepeat counts what wide and high cells add to a page.
func (w *writer) mayRepeat(text string) bool {
	w.added += len(text) + len(document.CellMark)
	return w.added <= maxRepeated
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
func (w *writer) spanRows(cell *html.Node, column int, text string) {
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
// another table, code, or more than two paragraphs or headings.
func isLayout(table *html.Node) bool {
	switch strings.ToLower(strings.TrimSpace(attr(table, "role"))) {
	case "presentation", "none":
		return true
	}
	return !hasHeader(table) && holdsDocuments(table)
}

// hasHeader reports a table with a row of headers, or with a header in its rows.
func hasHeader(table *html.Node) bool {
	heads, rows := 0, 0
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for _, c := range Elements(n) {
			switch c.DataAtom {
			case atom.Td, atom.Table, atom.Caption:
				continue
			case atom.Th:
				heads++
			case atom.Tr:
				rows++
			}
			walk(c)
		}
	}
	walk(table)
	return heads >= 2 || heads == 1 && rows == 1
}

// holdsDocuments looks no further than the first sign, which keeps nested tables linear.
func holdsDocuments(table *html.Node) bool {
	found := false
	var paragraphs func(n *html.Node) int
	paragraphs = func(n *html.Node) int {
		count := 0
		for c := n.FirstChild; c != nil && !found; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Table, atom.Pre:
				found = true
			case atom.Td, atom.Th:
				if paragraphs(c) > 2 {
					found = true
				}
			case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Article, atom.Section:
				count += 1 + paragraphs(c)
			default:
				count += paragraphs(c)
			}
		}
		return count
	}
	paragraphs(table)
	return found
}
