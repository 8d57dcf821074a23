package fetch

import (
	"context"
	"net/url"
)

// Examine extracts a body and judges whether it is a source, as Read does with what a server answers. Its
// arguments are those of [extract.Extractor.Extract]. The page has a status and a reason, and the document whatever the status
// is, so that a person can see what was judged; a page that is not read must not be kept as a source.
func (r *Reader) Examine(ctx context.Context, contentType string, body []byte, base *url.URL) Page {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.extractor.Extract(ctx, contentType, body, base)
	if err != nil {
		return failed(err)
	}
	page := Page{Document: x.Document}
	page.Status, page.Reason = classify(x)
	return page
}
