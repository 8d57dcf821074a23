package loops

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// captureOf is what the loop remembers of a reading.
func captureOf(c *fetch.Capture) *loopstate.Capture {
	if c == nil {
		return nil
	}
	return &loopstate.Capture{URL: c.URL, Status: c.Status, Header: c.Header, Accept: c.Accept, Redirects: c.Redirects,
		SHA256: hex.EncodeToString(c.SHA256[:]), Bytes: c.Bytes}
}

// keepTexts puts a reading's text, and the body it was taken from where there is one, into the store.
func (s *Service) keepTexts(ctx context.Context, o *PageOutcome) error {
	if _, err := s.Store.PutBlob(ctx, []byte(o.Text)); err != nil {
		return fmt.Errorf("loops: keeping the text of %s: %w", o.URL, err)
	}
	if o.body == nil {
		return nil
	}
	if _, err := s.Store.PutBlob(ctx, o.body); err != nil {
		return fmt.Errorf("loops: keeping what was received from %s: %w", o.URL, err)
	}
	kept := *o.Capture
	kept.Kept = true
	o.Capture = &kept
	return nil
}
