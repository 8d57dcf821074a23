package web

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// textWriter writes a stored text, which is Markdown, as HTML: its headings, lists, tables and code as such, and its marks
// at their places. All characters of the text are escaped.
type textWriter struct {
	b      strings.Builder
	source []byte
	pieces []piece
	starts []int // of the pieces, in bytes
	begun  int   // pieces whose anchors are written
	quoted bool  // a passage among others: its anchors have no ids
	levels []int // of the headings above the current place
	depth  int
}

// maxNesting bounds the elements around a text; deeper ones are written as their text.
const maxNesting = 32

// formatted returns the pieces of a text as HTML. If it is quoted beside other texts, nothing can link into it.
func formatted(pieces []piece, quoted bool) (out template.HTML) {
	w := &textWriter{pieces: pieces, quoted: quoted}
	for _, p := range pieces {
		w.starts = append(w.starts, len(w.source))
		w.source = append(w.source, p.Text...)
	}
	defer func() {
		if recover() != nil { // a bug of the parser must not hide the text
			out = w.unformatted()
		}
	}()
	if report.NestsTooDeep(w.source) {
		return w.unformatted()
	}
	// Without the transformer for definitions of links, which would hide them.
	md := goldmark.New(goldmark.WithParser(parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithInlineParsers(parser.DefaultInlineParsers()...))), goldmark.WithExtensions(extension.Table))
	w.children(md.Parser().Parse(text.NewReader(w.source)))
	w.anchors(len(w.source) + 1)
	return template.HTML(w.b.String()) //nolint:gosec // run escapes
}

// unformatted returns the text as it is stored.
func (w *textWriter) unformatted() template.HTML {
	w.b.Reset()
	w.begun = 0
	w.b.WriteString(`<div class="verbatim">`)
	w.run(0, len(w.source), false)
	w.b.WriteString(`</div>`)
	return template.HTML(w.b.String()) //nolint:gosec // run escapes
}

func (w *textWriter) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

// in writes the children of a node inside an element.
func (w *textWriter) in(n ast.Node, tag, attributes string) {
	if w.depth >= maxNesting {
		w.children(n)
		return
	}
	w.depth++
	fmt.Fprintf(&w.b, "<%s%s>", tag, attributes)
	w.children(n)
	fmt.Fprintf(&w.b, "</%s>", tag)
	w.depth--
	if n.Type() == ast.TypeBlock {
		w.b.WriteString("\n")
	}
}

func (w *textWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.in(n, fmt.Sprintf("h%d", w.level(n.Level)), "")
	case *ast.Paragraph:
		w.paragraph(n)
	case *ast.List:
		tag, start := "ul", ""
		if n.IsOrdered() {
			tag, start = "ol", fmt.Sprintf(` start="%d"`, n.Start)
		}
		w.in(n, tag, start)
	case *ast.ListItem:
		w.in(n, "li", "")
	case *ast.Blockquote:
		w.in(n, "blockquote", "")
	case *ast.ThematicBreak:
		w.b.WriteString("<hr>\n")
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.lines(n, `<pre tabindex="0" role="group" aria-labelledby="h-text"><code>`, "</code></pre>\n")
	case *ast.HTMLBlock:
		w.lines(n, "<p>", "</p>\n")
		if n.HasClosure() {
			w.run(n.ClosureLine.Start, n.ClosureLine.Stop, false)
		}
	case *extast.Table:
		w.b.WriteString(`<div class="scroll" tabindex="0" role="group" aria-labelledby="h-text">`)
		w.in(n, "table", "")
		w.b.WriteString("</div>\n")
	case *extast.TableHeader:
		w.b.WriteString("<thead>")
		w.in(n, "tr", "")
		w.b.WriteString("</thead>")
	case *extast.TableRow:
		w.in(n, "tr", "")
	case *extast.TableCell:
		if _, head := n.Parent().(*extast.TableHeader); head {
			w.in(n, "th", "")
		} else {
			w.in(n, "td", "")
		}
	case *ast.Text:
		w.run(n.Segment.Start, n.Segment.Stop, !n.IsRaw())
		if n.SoftLineBreak() || n.HardLineBreak() {
			if end := bytes.IndexByte(w.source[n.Segment.Stop:], '\n'); end >= 0 {
				w.run(n.Segment.Stop+end, n.Segment.Stop+end+1, false)
			}
		}
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			w.run(n.Segments.At(i).Start, n.Segments.At(i).Stop, false)
		}
	case *ast.AutoLink:
		label := n.Label(w.source)
		start := cap(w.source) - cap(label)
		w.run(start, start+len(label), false)
	case *ast.CodeSpan:
		w.in(n, "code", "")
	case *ast.Emphasis:
		w.in(n, map[bool]string{true: "strong", false: "em"}[n.Level > 1], "")
	case *ast.Link:
		if href := sanitize.Link(string(n.Destination)); href != "" {
			w.in(n, "a", ` rel="noreferrer noopener nofollow" href="`+template.HTMLEscapeString(href)+`"`)
		} else {
			w.children(n)
		}
	default:
		w.children(n)
	}
}

