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

// title takes the heading at the start out of the tree and returns its words, or "".
func (p parsed) title() string {
	h, ok := p.Tree.FirstChild().(*ast.Heading)
	if !ok || h.Level != 1 {
		return ""
	}
	var b strings.Builder
	_ = ast.Walk(h, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(p.Source))
		}
		return ast.WalkContinue, nil
	})
	p.Tree.RemoveChild(p.Tree, h)
	return sanitize.Short(b.String(), 2*titleChars)
}

// textWriter writes a text as HTML: goldmark's renderers, and those of the nodes that carry sentences and citations. Raw HTML is
// left out, links lead to the web only, and images are links.
type textWriter struct {
	*view
	parsed
	to    Links
	given map[int]bool
}

// textHTML writes the text of the view's document, with headings from a level down.
func (v *view) textHTML(p parsed, to Links, base int) (template.HTML, error) {
	w := &textWriter{view: v, parsed: p, to: to, given: map[int]bool{}}
	harmless(p.Tree, p.Source, base)
	plain := html.NewRenderer(html.WithWriter(visible{html.DefaultWriter}))
	r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(w, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(plain, 1000)))
	var b bytes.Buffer
	err := r.Render(&b, p.Source, p.Tree)
	return template.HTML(b.String()), err //nolint:gosec // goldmark escapes
}

// harmless prepares a tree for a page: headings go down from a level, one at a time; links lead to the web only and images are links;
// a table can be reached with the keyboard, because it scrolls.
func harmless(tree ast.Node, source []byte, base int) {
	deep, highest := base-1, 6
	var headings []*ast.Heading
	var links []ast.Node
	_ = ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := node.(type) {
		case *ast.Heading:
			if entering {
				headings, highest = append(headings, n), min(highest, n.Level)
			}
		case *ast.Link, *ast.Image, *ast.AutoLink:
			if entering {
				links = append(links, n)
			}
		case *extast.Table:
			n.SetAttributeString("tabindex", []byte("0"))
		}
		return ast.WalkContinue, nil
	})
	for _, h := range headings {
		deep = max(base, min(h.Level+base-highest, deep+1, 6))
		h.Level = deep
		h.SetAttributeString("dir", []byte("auto"))
	}
	for _, n := range links {
		var address string
		with := ast.NewLink()
		switch n := n.(type) {
		case *ast.Link:
			address = string(n.Destination)
		case *ast.Image:
			address = string(n.Destination)
		case *ast.AutoLink:
			address = string(n.URL(source))
			with.AppendChild(with, ast.NewString([]byte(sanitize.Line(string(n.Label(source))))))
		}
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			with.AppendChild(with, c)
		}
		parent := n.Parent()
		if address = sanitize.Link(address); address == "" {
			for c := with.FirstChild(); c != nil; c = with.FirstChild() {
				parent.InsertBefore(parent, n, c)
			}
			parent.RemoveChild(parent, n)
			continue
		}
		with.Destination = []byte(address)
		with.SetAttributeString("rel", []byte("noreferrer noopener nofollow"))
		parent.ReplaceChild(parent, n, with)
	}
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
	r.Register(ast.KindText, w.text)
	r.Register(draft.KindCitation, w.citation)
	r.Register(ast.KindHTMLBlock, nothing)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(extast.KindFootnoteList, element("section", "notes"))
	r.Register(extast.KindFootnote, w.footnote)
}

func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func element(tag, class string) renderer.NodeRendererFunc {
	return func(b util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			fmt.Fprintf(b, "<%s class=\"%s\">\n", tag, class)
		} else {
			fmt.Fprintf(b, "</%s>\n", tag)
		}
		return ast.WalkContinue, nil
	}
}

