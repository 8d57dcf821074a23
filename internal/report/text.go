package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
)

// parsed is the text of a document, taken apart, with where its sentences and citations are.
type parsed struct {
	draft.Draft
	spans   []span            // of the document's sentences, by their starts
	indexes map[int]int       // index in Draft.Sentences -> in Document.Sentences
	cites   map[int][]mention // the document's citations by their starts, in code points
	bytes   []int             // byte offset of each code point of the text, and of its end
}

// span is a stretch of the text, in bytes, and the sentence that it belongs to; -1 for none.
type span struct{ start, end, sentence int }

// mention is a citation of a sentence.
type mention struct {
	MarkerAt
	sentence int
}

// parse takes the text of a document apart. Sentences that are not where the document says are left out: it may have been edited.
func parse(d Document) parsed {
	p := parsed{Draft: draft.Parse(d.Text), indexes: map[int]int{}, cites: map[int][]mention{}}
	for i := range string(p.Source) {
		p.bytes = append(p.bytes, i)
	}
	p.bytes = append(p.bytes, len(p.Source))
	starts := map[int]int{}
	for i, s := range d.Sentences {
		if s.End <= s.Start || s.Start < 0 || s.End >= len(p.bytes) {
			continue
		}
		if first, ok := starts[s.Start]; !ok || d.Sentences[first].Status == own {
			starts[s.Start] = i
		}
		for _, m := range s.Markers {
			if !slices.ContainsFunc(p.cites[m.Start], func(other mention) bool { return other.MarkerAt == m }) {
				p.cites[m.Start] = append(p.cites[m.Start], mention{m, i})
			}
		}
	}
	for i, s := range p.Sentences {
		if at, ok := starts[s.Start]; ok && s.End < len(p.bytes) {
			p.indexes[i] = at
			p.spans = append(p.spans, span{p.bytes[s.Start], p.bytes[s.End], at})
		}
	}
	slices.SortFunc(p.spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return p
}

// sentence returns the sentence of the document that a citation is in, or -1.
func (p parsed) sentence(c *draft.Citation) int {
	if at, ok := p.indexes[c.Sentence]; ok {
		return at
	}
	return -1
}

// parts cuts a stretch of the text, in bytes, at the edges of sentences.
func (p parsed) parts(at, stop int) (out []span) {
	i, _ := slices.BinarySearchFunc(p.spans, at, func(s span, at int) int { return cmp.Compare(s.end, at+1) })
	for ; at < stop; i++ {
		next := span{stop, stop, -1}
		if i < len(p.spans) {
			next = p.spans[i]
		}
		for _, s := range []span{{at, min(next.start, stop), -1}, {max(at, next.start), min(next.end, stop), next.sentence}} {
			if s.start < s.end {
				out = append(out, s)
				at = s.end
			}
		}
	}
	return out
}

// title takes the heading at the start out of the tree and returns its words, or "", and where the text goes on, in bytes.
func (p parsed) title() (title string, from int) {
	h, ok := p.Tree.FirstChild().(*ast.Heading)
	if !ok || h.Level != 1 || h.Lines().Len() == 0 {
		return "", 0
	}
	var b strings.Builder
	_ = ast.Walk(h, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(p.Source))
		}
		return ast.WalkContinue, nil
	})
	p.Tree.RemoveChild(p.Tree, h)
	_, rest, _ := bytes.Cut(p.Source[h.Lines().At(h.Lines().Len()-1).Stop:], []byte("\n"))
	return sanitize.Short(b.String(), 2*titleChars), len(p.Source) - len(bytes.TrimLeft(rest, "=")) // they underline it
}

// addressOf returns where a link, an image or an address in the text leads to; "" for any other node.
func addressOf(node ast.Node, source []byte) string {
	switch n := node.(type) {
	case *ast.Link:
		return string(n.Destination)
	case *ast.Image:
		return string(n.Destination)
	case *ast.AutoLink:
		return string(n.URL(source))
	}
	return ""
}

