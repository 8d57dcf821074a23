package markdown

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Piece is a piece that is the same in a text and in its Markdown: where it begins in each, and how long it
// is, in bytes.
type Piece struct{ Text, Markdown, Bytes int }

// Runs counts in code points what was counted in bytes. The pieces are in order.
func Runs(text, markdown string, pieces []Piece) []document.Run {
	runs := make([]document.Run, 0, len(pieces))
	var inText, inMarkdown Counter
	for _, p := range pieces {
		runs = append(runs, document.Run{
			Text:     inText.At(text, p.Text),
			Markdown: inMarkdown.At(markdown, p.Markdown),
			Chars:    utf8.RuneCountInString(text[p.Text : p.Text+p.Bytes]),
		})
	}
	return runs
}

// Counter counts the code points before places that come in order.
type Counter struct{ bytes, chars int }

// At is the number of code points before a byte of a text.
func (c *Counter) At(s string, bytes int) int {
	c.chars += utf8.RuneCountInString(s[c.bytes:bytes])
	c.bytes = bytes
	return c.chars
}
