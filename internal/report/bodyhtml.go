package report

import (
	"fmt"
	"html"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// bodyWriter writes a body as HTML, without the tags of the text. A sentence becomes one span, or several if emphasis or a
// block begins or ends inside it.
type bodyWriter struct {
	body
	cite *citer
	b    strings.Builder

	open      int // the span that is open, or -1
	openDepth int
	ending    int // a span that ended inside an element that it contains, or -1
	depth     int // of elements
	inLink    bool
	waiting   []int        // sentences whose verdict follows the end of a link
	named     map[int]bool // spans that have an id
	done      map[int]bool // spans with a verdict
	top       int          // level of the highest headings
	levels    []int        // the heading levels of the text above the current place
	extents   map[ast.Node][2]int
}

// bodyHTML writes the text with headings of the level top and below. A heading of the first level at the start becomes the title. missed are the sentences without
// a verdict in the text, by index.
func bodyHTML(b body, c *citer, top int) (title, text string, missed []int) {
	w := &bodyWriter{body: b, cite: c, top: top, open: -1, ending: -1, named: make(map[int]bool), done: make(map[int]bool), extents: make(map[ast.Node][2]int)}
	w.measure(b.root)
	first := b.root.FirstChild()
	if h, ok := first.(*ast.Heading); ok && h.Level == 1 && h.HasChildren() {
		w.children(h)
		w.endBlock()
		title = w.b.String()
		w.b.Reset()
		first = first.NextSibling()
	}
	for n := first; n != nil; n = n.NextSibling() {
		w.node(n)
	}
	missed = b.unplaced
	for k, s := range b.spans {
		if !w.done[k] {
			missed = append(missed, s.sentence)
		}
	}
	sort.Ints(missed)
	return title, w.b.String(), missed
}

// measure records the extents of all nodes.
func (w *bodyWriter) measure(n ast.Node) (start, stop int, some bool) {
	add := func(a, z int) {
		if !some {
			start = a
		}
		stop, some = max(stop, z), true
	}
	for _, p := range ownPieces(n, w.source) {
		add(p.start, p.stop)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if a, z, ok := w.measure(c); ok {
			add(a, z)
		}
	}
	if some {
		w.extents[n] = [2]int{start, stop}
	}
	return start, stop, some
}

func (w *bodyWriter) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

func (w *bodyWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text, *ast.AutoLink, *ast.RawHTML:
		w.leaf(n)
	case *ast.String:
		writeText(&w.b, string(n.Value))
	case *ast.Emphasis:
		if n.Level >= 2 {
			w.inline("<strong>", "</strong>", n)
		} else {
			w.inline("<em>", "</em>", n)
		}
	case *extast.Strikethrough:
		w.inline("<del>", "</del>", n)
	case *ast.CodeSpan:
		w.inline("<code>", "</code>", n)
	case *ast.Link:
		w.link(n, string(n.Destination), "")
	case *ast.Image: // not loaded: the reader may follow the link
		w.link(n, string(n.Destination), w.cite.words.T("Image: "))
	case *ast.Heading:
		level := w.level(n.Level)
		w.block(fmt.Sprintf(`<h%d dir="auto">`, level), fmt.Sprintf("</h%d>\n", level), n)
	case *ast.Paragraph:
		w.block(`<p dir="auto">`, "</p>\n", n)
	case *ast.TextBlock:
		w.block("", "", n)
	case *ast.ThematicBreak:
		w.b.WriteString("<hr>\n")
	case *ast.Blockquote:
		w.block("<blockquote>", "</blockquote>\n", n)
	case *ast.List:
		if !n.IsOrdered() {
			w.block("<ul>", "</ul>\n", n)
		} else if n.Start > 1 {
			w.block(`<ol start="`+strconv.Itoa(n.Start)+`">`, "</ol>\n", n)
		} else {
			w.block("<ol>", "</ol>\n", n)
		}
	case *ast.ListItem:
		w.block(`<li dir="auto">`, "</li>\n", n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.verbatim(`<pre dir="ltr" tabindex="0"><code>`, "</code></pre>\n", n)
	case *ast.HTMLBlock: // untrusted markup is shown, not rendered
		w.verbatim(`<p class="markup" dir="auto">`, "</p>\n", n)
	case *extast.Table:
		w.table(n)
	default:
		w.children(n)
	}
}

// level maps heading levels: they start at the top level and never skip one downwards.
func (w *bodyWriter) level(level int) int {
	for len(w.levels) > 0 && w.levels[len(w.levels)-1] >= level {
		w.levels = w.levels[:len(w.levels)-1]
	}
	w.levels = append(w.levels, level)
	return min(6, w.top-1+len(w.levels))
}

// block writes a block element. Spans end within it.
func (w *bodyWriter) block(open, shut string, n ast.Node) {
	w.endBlock()
	if w.depth >= maxDepth {
		open, shut = "", "\n"
	}
	w.b.WriteString(open)
	w.depth++
	w.children(n)
	w.endBlock()
	w.depth--
	w.b.WriteString(shut)
}

func (w *bodyWriter) verbatim(open, shut string, n ast.Node) {
	w.endBlock()
	w.b.WriteString(open)
	w.leaf(n)
	w.endBlock()
	w.b.WriteString(shut)
}

func (w *bodyWriter) endBlock() {
	if w.ending >= 0 {
		w.finish(w.ending)
	}
	w.shutSpan()
}

// inline writes an inline element. A span that contains all of it stays open; any other is closed before it and reopened
// inside.
func (w *bodyWriter) inline(open, shut string, n ast.Node) {
	if w.depth >= maxDepth {
		w.children(n)
		return
	}
	if e, ok := w.extents[n]; ok {
		k, until := w.spanAt(e[0])
		if k < 0 || e[1] > until {
			k = -1
		}
		if w.open >= 0 && w.open != k {
			w.shutSpan()
		}
		if w.open < 0 && k >= 0 {
			w.openSpan(k)
		}
	}
	w.b.WriteString(open)
	w.depth++
	w.children(n)
	if w.open >= 0 && w.openDepth == w.depth {
		w.shutSpan()
	}
	w.depth--
	w.b.WriteString(shut)
	if w.ending >= 0 && w.openDepth == w.depth {
		w.finish(w.ending)
	}
}

// link writes a web link, or only its text if the address is not allowed or the link contains a citation: links cannot be
// nested.
func (w *bodyWriter) link(n ast.Node, destination, before string) {
	href := sanitize.Link(w.written(plainProse(destination)))
	if e, ok := w.extents[n]; href == "" || w.inLink || ok && placeholder.Match(w.source[e[0]:e[1]]) {
		w.b.WriteString(before)
		w.children(n)
		return
	}
	w.inLink = true
	w.inline(anchor(href)+before, "</a>", n)
	w.inLink = false
	for _, s := range w.waiting {
		w.cite.tail(&w.b, s)
	}
	w.waiting = nil
}

func anchor(href string) string {
	return `<a href="` + html.EscapeString(href) + `" rel="noreferrer noopener nofollow">`
}

func (w *bodyWriter) table(n *extast.Table) {
	w.endBlock()
	w.b.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="` + w.cite.hidden("Table") + `"><table>` + "\n")
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cell := "td"
		if row.Kind() == extast.KindTableHeader {
			cell = "th"
			w.b.WriteString("<thead>")
		}
		w.b.WriteString("<tr>")
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			open := "<" + cell
			if cell == "th" {
				open += ` scope="col"`
			}
			if tc, ok := c.(*extast.TableCell); ok && (tc.Alignment == extast.AlignRight || tc.Alignment == extast.AlignCenter) {
				open += ` class="` + tc.Alignment.String() + `"`
			}
			w.block(open+` dir="auto">`, "</"+cell+">", c)
		}
		w.b.WriteString("</tr>")
		if cell == "th" {
			w.b.WriteString("</thead>\n<tbody>")
		}
		w.b.WriteString("\n")
	}
	w.b.WriteString("</tbody></table></div>\n")
}

// leaf writes the visible text of a node.
func (w *bodyWriter) leaf(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		for _, p := range ownPieces(n, w.source) {
			w.text(p)
		}
		if n.HardLineBreak() {
			w.b.WriteString("<br>")
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.b.WriteByte('\n')
		}
	case *ast.RawHTML:
		if lineBreak(n, w.source) {
			w.b.WriteString("<br>")
			w.passed(n)
			return
		}
		for _, p := range ownPieces(n, w.source) {
			w.text(p)
		}
	case *ast.AutoLink:
		href := sanitize.Link(string(n.URL(w.source)))
		own := ownPieces(n, w.source)
		if len(own) == 0 {
			writeText(&w.b, string(n.Label(w.source)))
		}
		for _, p := range own {
			w.autoLink(p, href, href != "" && !w.inLink)
		}
	default:
		for i, p := range ownPieces(n, w.source) {
			if n.Lines() != nil && i < n.Lines().Len() {
				w.b.WriteString(strings.Repeat(" ", min(n.Lines().At(i).Padding, 8)))
			}
			w.text(p)
		}
	}
}

// autoLink writes a bare address. It is a leaf and an element, so a span can only contain it.
func (w *bodyWriter) autoLink(p piece, href string, linked bool) {
	if !linked {
		w.text(p)
		return
	}
	k, until := w.spanAt(p.start)
	if k >= 0 && p.stop <= until {
		w.enter(k)
		w.b.WriteString(anchor(href))
		writeText(&w.b, string(w.source[p.start:p.stop]))
		w.b.WriteString("</a>")
		w.reached(k, p.stop)
		return
	}
	w.inLink = true
	w.shutSpan()
	w.b.WriteString(anchor(href))
	w.depth++
	w.text(p)
	w.shutSpan()
	w.depth--
	w.b.WriteString("</a>")
	w.inLink = false
	for _, s := range w.waiting {
		w.cite.tail(&w.b, s)
	}
	w.waiting = nil
}

func lineBreak(n *ast.RawHTML, source []byte) bool {
	if n.Segments.Len() != 1 {
		return false
	}
	s := n.Segments.At(0)
	tag := strings.ToLower(strings.ReplaceAll(string(s.Value(source)), " ", ""))
	return tag == "<br>" || tag == "<br/>"
}
