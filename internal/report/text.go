package report

import (
	"bytes"
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
	spans   []span             // of the document's sentences, by their starts
	indexes map[int]int        // index in Draft.Sentences -> in Document.Sentences
	cites   map[int][]MarkerAt // the document's citations by their starts, in code points
	last    map[int]*draft.Citation
	bytes   []int // byte offset of each code point of the text, and of its end
}

// span is where a sentence is in the text, in bytes.
type span struct{ start, end, sentence int }

// parse takes the text of a document apart. Sentences that are not where the document says are left out: it may have been edited.
func parse(d Document) parsed {
	p := parsed{Draft: draft.Parse(d.Text), indexes: map[int]int{}, cites: map[int][]MarkerAt{}, last: map[int]*draft.Citation{}}
	for i := range string(p.Source) {
		p.bytes = append(p.bytes, i)
	}
	p.bytes = append(p.bytes, len(p.Source))
	starts := map[int]int{}
	for i, s := range d.Sentences {
		if s.End <= s.Start || s.Start < 0 || s.End >= len(p.bytes) {
			continue
		}
		if first, ok := starts[s.Start]; !ok || d.Sentences[first].Status == "own" {
			starts[s.Start] = i
		}
		for _, m := range s.Markers {
			if !slices.Contains(p.cites[m.Start], m) {
				p.cites[m.Start] = append(p.cites[m.Start], m)
			}
		}
	}
	for i, s := range p.Sentences {
		if at, ok := starts[s.Start]; ok && s.End < len(p.bytes) {
			p.indexes[i] = at
			p.spans = append(p.spans, span{p.bytes[s.Start], p.bytes[s.End], at})
		}
	}
	slices.SortFunc(p.spans, func(a, b span) int { return a.start - b.start })
	_ = ast.Walk(p.Tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if c, ok := n.(*draft.Citation); ok && entering {
			if at, ok := p.indexes[c.Sentence]; ok {
				p.last[at] = c
			}
		}
		return ast.WalkContinue, nil
	})
	return p
}

// sentence returns the sentence of the document that a citation is in, or -1.
func (p parsed) sentence(c *draft.Citation) int {
	if at, ok := p.indexes[c.Sentence]; ok {
		return at
	}
	return -1
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
	end := h.Lines().At(h.Lines().Len() - 1).Stop
	_, rest, _ := bytes.Cut(p.Source[end:], []byte("\n"))
	if underline, after, _ := bytes.Cut(rest, []byte("\n")); len(underline) > 0 && len(bytes.Trim(underline, "= \r")) == 0 {
		rest = after
	}
	return sanitize.Short(b.String(), 2*titleChars), len(p.Source) - len(rest)
}

// textWriter writes a text as HTML: goldmark's renderers, and those of the nodes that carry sentences and citations. Raw HTML is
// left out, links lead to the web only, images are links, and headings go down from a level, one at a time.
type textWriter struct {
	*view
	parsed
	to             Links
	given          map[int]bool // sentences with an anchor
	base, up, deep int          // levels: of the first heading, of the page's above the text's, and of the last heading
}

// textHTML writes the text of the view's document, with headings from a level down.
func (v *view) textHTML(p parsed, to Links, base int) (template.HTML, error) {
	w := &textWriter{view: v, parsed: p, to: to, given: map[int]bool{}, base: base}
	plain := html.NewRenderer(html.WithWriter(visible{html.DefaultWriter}))
	r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(w, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(plain, 1000)))
	var b bytes.Buffer
	err := r.Render(&b, p.Source, p.Tree)
	return template.HTML(b.String()), err //nolint:gosec // goldmark escapes
}

// visible writes texts without the characters that no reader sees.
type visible struct{ html.Writer }

func (v visible) Write(w util.BufWriter, source []byte) {
	v.Writer.Write(w, []byte(sanitize.Visible(string(source))))
}

func (v visible) RawWrite(w util.BufWriter, source []byte) {
	v.Writer.RawWrite(w, []byte(sanitize.Visible(string(source))))
}

// RegisterFuncs implements renderer.NodeRenderer.
func (w *textWriter) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkSkipChildren, nil }
	r.Register(ast.KindHTMLBlock, nothing)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(ast.KindText, w.text)
	r.Register(draft.KindCitation, w.citation)
	r.Register(ast.KindLink, w.link)
	r.Register(ast.KindImage, w.link)
	r.Register(ast.KindAutoLink, w.link)
	for _, kind := range []ast.NodeKind{ast.KindHeading, extast.KindTable, extast.KindFootnoteList, extast.KindFootnote} {
		r.Register(kind, w.block)
	}
}