// textWriter writes a text as HTML: goldmark's renderers, and those of the nodes that carry sentences and citations. Raw HTML is
// left out, links lead to the web only, images are links, and headings go down from a level, one at a time.
type textWriter struct {
	*view
	parsed
	last map[int]*draft.Citation // of each sentence
}

// textHTML writes the text of the view's document, with headings from a level down, and returns its title, or "".
func (v *view) textHTML(base int) (title string, text template.HTML, err error) {
	w := &textWriter{view: v, parsed: parse(v.Document), last: map[int]*draft.Citation{}}
	title, _ = w.title()
	w.prepare(base)
	r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(w, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(html.NewRenderer(), 1000)))
	var b bytes.Buffer
	err = r.Render(&b, w.Source, w.Tree)
	return title, template.HTML(sanitize.Visible(b.String())), err //nolint:gosec // goldmark escapes
}

// prepare finds the last citation of each sentence, and sets the levels of headings. A table can be reached with the keyboard, as it
// scrolls.
func (w *textWriter) prepare(base int) {
	up, deep := 0, 0 // levels: of the page's headings above the text's, and of the last heading
	_ = ast.Walk(w.Tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *draft.Citation:
			w.last[w.sentence(n)] = n
		case *extast.Table:
			n.SetAttributeString("tabindex", []byte("0"))
		case *ast.Heading:
			if deep == 0 {
				up, deep = base-n.Level, base-1
			}
			deep = max(base, min(n.Level+up, deep+1, 6))
			n.Level = deep
			n.SetAttributeString("dir", []byte("auto"))
		}
		return ast.WalkContinue, nil
	})
}

// RegisterFuncs implements renderer.NodeRenderer.
func (w *textWriter) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindText, w.text)
	r.Register(draft.KindCitation, w.citation)
	r.Register(ast.KindLink, w.link)
	r.Register(ast.KindImage, w.link)
	r.Register(ast.KindAutoLink, w.link)
	r.Register(extast.KindFootnoteList, w.note)
	r.Register(extast.KindFootnote, w.note)
}

// note writes what is around a footnote or their list.
func (w *textWriter) note(b util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	begin, end := "<section class=\"notes\">\n", "</section>\n"
	if n, ok := node.(*extast.Footnote); ok {
		begin, end = `<div class="note">`+element("label", sanitize.Short(string(n.Ref), labelChars))+" ", "</div>\n"
	}
	if entering {
		end = begin
	}
	b.WriteString(end)
	return ast.WalkContinue, nil
}

// element writes a text as an element of a class.
func element(class, text string) string {
	return `<span class="` + class + `">` + template.HTMLEscapeString(text) + `</span>`
}

