package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// bodyWriter writes a body as HTML, with its citations and verdicts.
type bodyWriter struct {
	body
	markup.Writer
	cite  *citer
	named map[int]bool // spans that have an id
	done  map[int]bool // spans with a verdict
}

// bodyHTML writes the text with headings of the level top and below. A heading of the first level at the start becomes the title. missed are the sentences without
// a verdict in the text, by index.
func bodyHTML(b body, c *citer, top int) (title, text string, missed []int) {
	w := &bodyWriter{body: b, cite: c, named: make(map[int]bool), done: make(map[int]bool)}
	w.Writer = markup.Writer{Source: b.source, Top: top, Table: `aria-label="` + c.hidden("Table") + `"`, Image: c.words.T("Image: "), Text: w.text, Href: w.href, Span: w.span, After: w.verdict}
	first := b.root.FirstChild()
	if h, ok := first.(*ast.Heading); ok && h.Level == 1 && h.HasChildren() {
		title = w.Inline(h)
		first = first.NextSibling()
	}
	text = w.HTML(first)
	missed = slices.Clone(b.unplaced)
	for k, s := range b.spans {
		if !w.done[k] {
			missed = append(missed, s.sentence)
		}
	}
	slices.Sort(missed)
	return title, text, missed
}

// text writes a piece, split where sentences begin and end.
func (w *bodyWriter) text(p markup.Piece) {
	for at := p.Start; at < p.Stop; {
		k, until := w.spanAt(at)
		stop := max(at+1, min(p.Stop, until))
		w.Put(k, w.run(string(w.source[at:stop]), p.Kind), k >= 0 && stop >= w.spans[k].last)
		at = stop
	}
}

// run returns text with its citations.
func (w *bodyWriter) run(s string, kind markup.Kind) string {
	if kind == markup.Break {
		return "<br>"
	}
	var b strings.Builder
	plain := func(s string) {
		if kind == markup.Prose {
			s = markup.Resolved(s)
		}
		markup.WriteText(&b, s)
	}
	for {
		m := placeholder.FindStringSubmatchIndex(s)
		if m == nil {
			plain(s)
			return b.String()
		}
		plain(s[:m[0]])
		n, err := strconv.Atoi(s[m[4]:m[5]])
		switch {
		case err != nil || n >= len(w.citations):
		case kind != markup.Prose: // in code, what looks like a citation is code
			markup.WriteText(&b, w.citations[n].written)
		default:
			for _, c := range w.citations[n].sources {
				w.cite.cite(&b, w.citations[n].sentence, c, w.InLink())
			}
		}
		s = s[m[1]:]
	}
}

// href returns the address of a link, or "" if the link contains a citation, which is a link itself.
func (w *bodyWriter) href(n ast.Node, destination string) string {
	for _, p := range markup.Pieces(n, w.source) {
		if placeholder.Match(w.source[p.Start:p.Stop]) {
			return ""
		}
	}
	return sanitize.Link(w.written(markup.Resolved(destination)))
}

// span returns the tag of a sentence. The first has its id.
func (w *bodyWriter) span(k int) string {
	s := w.spans[k].sentence
	id := ""
	if !w.named[k] {
		w.named[k] = true
		id = fmt.Sprintf(` id="s%d"`, s+1)
	}
	return fmt.Sprintf(`<span class="s %s"%s>`, drawing.VerdictOf(w.cite.Sentences[s].Status).Class, id)
}

// verdict returns what follows a sentence.
func (w *bodyWriter) verdict(k int) string {
	if w.done[k] { // tables may show their text out of order
		return ""
	}
	w.done[k] = true
	var b strings.Builder
	w.cite.tail(&b, w.spans[k].sentence)
	return b.String()
}