// block writes what is around a heading, a table, a footnote or their list. A table can be reached with the keyboard, as it scrolls.
func (w *textWriter) block(b util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, begin := "div", ""
	switch n := node.(type) {
	case *ast.Heading:
		if w.deep == 0 {
			w.up, w.deep = w.base-n.Level, w.base-1
		}
		if entering {
			w.deep = max(w.base, min(n.Level+w.up, w.deep+1, 6))
		}
		tag, begin = fmt.Sprintf("h%d", w.deep), ` dir="auto">`
	case *extast.Table:
		tag, begin = "table", " tabindex=\"0\">\n"
	case *extast.FootnoteList:
		tag, begin = "section", " class=\"notes\">\n"
	case *extast.Footnote:
		begin = ` class="note"><span class="label">` + template.HTMLEscapeString(sanitize.Short(string(n.Ref), labelChars)) + "</span> "
	}
	if entering {
		b.WriteString("<" + tag + begin)
	} else {
		b.WriteString("</" + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

// link writes a link to the web; the words of any other are kept.
func (w *textWriter) link(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	var address, label string
	switch n := node.(type) {
	case *ast.Link:
		address = string(n.Destination)
	case *ast.Image:
		address = string(n.Destination)
	case *ast.AutoLink:
		address, label = string(n.URL(source)), string(n.Label(source))
	}
	address = sanitize.Link(address)
	if entering && address != "" {
		fmt.Fprintf(b, `<a href="%s" rel="noreferrer noopener nofollow">`, template.HTMLEscapeString(address))
	}
	if entering {
		b.WriteString(template.HTMLEscapeString(sanitize.Line(label)))
	} else if address != "" {
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
	write := visible{html.DefaultWriter}.Write
	if n.IsRaw() {
		write = visible{html.DefaultWriter}.RawWrite
	}
	at, stop := n.Segment.Start, n.Segment.Stop
	i, _ := slices.BinarySearchFunc(w.spans, at, func(s span, at int) int { return s.start - at })
	for i = max(0, i-1); at < stop; i++ {
		if i >= len(w.spans) || w.spans[i].start >= stop {
			write(b, source[at:stop])
			break
		}
		s := w.spans[i]
		if s.end <= at {
			continue
		}
		if s.start > at {
			write(b, source[at:s.start])
			at = s.start
		}
		end := min(s.end, stop)
		said := bytes.TrimRight(source[at:end], " \n") // no underlined space before a citation
		if bytes.ContainsFunc(said, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			fmt.Fprintf(b, `<span class="s %s"%s>`, w.at[s.sentence].Verdict().Class, w.anchor(s.sentence))
			write(b, said)
			b.WriteString("</span>")
			if rest := source[at+len(said) : end]; w.at[s.sentence] == Own && string(rest) == " " {
				b.WriteString("&nbsp;") // its state stays on this line
			} else {
				write(b, rest)
			}
		} else {
			write(b, source[at:end])
		}
		at = end
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
	if w.given[sentence] {
		return ""
	}
	w.given[sentence], w.inText[sentence] = true, true
	return fmt.Sprintf(` id="s%d"`, sentence+1)
}

// citation writes what a place in the text cites, and behind the last one of a sentence its state.
func (w *textWriter) citation(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	c, ok := node.(*draft.Citation)
	if !entering || !ok {
		return ast.WalkSkipChildren, nil
	}
	sentence := w.sentence(c)
	done := map[int]bool{}
	for _, m := range c.Markers {
		if done[m.Start] {
			continue
		}
		done[m.Start] = true
		if sentence < 0 || w.at[sentence] != Own || len(w.cites[m.Start]) > 0 { // [inference] is no citation: its state says it
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
	nowhere := func(class, label string) {
		if label = sanitize.Short(label, labelChars); label != "" {
			parts = append(parts, `<span class="`+class+`">`+template.HTMLEscapeString(label)+`</span>`)
		}
	}
	for _, at := range w.cites[m.Start] {
		if to, ok := w.cite(at, sentence, w.to); ok {
			parts = append(parts, fmt.Sprintf(`<a class="cite" href="%s">%s</a>`, template.HTMLEscapeString(to.Href),
				template.HTMLEscapeString(to.Label)))
		} else {
			nowhere("cite nowhere", at.Label)
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
		nowhere(class, strings.Trim(written, "[]【】"))
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
	named := map[string]bool{}
	for _, r := range v.Sentences[sentence].Receipts {
		named[r.SourceID] = true
	}
	return v.at[sentence] != Supported && (v.at[sentence] != OneOrigin || len(named) > 1)
}

// state writes the state of a sentence behind it: the sign of a supported one, and the word of any other.
func (w *textWriter) state(b util.BufWriter, sentence int) {
	v, tag, href := w.at[sentence].Verdict(), "span", ""
	if w.at[sentence] != Own {
		tag, href = "a", ` href="`+template.HTMLEscapeString(w.to.Proof(sentence))+`"`
	}
	word := template.HTMLEscapeString(w.T(v.Word))
	shown := fmt.Sprintf(`<span aria-hidden="true">%s</span> %s`, v.Sign, word)
	if !w.worded(sentence) {
		shown = fmt.Sprintf(`<span aria-hidden="true" title="%s">%s</span><span class="away">%[1]s</span>`, word, v.Sign)
	}
	fmt.Fprintf(b, `<%[1]s class="verdict %[2]s"%[3]s%[4]s>%[5]s</%[1]s>`, tag, v.Class, w.anchor(sentence), href, shown)
}