// text writes a text; the parts of it that belong to a sentence are elements with its state.
func (w *textWriter) text(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.Text)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	out := visible{html.DefaultWriter}
	write := out.Write
	if n.IsRaw() {
		write = out.RawWrite
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
			write(b, source[at+len(said):end])
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
	return fmt.Sprintf(` id="%ss%d"`, w.Prefix, sentence+1)
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
	for _, at := range w.cites[m.Start] {
		if to, ok := w.cite(at, sentence, w.to); ok {
			parts = append(parts, fmt.Sprintf(`<a class="cite" href="%s">%s</a>`, template.HTMLEscapeString(to.Href),
				template.HTMLEscapeString(to.Label)))
		} else if label := sanitize.Line(at.Label); label != "" {
			parts = append(parts, `<span class="cite nowhere">`+template.HTMLEscapeString(label)+`</span>`)
		}
	}
	if len(parts) == 0 {
		written := string(source[w.bytes[m.Start]:w.bytes[m.End]])
		if name, _, found := strings.Cut(strings.TrimPrefix(written, "["), "]("); found {
			written = name
		}
		class, known := "cite nowhere", len(w.Document.Sentences) == 0 || sentence < 0
		if known {
			class = "cite"
		}
		parts = []string{fmt.Sprintf(`<span class="%s">%s</span>`, class,
			template.HTMLEscapeString(sanitize.Short(strings.Trim(written, "[]【】"), 80)))}
	}
	open, shut := "[", "]"
	if strings.HasPrefix(m.Raw, "(") {
		open, shut = "(", ")"
	}
	b.WriteString(`<span class="cites">` + open + strings.Join(parts, ", ") + shut + `</span>`)
}

// state writes the state of a sentence behind it: the sign of a supported one, and the word of any other.
func (w *textWriter) state(b util.BufWriter, sentence int) {
	v, href := w.at[sentence].Verdict(), ""
	if w.at[sentence] != Own {
		href = w.to.Proof(sentence)
	}
	anchor := w.anchor(sentence)
	word := template.HTMLEscapeString(w.t(v.Word))
	shown := fmt.Sprintf(`<span aria-hidden="true">%s</span> %s`, v.Sign, word)
	switch {
	case !w.worded(sentence):
		shown = fmt.Sprintf(`<span aria-hidden="true" title="%s">%s</span><span class="away">%s</span>`, word, v.Sign, word)
	}
	if href == "" {
		fmt.Fprintf(b, `<span class="verdict %s"%s>%s</span>`, v.Class, anchor, shown)
		return
	}
	fmt.Fprintf(b, `<a class="verdict %s"%s href="%s">%s</a>`, v.Class, anchor, template.HTMLEscapeString(href), shown)
}

func (w *textWriter) footnote(b util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if n, ok := node.(*extast.Footnote); ok && entering {
		fmt.Fprintf(b, `<div class="note"><span class="label">%s</span> `, template.HTMLEscapeString(sanitize.Short(string(n.Ref), 80)))
	} else {
		b.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}

// rest writes the sentences that the text does not have, or all claims of a document without a text, as a list.
func (v *view) rest(to Links) template.HTML {
	var b strings.Builder
	for i, s := range v.Sentences {
		if v.inText[i] {
			continue
		}
		v.inText[i] = true
		look, cites := v.at[i].Verdict(), []string{}
		for _, m := range s.markers() {
			if c, ok := v.cite(m, i, to); ok {
				cites = append(cites, fmt.Sprintf(`<a class="cite" href="%s">%s</a>`, template.HTMLEscapeString(c.Href),
					template.HTMLEscapeString(c.Label)))
			}
		}
		fmt.Fprintf(&b, `<li dir="auto"><span class="s %s" id="%ss%d">%s</span>`, look.Class, v.Prefix, i+1,
			template.HTMLEscapeString(sanitize.Short(s.Text, saidChars)))
		if len(cites) > 0 {
			b.WriteString(` <span class="cites">[` + strings.Join(cites, ", ") + `]</span>`)
		}
		fmt.Fprintf(&b, " <a class=\"verdict %s\" href=\"%s\"><span aria-hidden=\"true\">%s</span> %s</a></li>\n",
			look.Class, template.HTMLEscapeString(to.Proof(i)), look.Sign, template.HTMLEscapeString(v.t(look.Word)))
	}
	if b.Len() == 0 {
		return ""
	}
	return template.HTML("<ol class=\"claims\">\n" + b.String() + "</ol>\n") //nolint:gosec // escaped above
}

// markers returns the citations of a sentence; of one without a place in a text, those of its evidence.
func (s Sentence) markers() []MarkerAt {
	out := slices.Clone(s.Markers)
	for _, r := range s.Receipts {
		if !slices.ContainsFunc(out, func(m MarkerAt) bool { return m.SourceID == r.SourceID }) {
			out = append(out, MarkerAt{SourceID: r.SourceID})
		}
	}
	return out
}
