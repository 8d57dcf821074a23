package markup

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Writer writes parsed Markdown as HTML, without the tags of the text. What it shows of the source passes through Text, which
// escapes it. Parts of the text may be marked as spans: each becomes one element, or several if emphasis or a block begins
// or ends inside it.
type Writer struct {
	Source []byte
	Top    int    // level of the highest headings
	Table  string // attributes of the element around a table
	Image  string // what precedes the link to an image, which is not loaded

	Text   func(p Piece)                               // calls Put
	Href   func(n ast.Node, destination string) string // the address of a link, or ""
	Span   func(span int) (open string)                // the tag of a span
	After  func(span int) string                       // what follows the end of a span
	b      strings.Builder
	block  []token // the inline content of the current block
	depth  int     // of elements
	links  int     // that are open
	levels []int   // the heading levels of the text above the current place
	ends   []int   // spans that ended inside an open link
}

// None is the span of a text without one, and Any that of a text which does not end one.
const (
	None = -1
	Any  = -2
)

type token struct {
	html string
	nest int // 1 opens an element, -1 closes one
	link bool
	span int
	last bool // of its span
}

// Put adds inline HTML to the current block. last says that its span ends with it.
func (w *Writer) Put(span int, html string, last bool) {
	w.block = append(w.block, token{html: html, span: span, last: last})
}

// InLink reports whether a link is open: links cannot be nested.
func (w *Writer) InLink() bool { return w.links > 0 }

// Inline returns the children of a node as HTML.
func (w *Writer) Inline(n ast.Node) string {
	before := w.b
	w.b = strings.Builder{}
	w.Children(n)
	w.flush()
	out := w.b.String()
	w.b = before
	return out
}

// HTML writes a node and those after it, and returns all that was written.
func (w *Writer) HTML(first ast.Node) string {
	for n := first; n != nil; n = n.NextSibling() {
		w.node(n)
	}
	w.flush()
	return w.b.String()
}

// Children writes the children of a node.
func (w *Writer) Children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

// Block writes a block element around what inner writes.
func (w *Writer) Block(open, shut string, inner func()) {
	w.flush()
	if w.depth >= maxDepth {
		open, shut = "", "\n"
	}
	w.b.WriteString(open)
	w.depth++
	inner()
	w.flush()
	w.depth--
	w.b.WriteString(shut)
}

// flush writes the inline content of a block with its spans.
func (w *Writer) flush() {
	links := 0
	for i := 0; i < len(w.block); {
		t := w.block[i]
		if t.link {
			links += t.nest
		}
		j, span := fragment(w.block[i:])
		if span < 0 {
			w.b.WriteString(t.html)
			if t.link && t.nest < 0 {
				for _, s := range w.ends {
					w.b.WriteString(w.After(s))
				}
				w.ends = nil
			}
			i++
			continue
		}
		ended := false
		w.b.WriteString(w.Span(span))
		for _, t := range w.block[i : i+j] {
			w.b.WriteString(t.html)
			ended = ended || t.last
		}
		w.b.WriteString("</span>")
		if t.link {
			links -= t.nest
		}
		if ended && links > 0 {
			w.ends = append(w.ends, span)
		} else if ended {
			w.b.WriteString(w.After(span))
		}
		i += j
	}
	w.block = w.block[:0]
}

// fragment returns the longest beginning of some tokens that one element can enclose, with its span; the span is None if
// there is none.
func fragment(tokens []token) (n, span int) {
	span = None
	depth := 0
	for i, t := range tokens {
		depth += t.nest
		if depth < 0 || t.nest == 0 && (t.span == None || t.span >= 0 && span >= 0 && t.span != span) {
			break
		}
		if t.nest == 0 && t.span >= 0 {
			span = t.span
		}
		if depth == 0 && span >= 0 && (t.nest != 0 || t.span >= 0) {
			n = i + 1
		}
		if t.last && depth == 0 {
			break
		}
	}
	if n == 0 || tokens[0].nest == 0 && tokens[0].span < 0 {
		return 0, None
	}
	return n, span
}

// inline writes an inline element.
func (w *Writer) inline(open, shut string, n ast.Node) {
	if w.depth >= maxDepth {
		w.Children(n)
		return
	}
	link := strings.HasPrefix(open, "<a ")
	w.block = append(w.block, token{html: open, nest: 1, link: link})
	w.depth++
	w.Children(n)
	w.depth--
	w.block = append(w.block, token{html: shut, nest: -1, link: link})
}

