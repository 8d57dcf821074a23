package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
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

// receipt returns a receipt of a sentence for a citation: one with its lines, else one without a citation, else any.
func (c *citer) receipt(sentence int, to cited) int {
	best, rank := -1, 0
	for j, r := range c.Sentences[sentence].Receipts {
		if r.SourceID != to.id {
			continue
		}
		at := 1
		if !c.linked[[2]int{sentence, j}] {
			at = 2
		}
		if overlap(to.lines, r.Lines) {
			at += 2
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
	switch {
	case !known:
		fmt.Fprintf(b, `<span class="cite nowhere">[%s]</span>`, c.hidden("not read"))
		return
	case plain:
		b.WriteString(`<span class="cite">[`)
		writeText(b, source.reference(to.lines))
		b.WriteString(`]</span>`)
		return
	}
	if j := c.receipt(sentence, to); j >= 0 {
		c.passage(b, sentence, j, to.lines)
		return
	}
	fmt.Fprintf(b, `<a class="cite" href="%s">[<span class="vh">%s </span>`, template.HTMLEscapeString(c.sourceLink(source.ID, at)), c.hidden("source"))
	writeText(b, source.reference(to.lines))
	fmt.Fprintf(b, `<span class="vh">, %s</span>]</a>`, c.hidden("no passage"))
}

// passage writes a link to a receipt, with the lines as the author cited them.
func (c *citer) passage(b *strings.Builder, sentence, j int, lines string) {
	label := "?"
	if source, _, ok := c.source(c.Sentences[sentence].Receipts[j].SourceID); ok {
		label = source.reference(lines)
	}
	fmt.Fprintf(b, `<a class="cite" href="%s">[<span class="vh">%s </span>`, template.HTMLEscapeString(c.receiptLink(sentence, j)), c.hidden("passage in source"))
	writeText(b, label)
	b.WriteString(`]</a>`)
	c.linked[[2]int{sentence, j}] = true
}

// tail writes the text after a sentence: the receipts without a citation, and the verdict.
func (c *citer) tail(b *strings.Builder, sentence int) {
	for j := range c.Sentences[sentence].Receipts {
		if !c.linked[[2]int{sentence, j}] {
			c.passage(b, sentence, j, c.Sentences[sentence].Receipts[j].Lines)
		}
	}
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

// ownClass is the class of the author's own statements, which have a discreet sign.
var ownClass = drawing.VerdictOf(drawing.Own).Class

// hidden returns translated words for screen readers.
func (c *citer) hidden(words string) string { return template.HTMLEscapeString(c.words.T(words)) }
