package check

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/review"
	"github.com/citeloop/citeloop/internal/textcheck"
)

// sheetName returns the path of the sheet of a batch file: in the same folder, with another extension.
func sheetName(batch string) string {
	return strings.TrimSuffix(batch, filepath.Ext(batch)) + ".html"
}

// writeSheet writes a batch as a page for people, which needs no server and saves the file for --review-in.
func writeSheet(w io.Writer, batch textcheck.ReviewBatch) error {
	var items []review.Item
	for _, it := range batch.Items {
		item := review.Item{ID: it.Item, Claim: it.Claim}
		for _, p := range it.Passages {
			item.Passages = append(item.Passages, review.PassageOf(p.Source, p.Lines, p.Heading, p.Text))
		}
		items = append(items, item)
	}
	return review.WriteFile(w, batch.Batch, items)
}
