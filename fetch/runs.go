package fetch

import (
	"sort"
	"unicode/utf8"
)

// Run is a piece that stands in a document's text and in its Markdown alike.
type Run struct {
	Text     int // where it begins in the text, in code points
	Markdown int // where it begins in the Markdown, in code points
	Chars    int // how long it is in both
}

// MarkdownOffset is the place in the Markdown of a place in the text, both in code points. What stands only in
// the text (the bar between two cells) has the place of what follows it.
func (d *Document) MarkdownOffset(text int) int {
	i := sort.Search(len(d.Runs), func(i int) bool { return d.Runs[i].Text+d.Runs[i].Chars > text })
	if i == len(d.Runs) {
		if i == 0 {
			return 0
		}
		return d.Runs[i-1].Markdown + d.Runs[i-1].Chars
	}
	return d.Runs[i].Markdown + max(0, text-d.Runs[i].Text)
}

// TextOffset is the place in the text of a place in the Markdown, both in code points. What stands only in the
// Markdown (marks, addresses) has the place of what follows it.
func (d *Document) TextOffset(markdown int) int {
	i := sort.Search(len(d.Runs), func(i int) bool { return d.Runs[i].Markdown+d.Runs[i].Chars > markdown })
	if i == len(d.Runs) {
		if i == 0 {
			return 0
		}
		return d.Runs[i-1].Text + d.Runs[i-1].Chars
	}
	return d.Runs[i].Text + max(0, markdown-d.Runs[i].Markdown)
}

// result is what was written: the text, the Markdown, and what stands in both.
func (w *blockWriter) result() (text, markdown string, runs []Run) {
	text, markdown = w.out.String(), w.mark.out.String()
	runs = make([]Run, 0, len(w.mark.done))
	var inText, inMarkdown runeCounter
	for _, r := range w.mark.done {
		runs = append(runs, Run{
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
