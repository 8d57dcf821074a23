package report

import (
	"fmt"
	"html/template"
	"strings"
)

// citer writes the citations and verdicts of sentences as links of the page. The ids: s1 is a sentence in the text, p1 its
// proof, r1-2 the second receipt of that proof, source-3 the third source of the list.
type citer struct {
	facts
	linked map[[2]int]bool // receipts that have a citation
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
		b.WriteString(`<span class="cite nowhere">[<span class="vh">citation of something that was </span>not read]</span>`)
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
	fmt.Fprintf(b, `<a class="cite" href="#source-%d">[<span class="vh">source </span>`, at+1)
	writeText(b, source.label())
	b.WriteString(`<span class="vh">, no passage</span>]</a>`)
}

func (c *citer) passage(b *strings.Builder, sentence, j int) {
	label := "?"
	if source, _, ok := c.source(c.Sentences[sentence].Receipts[j].SourceID); ok {
		label = source.label()
	}
	fmt.Fprintf(b, `<a class="cite" href="#r%d-%d">[<span class="vh">passage in source </span>`, sentence+1, j+1)
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
	if v.Class == "v-grounded" { // only other verdicts are spelled out
		word = `<span class="vh">` + words + `</span>`
	}
	fmt.Fprintf(b, `<a class="verdict %s" href="#p%d"><span aria-hidden="true">%s</span> %s</a>`, v.Class, sentence+1, v.Sign, word)
}
