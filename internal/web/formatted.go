package web

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/markup"
)

// textWriter writes a stored text, which is Markdown, as HTML: its headings, lists, tables and code as such, and its marks
// at their places.
type textWriter struct {
	markup.Writer
	pieces []piece
	starts []int // of the pieces, in bytes
	begun  int   // pieces whose anchors are written
	quoted bool  // a passage among others: its anchors have no ids
}

const scrolling = `aria-labelledby="h-text"`

// formatted returns the pieces of a text as HTML. If it is quoted beside other texts, nothing can link into it.
func formatted(pieces []piece, quoted bool) (out template.HTML) {
	w := &textWriter{pieces: pieces, quoted: quoted}
	for _, p := range pieces {
		w.starts = append(w.starts, len(w.Source))
		w.Source = append(w.Source, p.Text...)
	}
	w.Top, w.Table, w.Special = 3, scrolling, w.paragraph
	w.Text = func(p markup.Piece) { w.run(p.Start, p.Stop, p.Kind == markup.Prose) }
	w.Newline = func(at int) { // within a mark it belongs to it
		if end := bytes.IndexByte(w.Source[at:], '\n'); end >= 0 {
			w.run(at+end, at+end+1, false)
		}
	}
	defer func() {
		if recover() != nil { // a bug of the parser must not hide the text
			out = w.unformatted()
		}
	}()
	if markup.NestsTooDeep(w.Source) {
		return w.unformatted()
	}
	// Without the transformer for definitions of links, which would hide them.
	md := goldmark.New(goldmark.WithParser(parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithInlineParsers(parser.DefaultInlineParsers()...))), goldmark.WithExtensions(extension.Table))
	w.HTML(md.Parser().Parse(text.NewReader(w.Source)))
	w.anchors(len(w.Source) + 1)
	return template.HTML(w.HTML(nil)) //nolint:gosec // markup escapes
}

// unformatted returns the text as it is stored.
func (w *textWriter) unformatted() template.HTML {
	plain := &textWriter{Writer: markup.Writer{Source: w.Source}, pieces: w.pieces, starts: w.starts, quoted: w.quoted}
	plain.Block(`<div class="verbatim">`, `</div>`, func() { plain.run(0, len(plain.Source), false) })
	return template.HTML(plain.HTML(nil)) //nolint:gosec // markup escapes
}

// paragraph writes what a text of a web page or a document has without Markdown: headings are short lines, and tables lines
// with bars.
func (w *textWriter) paragraph(n ast.Node) bool {
	if n.Kind() != ast.KindParagraph {
		return false
	}
	lines := n.Lines()
	if w.columns(lines) > 1 {
		w.table(lines)
		return true
	}
	_, top := n.Parent().(*ast.Document)
	if heading := top && lines.Len() == 1 && n.NextSibling() != nil && looksLikeHeading(string(w.line(lines, 0))); !heading {
		return false
	}
	w.Block(`<p class="heading" dir="auto">`, "</p>\n", func() { w.Children(n) })
	return true
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
	return w.Source[lines.At(i).Start:lines.At(i).Stop]
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
	w.Block(`<div class="scroll" tabindex="0" role="group" `+scrolling+`><table>`, "</table></div>\n", func() {
		for i := range lines.Len() {
			cell := "td"
			if i == 0 {
				cell = "th"
			}
			w.Block("<tr>", "</tr>\n", func() {
				at := lines.At(i).Start
				for part := range bytes.SplitSeq(w.line(lines, i), []byte(bar)) {
					w.Block("<"+cell+">", "</"+cell+">", func() { w.run(at, at+len(bytes.TrimRight(part, "\n")), true) })
					at += len(part) + len(bar)
				}
			})
		}
	})
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
			w.putf(`<span class="anchor"%s></span>`, id(name))
		}
		if p := w.pieces[w.begun]; p.Line > 0 && strings.TrimSpace(p.Text) != "" {
			if line > 0 {
				w.putf(`<span class="anchor"%s></span>`, id(fmt.Sprintf("L%d", line)))
			}
			line = p.Line
		}
	}
	if line > 0 {
		w.putf(`<span class="line"%s data-n="%d"></span>`, id(fmt.Sprintf("L%d", line)), line)
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
		var shown strings.Builder
		if prose {
			markup.WriteText(&shown, markup.Resolved(string(w.Source[start:end])))
		} else {
			markup.WriteText(&shown, string(w.Source[start:end]))
		}
		w.piece(w.pieces[at], shown.String())
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
		w.putf(`<mark class="%s%s" data-marks="%s">%s</mark>`, class, unseen, template.HTMLEscapeString(strings.Join(p.Marks, " ")), escaped)
	case p.Unseen:
		w.putf(`<span class="unseen">%s</span>`, escaped)
	default:
		w.Put(markup.None, escaped, false)
	}
}

func (w *textWriter) putf(format string, args ...any) {
	w.Put(markup.None, fmt.Sprintf(format, args...), false)
}
