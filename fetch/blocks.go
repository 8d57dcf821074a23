package fetch

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blockText writes the text of a tree as a reader sees it: paragraphs and headings apart by a blank line, list
// items as "- " lines, table rows as cells with " | " between them, preformatted text with its white space.
// What no reader sees is left out.
//
// Trees come from parseTree, so their depth is bounded and recursion is safe.
func blockText(n *html.Node) string {
	var w blockWriter
	w.children(n)
	w.flush(0)
	return strings.Trim(w.out.String(), "\n")
}

// blockWriter collects the text of one block in line and moves it to out when the block ends.
type blockWriter struct {
	out   strings.Builder
	line  strings.Builder
	space bool // white space was seen that separates what comes next in this line
	gap   int  // newlines due before the next block
	lists int  // depth of lists
	item  bool // the next block begins a list item
	frame bool // leave out what only surrounds content
}

// flush ends the current block; gap newlines will follow it at least.
func (w *blockWriter) flush(gap int) {
	if text := strings.TrimRight(w.line.String(), " \n"); text != "" {
		w.write(text)
	}
	w.line.Reset()
	w.space = false
	if w.out.Len() > 0 {
		w.gap = max(w.gap, gap)
	}
}

func (w *blockWriter) write(text string) {
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
	}
	w.item = false
	w.out.WriteString(text)
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
	if isUnread(n) || w.frame && isFrame(n) {
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
	case atom.Dt, atom.Dd:
		w.flush(1)
		w.children(n)
		w.flush(1)
	case atom.Table:
		w.table(n)
	case atom.Tr:
		w.flush(1)
		w.children(n)
		w.flush(1)
	default:
		if !isBlock(n.DataAtom) {
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
		i := strings.IndexFunc(s, isSpace)
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			if w.space && w.line.Len() > 0 && !strings.HasSuffix(w.line.String(), "\n") {
				w.line.WriteByte(' ')
			}
			w.space = false
			w.line.WriteString(s[:i])
			s = s[i:]
			continue
		}
		w.space = true
		s = strings.TrimLeftFunc(s, isSpace)
	}
}

// newline is a <br>: a line break, and a blank line when it comes twice.
func (w *blockWriter) newline() {
	w.space = false
	line := w.line.String()
	switch {
	case line == "":
	case strings.HasSuffix(line, "\n"):
		w.flush(w.inside())
	default:
		w.line.WriteByte('\n')
	}
}

func (w *blockWriter) preformatted(n *html.Node) {
	w.flush(w.inside())
	var raw strings.Builder
	verbatim(n, &raw)
	text := strings.ReplaceAll(strings.ReplaceAll(raw.String(), "\r\n", "\n"), "\r", "\n")
	if text = strings.TrimRight(strings.TrimLeft(text, "\n"), " \t\n"); text != "" {
		w.write(text)
	}
	w.gap = max(w.gap, w.inside())
}

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
	w.lists++
	w.item = false
	w.children(n)
	w.flush(1)
	w.lists--
	w.item = false
	w.gap = max(w.gap, outer)
	if w.out.Len() == 0 {
		w.gap = 0
	}
}

func (w *blockWriter) listItem(n *html.Node) {
	w.flush(1)
	loose := w.lists == 0 // an item without its list
	if loose {
		w.lists++
	}
	w.item = true
	w.children(n)
	w.flush(1)
	w.item = false
	if loose {
		w.lists--
	}
}

// table writes rows, one line each. Tables that only lay out a page are read as the blocks they hold.
func (w *blockWriter) table(n *html.Node) {
	w.flush(w.inside())
	if isLayout(n) {
		w.children(n)
		w.flush(w.inside())
		return
	}
	w.rows(n)
	w.flush(w.inside())
}

func (w *blockWriter) rows(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode || isUnread(c):
		case c.DataAtom == atom.Tr:
			w.flush(1)
			w.line.WriteString(row(c))
			w.flush(1)
		case c.DataAtom == atom.Thead, c.DataAtom == atom.Tbody, c.DataAtom == atom.Tfoot:
			w.rows(c)
		default:
			w.node(c)
		}
	}
}

func row(tr *html.Node) string {
	var cells []string
	filled := false
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || isUnread(c) {
			continue
		}
		cell := inlineText(c)
		filled = filled || cell != ""
		cells = append(cells, cell)
	}
	if !filled {
		return ""
	}
	return strings.Join(cells, " | ")
}

// inlineText is the text of a node on one line.
func inlineText(n *html.Node) string {
	if n == nil {
		return ""
	}
	return strings.Join(strings.FieldsFunc(blockText(n), isSpace), " ")
}

// isLayout reports a table whose cells hold documents rather than values: another table, code, or more than
// two paragraphs or headings. It looks no further than the first sign, which keeps nested tables linear.
func isLayout(table *html.Node) bool {
	layout := false
	var paragraphs func(n *html.Node) int
	paragraphs = func(n *html.Node) int {
		count := 0
		for c := n.FirstChild; c != nil && !layout; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Table, atom.Pre:
				layout = true
			case atom.Td, atom.Th:
				if paragraphs(c) > 2 {
					layout = true
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
	return layout
}

// isUnread reports an element whose content no reader sees as text.
func isUnread(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Svg, atom.Iframe, atom.Object, atom.Embed,
		atom.Canvas, atom.Video, atom.Audio, atom.Map, atom.Select, atom.Datalist, atom.Textarea, atom.Input, atom.Button,
		atom.Rt, atom.Rp, atom.Dialog, atom.Noframes, atom.Noembed:
		return true
	}
	return n.Data == "annotation-xml" || n.Data == "annotation"
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details,
		atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frameset,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Pre, atom.Section, atom.Summary,
		atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul:
		return true
	}
	return false
}

func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\f', '\v', 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}
