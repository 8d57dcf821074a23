package document

import "sort"

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
