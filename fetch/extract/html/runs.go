package html

import (
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/markdown"
)

// result is what was written: the text, the Markdown, and what stands in both.
func (w *blockWriter) result() (text, md string, runs []document.Run) {
	text, md = w.out.String(), w.mark.out.String()
	return text, md, markdown.Runs(text, md, w.mark.done)
}
