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
	var blocks []block
	lead := false // the paragraph before leads to this one
	for _, s := range sentences(text) {
		last := len(blocks) - 1
		joins := !s.opens || lead && strings.TrimSpace(text[blocks[last].byteEnd:s.byteStart]) == ""
		if lead = s.opens && leads(s.of(text)); joins && s.end-blocks[last].start <= maxChars {
			blocks[last].end, blocks[last].byteEnd = s.end, s.byteEnd
		} else {
			blocks = append(blocks, s.pieces(text, words.Cut(s.of(text), maxChars))...)
		}
	}
	var out []Passage
	section := ""
	for _, b := range withoutContents(text, blocks) {
		p := b.passage(text)
		if heading := headingOf(p.Text); heading != "" {
			section = heading
		} else {
			p.Section = section
		}
		out = append(out, p)
	}
	return out
}

// sentences returns the sentences of a text outside its comments.
func sentences(text string) (out []block) {
	for _, b := range visible(text) {
		out = append(out, b.pieces(text, words.Sentences(b.of(text)))...)
	}
	return out
}
