package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
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

// receipt returns a receipt of a sentence for a source: one without a citation if possible.
func (c *citer) receipt(sentence int, sourceID string) int {
	first := -1
	for j, r := range c.Sentences[sentence].Receipts {
		if r.SourceID != sourceID {
			continue
		}
		if !c.linked[[2]int{sentence, j}] {
			return j
		}
		if first < 0 {
			first = j
		}
	}
	return first
}

// cite writes one citation: a link to the passage, or to the source without one, or a note that the source is unknown.
// Inside another link it is plain text.
func (c *citer) cite(b *strings.Builder, sentence int, sourceID string, plain bool) {
	source, at, known := c.source(sourceID)
	switch {
	case !known:
		fmt.Fprintf(b, `<span class="cite nowhere">[%s]</span>`, c.hidden("not read"))
		return
	case plain:
		b.WriteString(`<span class="cite">[`)
		writeText(b, source.label())
		b.WriteString(`]</span>`)
		return
	}
	if j := c.receipt(sentence, sourceID); j >= 0 {
		c.passage(b, sentence, j)
		return
	}
	fmt.Fprintf(b, `<a class="cite" href="%s">[<span class="vh">%s </span>`, template.HTMLEscapeString(c.sourceLink(source.ID, at)), c.hidden("source"))
	writeText(b, source.label())
	fmt.Fprintf(b, `<span class="vh">, %s</span>]</a>`, c.hidden("no passage"))
}

func (c *citer) passage(b *strings.Builder, sentence, j int) {
	label := "?"
	if source, _, ok := c.source(c.Sentences[sentence].Receipts[j].SourceID); ok {
		label = source.label()
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
			c.passage(b, sentence, j)
		}
	}
	v := c.Sentences[sentence].verdict()
	words := template.HTMLEscapeString(c.words.T(v.Word))
	word := `<span class="word">` + words + `</span>`
	sign := v.Sign
	if v.Class == ownClass {
		sign = "<sup>" + sign + "</sup>"
	}
	if v.Class == "v-grounded" || v.Class == ownClass { // only what needs attention is spelled out
		word = `<span class="vh">` + words + `</span>`
	}
	fmt.Fprintf(b, `<a class="verdict %s" href="%s"><span aria-hidden="true">%s</span> %s</a>`, v.Class, template.HTMLEscapeString(c.proofLink(sentence)), sign, word)
}

// ownClass is the class of the author's own statements, which have a discreet sign.
var ownClass = drawing.VerdictOf(drawing.Own).Class

// hidden returns translated words for screen readers.
func (c *citer) hidden(words string) string { return template.HTMLEscapeString(c.words.T(words)) }
