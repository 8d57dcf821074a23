package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
)

// Examine extracts and classifies a body, as Read does with a server's response. Its arguments are those of
// [extract.Extractor.Extract]. The page has its document for every status, so that a person can see what was
// classified; a page whose status is not StatusRead must not be kept as a source.
func (r *Reader) Examine(ctx context.Context, contentType string, body []byte, base *url.URL) Page {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.extractor.Extract(ctx, contentType, body, base)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Page{Status: StatusTimeout, Reason: fmt.Sprintf("reading it took longer than %s; its parts are too many or too deep", r.cfg.Timeout)}
	case err != nil:
		return failed(err)
	}
	page := Page{Document: x.Document}
	page.Status, page.Reason = classify(x)
	return page
}
