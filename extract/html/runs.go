package html

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/extract/document"
)

// result is what was written: the text, the Markdown, and what stands in both.
func (w *blockWriter) result() (text, markdown string, runs []document.Run) {
	text, markdown = w.out.String(), w.mark.out.String()
	runs = make([]document.Run, 0, len(w.mark.done))
	var inText, inMarkdown runeCounter
	for _, r := range w.mark.done {
		runs = append(runs, document.Run{
			Text:     inText.at(text, r.text),
			Markdown: inMarkdown.at(markdown, r.md),
			Chars:    utf8.RuneCountInString(text[r.text : r.text+r.n]),
		})
	}
	return text, markdown, runs
}

// runeCounter counts the code points before places that come in order.
type runeCounter struct{ bytes, chars int }

func (c *runeCounter) at(s string, bytes int) int {
	c.chars += utf8.RuneCountInString(s[c.bytes:bytes])
	c.bytes = bytes
	return c.chars
}