// paragraph writes a paragraph. Texts of web pages and documents are stored without Markdown: their headings are short
// lines, and their tables lines with bars.
func (w *textWriter) paragraph(n *ast.Paragraph) {
	lines := n.Lines()
	if columns := w.columns(lines); columns > 1 {
		w.table(lines)
		return
	}
	if _, top := n.Parent().(*ast.Document); top && lines.Len() == 1 && n.NextSibling() != nil && looksLikeHeading(string(w.line(lines, 0))) {
		w.in(n, "p", ` class="heading"`)
		return
	}
	w.in(n, "p", "")
}

// maxHeadingChars is the length of the longest line that is shown as a heading (chosen).
const maxHeadingChars = 90

// looksLikeHeading reports whether a line is short and ends without punctuation.
func looksLikeHeading(line string) bool {
	line = strings.TrimSpace(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	return utf8.RuneCountInString(line) <= maxHeadingChars && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

const bar = " | "

func (w *textWriter) line(lines *text.Segments, i int) []byte {
	return w.source[lines.At(i).Start:lines.At(i).Stop]
}

// columns returns the number of columns if each of at least two lines has the same.
func (w *textWriter) columns(lines *text.Segments) int {
	columns := 0
	for i := range lines.Len() {
		n := bytes.Count(w.line(lines, i), []byte(bar)) + 1
		if i > 0 && n != columns {
			return 0
		}
		columns = n
	}
	if lines.Len() < 2 {
		return 0
	}
	return columns
}

// table writes lines with bars. The first has the heads.
func (w *textWriter) table(lines *text.Segments) {
	w.b.WriteString(`<div class="scroll" tabindex="0" role="group" aria-labelledby="h-text"><table>`)
	for i := range lines.Len() {
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		w.b.WriteString("<tr>")
		at := lines.At(i).Start
		for part := range bytes.SplitSeq(w.line(lines, i), []byte(bar)) {
			fmt.Fprintf(&w.b, "<%s>", cell)
			w.run(at, at+len(bytes.TrimRight(part, "\n")), true)
			fmt.Fprintf(&w.b, "</%s>", cell)
			at += len(part) + len(bar)
		}
		w.b.WriteString("</tr>\n")
	}
	w.b.WriteString("</table></div>\n")
}

// level returns the level of a heading on the page, whose own headings end at 2. It skips none.
func (w *textWriter) level(own int) int {
	for len(w.levels) > 0 && w.levels[len(w.levels)-1] >= own {
		w.levels = w.levels[:len(w.levels)-1]
	}
	w.levels = append(w.levels, own)
	return min(6, 2+len(w.levels))
}

func (w *textWriter) lines(n ast.Node, open, end string) {
	w.b.WriteString(open)
	for i := range n.Lines().Len() {
		w.run(n.Lines().At(i).Start, n.Lines().At(i).Stop, false)
	}
	w.b.WriteString(end)
}

// anchors writes the anchors of the pieces that begin before a byte and were not written, and those of the lines that begin
// there. The last of these lines has its number: the others have no text of their own.
func (w *textWriter) anchors(before int) {
	line := 0
	id := func(name string) string {
		if w.quoted {
			return ""
		}
		return ` id="` + template.HTMLEscapeString(name) + `"`
	}
	for ; w.begun < len(w.pieces) && w.starts[w.begun] < before; w.begun++ {
		for _, name := range w.pieces[w.begun].Begins {
			fmt.Fprintf(&w.b, `<span class="anchor"%s></span>`, id(name))
		}
		if p := w.pieces[w.begun]; p.Line > 0 && strings.TrimSpace(p.Text) != "" {
			if line > 0 {
				fmt.Fprintf(&w.b, `<span class="anchor"%s></span>`, id(fmt.Sprintf("L%d", line)))
			}
			line = p.Line
		}
	}
	if line > 0 {
		fmt.Fprintf(&w.b, `<span class="line"%s data-n="%d"></span>`, id(fmt.Sprintf("L%d", line)), line)
	}
}

// run writes the bytes from start to stop with their marks. In prose, escapes and entities are resolved.
func (w *textWriter) run(start, stop int, prose bool) {
	for start < stop {
		w.anchors(start + 1)
		at, found := slices.BinarySearch(w.starts, start)
		if !found {
			at--
		}
		end := stop
		if at+1 < len(w.starts) {
			end = min(stop, w.starts[at+1])
		}
		shown := w.source[start:end]
		if prose && bytes.ContainsAny(shown, `\&`) {
			shown = []byte(html.UnescapeString(string(util.UnescapePunctuations(shown))))
		}
		w.piece(w.pieces[at], template.HTMLEscapeString(string(shown)))
		start = end
	}
}

func (w *textWriter) piece(p piece, escaped string) {
	unseen := ""
	if p.Unseen {
		unseen = " unseen"
	}
	switch {
	case len(p.Marks) > 0:
		class := ""
		if p.Status != "" {
			class = drawing.VerdictOf(p.Status).Class
		}
		if len(p.Kinds) > 0 {
			class += " " + strings.Join(p.Kinds, " ")
		}
		fmt.Fprintf(&w.b, `<mark class="%s%s" data-marks="%s">%s</mark>`, class, unseen, template.HTMLEscapeString(strings.Join(p.Marks, " ")), escaped)
	case p.Unseen:
		fmt.Fprintf(&w.b, `<span class="unseen">%s</span>`, escaped)
	default:
		w.b.WriteString(escaped)
	}
}
