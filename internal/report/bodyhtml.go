package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
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
	return fmt.Sprintf(`<span class="s %s"%s>`, style.VerdictOf(w.cite.Sentences[s].Status).Class, id)
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

// citer writes the citations and verdicts of sentences as links. The ids of a report: s1 is a sentence in the text, p1 its
// proof, r1-2 the second receipt of that proof, source-3 the third source of the list.
type citer struct {
	facts
	linked map[[2]int]bool // receipts that have a citation
	to     *Links          // nil: places of the report itself
}

func (c *citer) receiptLink(sentence, j int) string {
	if c.to != nil {
		return c.to.Passage(c.Sentences[sentence].Receipts[j])
	}
	return fmt.Sprintf("#r%d-%d", sentence+1, j+1)
}

func (c *citer) sourceLink(id string, at int) string {
	if c.to != nil {
		return c.to.Source(id)
	}
	return fmt.Sprintf("#source-%d", at+1)
}

func (c *citer) proofLink(sentence int) string {
	if c.to != nil {
		return c.to.Proof(sentence)
	}
	return fmt.Sprintf("#p%d", sentence+1)
}

// receipt returns a receipt of a sentence for a citation: one with its lines, else one that decided for the reader, else one
// without a citation, else any.
func (c *citer) receipt(sentence int, to cited, read []int) int {
	best, rank := -1, 0
	for j, r := range c.Sentences[sentence].Receipts {
		if r.SourceID != to.id {
			continue
		}
		at := 1
		if !c.linked[[2]int{sentence, j}] {
			at = 2
		}
		if slices.Contains(read, j) {
			at += 2
		}
		if overlap(to.lines, r.Lines) {
			at += 4
		}
		if at > rank {
			best, rank = j, at
		}
	}
	return best
}

// overlap reports whether two references share a line.
func overlap(a, b string) bool {
	x, ok := lines.ParseRanges(a)
	y, also := lines.ParseRanges(b)
	return ok && also && slices.ContainsFunc(x, func(r lines.Range) bool {
		return slices.ContainsFunc(y, func(s lines.Range) bool { return r.First <= s.Last && s.First <= r.Last })
	})
}

// cite writes one citation: a link to the passage, or to the source without one, or a note that the source is unknown.
// Inside another link it is plain text.
func (c *citer) cite(b *strings.Builder, sentence int, to cited, plain bool) {
	source, at, known := c.source(to.id)
	if !known {
		says := c.hidden("not read")
		if to.label != "" {
			says = template.HTMLEscapeString(sanitize.Line(to.label)) + ", " + says
		}
		fmt.Fprintf(b, `<span class="cite nowhere">%s%s%s</span>`, to.open, says, to.shut)
		return
	}
	which, shown := c.Sentences[sentence].shown(to)
	if plain {
		b.WriteString(`<span class="cite">` + to.open)
		markup.WriteText(b, c.reference(source, to.label, shown))
		b.WriteString(to.shut + `</span>`)
		return
	}
	j := c.receipt(sentence, to, which)
	if to.lines = shown; j >= 0 {
		c.passage(b, sentence, j, to)
		return
	}
	fmt.Fprintf(b, `<a class="cite" href="%s">%s<span class="vh">%s </span>`, template.HTMLEscapeString(c.sourceLink(source.ID, at)), to.open, c.hidden("source"))
	markup.WriteText(b, c.reference(source, to.label, to.lines))
	fmt.Fprintf(b, `<span class="vh">, %s</span>%s</a>`, c.hidden("no passage"), to.shut)
}

// passage writes a link to a receipt.
func (c *citer) passage(b *strings.Builder, sentence, j int, to cited) {
	id, label := c.Sentences[sentence].Receipts[j].SourceID, "?"
	if source, _, ok := c.source(id); ok {
		label = c.reference(source, to.label, to.lines)
	}
	fmt.Fprintf(b, `<a class="cite" href="%s">%s<span class="vh">%s </span>`, template.HTMLEscapeString(c.receiptLink(sentence, j)), to.open, c.hidden("passage in source"))
	markup.WriteText(b, label)
	b.WriteString(to.shut + `</a>`)
	c.linked[[2]int{sentence, j}] = true
}

// sources writes a link for each source of a sentence's receipts, with all its lines, but for sources that have a citation.
func (c *citer) sources(b *strings.Builder, sentence int) {
	done := map[string]bool{}
	for j, r := range c.Sentences[sentence].Receipts {
		done[r.SourceID] = done[r.SourceID] || c.linked[[2]int{sentence, j}]
	}
	for _, id := range c.Sentences[sentence].cites() {
		if !done[id] {
			which, at := c.Sentences[sentence].linesOf(id)
			c.passage(b, sentence, which[0], cited{id: id, lines: at.String(), open: "[", shut: "]"})
		}
	}
}

// tail writes the text after a sentence: its sources without a citation, and the verdict.
func (c *citer) tail(b *strings.Builder, sentence int) {
	c.sources(b, sentence)
	v := c.Sentences[sentence].Verdict()
	words := template.HTMLEscapeString(c.words.T(v.Word))
	word := `<span class="word">` + words + `</span>`
	sign := v.Sign
	if v.Class == ownClass {
		sign = "<sup>" + sign + "</sup>"
	}
	if v.Class == "v-grounded" || v.Class == ownClass || c.Sample != nil && c.Sentences[sentence].state() == waiting { // only what needs attention is spelled out
		word = `<span class="vh">` + words + `</span>`
	}
	fmt.Fprintf(b, `<a class="verdict %s" href="%s"><span aria-hidden="true">%s</span> %s</a>`, v.Class, template.HTMLEscapeString(c.proofLink(sentence)), sign, word)
}

// statement returns a sentence with its citations and its verdict.
func (c *citer) statement(sentence int) any {
	s := c.Sentences[sentence]
	var b strings.Builder
	b.WriteString(`<span class="s ` + style.VerdictOf(s.Status).Class + `">`)
	markup.WriteText(&b, sanitize.Line(s.Text))
	b.WriteString("</span> ")
	c.tail(&b, sentence)
	return template.HTML(b.String()) //nolint:gosec // writeText escapes
}

// bestSentence returns a sentence of the summary with its citations. The statements have its verdict.
func (c *citer) bestSentence(sentence int) any {
	var b strings.Builder
	markup.WriteText(&b, sanitize.Line(c.Sentences[sentence].Text))
	b.WriteByte(' ')
	c.sources(&b, sentence)
	return template.HTML(b.String()) //nolint:gosec // writeText escapes
}

// ownClass is the class of the author's own statements, which have a discreet sign.
var ownClass = style.VerdictOf(style.Own).Class

// hidden returns translated words for screen readers.
func (c *citer) hidden(words string) string { return template.HTMLEscapeString(c.words.T(words)) }

// Links are the addresses that the text of an [Answer] links to.
type Links struct {
	Passage func(Receipt) string
	Source  func(id string) string
	Proof   func(sentence int) string // by index in Document.Sentences
}
