// Package markdown writes a text and its Markdown together. It escapes characters and maps offsets between the two.
package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Writer writes a text and its Markdown together, and records the pieces that both have.
type Writer struct {
	text, markdown strings.Builder
	runs           []Piece

	Chars int  // code points of the text
	Begun bool // the Markdown's block has a word
	Row   bool // it is a row of a table
}

// Both writes a piece to the text and to the Markdown.
func (t *Writer) Both(s string) {
	if s == "" {
		return
	}
	if n := len(t.runs); n > 0 {
		if last := &t.runs[n-1]; last.Text+last.Bytes == t.text.Len() && last.Markdown+last.Bytes == t.markdown.Len() {
			last.Bytes += len(s)
			t.TextOnly(s)
			t.markdown.WriteString(s)
			return
		}
	}
	t.runs = append(t.runs, Piece{t.text.Len(), t.markdown.Len(), len(s)})
	t.TextOnly(s)
	t.markdown.WriteString(s)
}

func (t *Writer) TextOnly(s string) {
	t.text.WriteString(s)
	t.Chars += utf8.RuneCountInString(s)
}

func (t *Writer) MarkdownOnly(s string) { t.markdown.WriteString(s) }

// Word writes a word, escaped in the Markdown where necessary.
func (t *Writer) Word(s string) {
	start := 0
	for i := range len(s) {
		if Escapes(s, i, !t.Begun, t.Row) {
			t.Both(s[start:i])
			t.MarkdownOnly(`\`)
			start = i
		}
	}
	t.Both(s[start:])
	t.Begun = true
}

// EndBlock ends a block: a blank line in both.
func (t *Writer) EndBlock() {
	t.TextOnly("\n\n")
	t.MarkdownOnly("\n\n")
	t.Begun = false
}

// Result returns the text and the Markdown, without the blank line after the last block.
func (t *Writer) Result() (text, markdown string, runs []document.Run) {
	text = strings.TrimRight(t.text.String(), "\n ")
	markdown = strings.TrimRight(t.markdown.String(), "\n ")
	for n := len(t.runs); n > 0; n-- {
		last := &t.runs[n-1]
		if last.Bytes = min(last.Bytes, len(text)-last.Text, len(markdown)-last.Markdown); last.Bytes > 0 {
			break
		}
		t.runs = t.runs[:n-1]
	}
	return text, markdown, Runs(text, markdown, t.runs)
}

// Piece is a piece that a text and its Markdown have in common: its offset in each and its length, in bytes.
type Piece struct{ Text, Markdown, Bytes int }

// Runs converts pieces from bytes to code points. The pieces are in order.
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

// Counter counts code points before ascending offsets.
type Counter struct{ bytes, chars int }

// At returns the number of code points before a byte offset.
func (c *Counter) At(s string, bytes int) int {
	c.chars += utf8.RuneCountInString(s[c.bytes:bytes])
	c.bytes = bytes
	return c.chars
}
