package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
)

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

// finding returns a sentence with its citations and its verdict.
func (c *citer) finding(sentence int) any {
	s := c.Sentences[sentence]
	var b strings.Builder
	b.WriteString(`<span class="s ` + drawing.VerdictOf(s.Status).Class + `">`)
	markup.WriteText(&b, sanitize.Line(s.Text))
	b.WriteString("</span> ")
	c.tail(&b, sentence)
	return template.HTML(b.String()) //nolint:gosec // writeText escapes
}

// bestSentence returns a sentence of the summary with its citations. The findings have its verdict.
func (c *citer) bestSentence(sentence int) any {
	var b strings.Builder
	markup.WriteText(&b, sanitize.Line(c.Sentences[sentence].Text))
	b.WriteByte(' ')
	c.sources(&b, sentence)
	return template.HTML(b.String()) //nolint:gosec // writeText escapes
}

// ownClass is the class of the author's own statements, which have a discreet sign.
var ownClass = drawing.VerdictOf(drawing.Own).Class

// hidden returns translated words for screen readers.
func (c *citer) hidden(words string) string { return template.HTMLEscapeString(c.words.T(words)) }
