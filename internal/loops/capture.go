package loops

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// captureOf converts the capture of a page for the log.
func captureOf(c *fetch.Capture) *loopstate.Capture {
	if c == nil {
		return nil
	}
	return &loopstate.Capture{URL: c.URL, Status: c.Status, Header: c.Header, Accept: c.Accept, Redirects: c.Redirects,
		SHA256: hex.EncodeToString(c.SHA256[:]), Bytes: c.Bytes}
}

// storeTexts stores a page's text, and its body if it has one.
func (s *Service) storeTexts(ctx context.Context, o *PageOutcome) error {
	if _, err := s.Store.PutBlob(ctx, []byte(o.Text)); err != nil {
		return fmt.Errorf("loops: store the text of %s: %w", o.URL, err)
	}
	if o.body == nil {
		return nil
	}
	if _, err := s.Store.PutBlob(ctx, o.body); err != nil {
		return fmt.Errorf("loops: store the response of %s: %w", o.URL, err)
	}
	kept := *o.Capture
	kept.Kept = true
	o.Capture = &kept
	return nil
}
