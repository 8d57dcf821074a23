package loops

import (
	"encoding/hex"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// captureOf converts the capture of a page for the log.
func captureOf(c *fetch.Capture) *loopstate.Capture {
	if c == nil {
		return nil
	}
	return &loopstate.Capture{Status: c.Status, Header: c.Header, Accept: c.Accept, Redirects: c.Redirects,
		SHA256: hex.EncodeToString(c.SHA256[:]), Bytes: c.Bytes}
}
