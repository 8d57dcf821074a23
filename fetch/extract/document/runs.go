package document

import "sort"

// Run is a piece that a document's text and its Markdown have in common.
type Run struct {
	Text     int // offset in the text, in code points
	Markdown int // offset in the Markdown, in code points
	Chars    int // length in both
}

// MarkdownOffset converts an offset in the text to one in the Markdown, both in code points. Characters that only the text
// has (the bar between two cells) map to what follows them.
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

// TextOffset converts an offset in the Markdown to one in the text, both in code points. Characters that only the Markdown
// has (marks, addresses) map to what follows them.
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