func (w *Writer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text, *ast.AutoLink, *ast.RawHTML:
		w.leaf(n)
	case *ast.String:
		w.Put(Any, string(Escaped(string(n.Value))), false)
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
	case *ast.Image:
		w.link(n, string(n.Destination), w.Image)
	case *ast.Heading:
		level := w.level(n.Level)
		w.element(n, fmt.Sprintf(`<h%d dir="auto">`, level), fmt.Sprintf("</h%d>\n", level))
	case *ast.Paragraph:
		w.element(n, `<p dir="auto">`, "</p>\n")
	case *ast.TextBlock:
		w.element(n, "", "")
	case *ast.ThematicBreak:
		w.flush()
		w.b.WriteString("<hr>\n")
	case *ast.Blockquote:
		w.element(n, "<blockquote>", "</blockquote>\n")
	case *ast.List:
		if !n.IsOrdered() {
			w.element(n, "<ul>", "</ul>\n")
		} else if n.Start > 1 {
			w.element(n, `<ol start="`+strconv.Itoa(n.Start)+`">`, "</ol>\n")
		} else {
			w.element(n, "<ol>", "</ol>\n")
		}
	case *ast.ListItem:
		w.element(n, `<li dir="auto">`, "</li>\n")
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.Block(`<pre dir="ltr" tabindex="0"><code>`, "</code></pre>\n", func() { w.leaf(n) })
	case *ast.HTMLBlock: // untrusted markup is shown, not rendered
		w.Block(`<p class="markup" dir="auto">`, "</p>\n", func() { w.leaf(n) })
	case *extast.Table:
		w.table(n)
	default:
		w.Children(n)
	}
}

func (w *Writer) element(n ast.Node, open, shut string) {
	w.Block(open, shut, func() { w.Children(n) })
}

// level maps heading levels: they start at the top level and never skip one downwards.
func (w *Writer) level(level int) int {
	for len(w.levels) > 0 && w.levels[len(w.levels)-1] >= level {
		w.levels = w.levels[:len(w.levels)-1]
	}
	w.levels = append(w.levels, level)
	return min(6, w.Top-1+len(w.levels))
}

// link writes a web link, or only its text if the address is not allowed.
func (w *Writer) link(n ast.Node, destination, before string) {
	href := w.Href(n, destination)
	if href == "" || w.links > 0 {
		w.Put(Any, before, false)
		w.Children(n)
		return
	}
	w.links++
	w.inline(anchor(href)+before, "</a>", n)
	w.links--
}

func anchor(href string) string {
	return `<a href="` + html.EscapeString(href) + `" rel="noreferrer noopener nofollow">`
}

func (w *Writer) table(n *extast.Table) {
	w.flush()
	w.b.WriteString(`<div class="scroll" tabindex="0" role="group" ` + w.Table + `><table>` + "\n")
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
			w.element(c, open+` dir="auto">`, "</"+cell+">")
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
func (w *Writer) leaf(n ast.Node) {
	own := Own(n, w.Source)
	switch n := n.(type) {
	case *ast.Text:
		for _, p := range own {
			w.Text(p)
		}
		if n.HardLineBreak() {
			w.Put(Any, "<br>", false)
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.Put(Any, "\n", false)
		}
	case *ast.RawHTML:
		for _, p := range own {
			if LineBreak(n, w.Source) {
				p.Kind = Break
			}
			w.Text(p)
		}
	case *ast.AutoLink:
		href := sanitize.Link(string(n.URL(w.Source)))
		if len(own) == 0 {
			w.Put(Any, string(Escaped(string(n.Label(w.Source)))), false)
		}
		linked := href != "" && w.links == 0 && len(own) > 0
		if linked {
			w.links++
			w.block = append(w.block, token{html: anchor(href), nest: 1, link: true})
		}
		for _, p := range own {
			w.Text(p)
		}
		if linked {
			w.links--
			w.block = append(w.block, token{html: "</a>", nest: -1, link: true})
		}
	default:
		for i, p := range own {
			if n.Lines() != nil && i < n.Lines().Len() {
				w.Put(Any, strings.Repeat(" ", min(n.Lines().At(i).Padding, 8)), false)
			}
			w.Text(p)
		}
	}
}

// LineBreak reports whether a tag is <br>.
func LineBreak(n *ast.RawHTML, source []byte) bool {
	if n.Segments.Len() != 1 {
		return false
	}
	s := n.Segments.At(0)
	tag := strings.ToLower(strings.ReplaceAll(string(s.Value(source)), " ", ""))
	return tag == "<br>" || tag == "<br/>"
}
