package passage

import (
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// DefaultChars is the size of a passage, in code points, where nobody asks for another: four or five
// sentences, about what a reader takes in at a glance (chosen).
const DefaultChars = 800

// Split cuts a text into passages: sentences of one paragraph, joined within maxChars code points (below 1: [DefaultChars]). What
// says nothing alone (a heading, a question, the name of a parameter) is joined with what it leads to. A sentence that is too long
// is cut, at white space where it has any. Comments and contents are in no passage, and all other words are in one.
func Split(text string, maxChars int) []Passage {
	if maxChars < 1 {
		maxChars = DefaultChars
	}
	var blocks []words.Span
	lead := false // the paragraph before leads to this one
	for _, s := range sentences(text) {
		last := len(blocks) - 1
		joins := !s.opens || lead && strings.TrimSpace(text[blocks[last].Byte+len(blocks[last].Text):s.Byte]) == ""
		if lead = s.opens && leads(s.Text); joins && s.End-blocks[last].Start <= maxChars {
			blocks[last] = to(text, blocks[last], s.Span)
		} else {
			blocks = append(blocks, in(s.Span, words.Cut(s.Text, maxChars))...)
		}
	}
	var out []Passage
	section := ""
	for _, b := range withoutContents(blocks) {
		p := Passage{Start: b.Start, End: b.End, Text: b.Text}
		if heading := headingOf(p.Text); heading != "" {
			section = heading
		} else {
			p.Section = section
		}
		out = append(out, p)
	}
	return out
}
