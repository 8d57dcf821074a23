package check

import (
	"io"

	"github.com/citeloop/citeloop/internal/check"
	"github.com/citeloop/citeloop/internal/review"
)

// writeSheet writes a batch as a page for people, which needs no server and saves the file for --review-in. A passage that an earlier item
// has is there in full again.
func writeSheet(w io.Writer, batch check.Batch) error {
	var items []review.Item
	whole := map[string]check.Passage{}
	for _, it := range batch.Items {
		item := review.Item{ID: it.Item, Claim: it.Claim}
		for _, p := range it.Passages {
			place := p.Source + ":" + p.Lines
			if _, known := whole[place]; !known {
				whole[place] = p
			}
			p = whole[place]
			item.Passages = append(item.Passages, review.PassageOf(p.Source, p.Lines, p.Heading, p.Text))
		}
		items = append(items, item)
	}
	return review.WriteFile(w, batch.Batch, items)
}