// link writes a link to the web; the words of any other are kept.
func (w *textWriter) link(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	address := sanitize.Link(addressOf(node, source))
	if entering && address != "" {
		fmt.Fprintf(b, `<a href="%s" rel="noreferrer noopener nofollow">`, template.HTMLEscapeString(address))
	}
	if n, ok := node.(*ast.AutoLink); ok && entering {
		b.WriteString(template.HTMLEscapeString(sanitize.Line(string(n.Label(source)))))
	}
	if !entering && address != "" {
		b.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

// text writes a text; the parts of it that belong to a sentence are elements with its state.
func (w *textWriter) text(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.Text)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	write := html.DefaultWriter.Write
	if n.IsRaw() {
		write = html.DefaultWriter.RawWrite
	}
	for _, part := range w.parts(n.Segment.Start, n.Segment.Stop) {
		all := source[part.start:part.end]
		said := bytes.TrimRight(all, " \n") // no underlined space before a citation
		if part.sentence < 0 || !bytes.ContainsFunc(said, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			write(b, all)
			continue
		}
		fmt.Fprintf(b, `<span class="s %s"%s>`, w.at[part.sentence].Verdict().Class, w.anchor(part.sentence))
		write(b, said)
		b.WriteString("</span>")
		write(b, all[len(said):])
	}
	switch {
	case n.HardLineBreak():
		b.WriteString("<br>\n")
	case n.SoftLineBreak():
		b.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}

// anchor returns the attribute that names a sentence where it is first.
func (w *textWriter) anchor(sentence int) string {
	if w.inText[sentence] {
		return ""
	}
	w.inText[sentence] = true
	return fmt.Sprintf(` id="s%d"`, sentence+1)
}

// citation writes what a place in the text cites, and behind the last one of a sentence its state.
func (w *textWriter) citation(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	c, ok := node.(*draft.Citation)
	if !entering || !ok {
		return ast.WalkSkipChildren, nil
	}
	sentence := w.sentence(c)
	for i, m := range c.Markers {
		repeated := i > 0 && m.Start == c.Markers[i-1].Start
		inference := sentence >= 0 && w.at[sentence] == Own && len(w.cites[m.Start]) == 0 // the state says it
		if !repeated && !inference {
			w.mark(b, source, m, sentence)
		}
	}
	if sentence >= 0 && w.last[sentence] == c {
		w.state(b, sentence)
	}
	return ast.WalkSkipChildren, nil
}

// mark writes one mark of the author's with all that it cites.
func (w *textWriter) mark(b util.BufWriter, source []byte, m draft.Marker, sentence int) {
	var parts []string
	for _, at := range w.cites[m.Start] {
		if to, ok := w.cite(at.MarkerAt, sentence); ok {
			parts = append(parts, fmt.Sprintf(`<a class="cite" href="%s">%s</a>`, template.HTMLEscapeString(to.Href),
				template.HTMLEscapeString(to.Label)))
		} else if label := sanitize.Short(at.Label, labelChars); label != "" {
			parts = append(parts, element("cite nowhere", label))
		}
	}
	if len(parts) == 0 {
		written, class := string(source[w.bytes[m.Start]:w.bytes[m.End]]), "cite nowhere"
		if name, _, found := strings.Cut(strings.TrimPrefix(written, "["), "]("); found {
			written = name
		}
		if sentence < 0 {
			class = "cite"
		}
		parts = []string{element(class, sanitize.Short(strings.Trim(written, "[]【】"), labelChars))}
	}
	open, shut := "[", "]"
	if strings.HasPrefix(m.Raw, "(") {
		open, shut = "(", ")"
	}
	b.WriteString(`<span class="cites">` + open + strings.Join(parts, ", ") + shut + `</span>`)
}

// worded reports whether the text says the state of a sentence in words. One origin needs none where the sentence names one source;
// where it names several, they are copies of each other, which nobody sees.
func (v *view) worded(sentence int) bool {
	at := v.Sentences[sentence].Receipts
	copies := slices.ContainsFunc(at, func(r Receipt) bool { return r.SourceID != at[0].SourceID })
	return v.at[sentence] != Supported && (v.at[sentence] != OneOrigin || copies)
}

// state writes the state of a sentence behind it: the sign of a supported one, and the word of any other.
func (w *textWriter) state(b util.BufWriter, sentence int) {
	v, tag, href := w.at[sentence].Verdict(), "span", ""
	if w.at[sentence] != Own {
		tag, href = "a", ` href="`+proofOf(sentence)+`"`
	}
	word := template.HTMLEscapeString(w.T(v.Word))
	shown := fmt.Sprintf(`<span aria-hidden="true">%s</span> %s`, v.Sign, word)
	if !w.worded(sentence) {
		shown = fmt.Sprintf(`<span aria-hidden="true" title="%s">%s</span><span class="away">%[1]s</span>`, word, v.Sign)
	}
	fmt.Fprintf(b, `<%[1]s class="verdict %[2]s"%[3]s%[4]s>%[5]s</%[1]s>`, tag, v.Class, w.anchor(sentence), href, shown)
}
