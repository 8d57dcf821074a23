package fetch

import (
	"crypto/sha256"
	"net/http"
	"slices"

	"github.com/citeloop/citeloop/fetch/address"
)

// Capture records what an address returned, so that a reading can be checked. Pages that shared a request share it; do not
// modify it.
type Capture struct {
	Status    int         // of HTTP; 0 for a file
	Header    http.Header // those that describe the body
	Accept    string      // of the request
	Redirects []string    // addresses before this one, the requested one first
	SHA256    [sha256.Size]byte
	Bytes     int    // length of the decompressed body, as for SHA256
	Body      []byte // nil if it is longer than [Config].KeepBody
}

// capturedHeaders are the response headers in a capture. Others are not stored, because they may contain secrets of
// this reader's session.
func capturedHeaders() []string {
	return []string{
		"Age", "Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type",
		"Date", "Etag", "Expires", "Last-Modified", "Link", "Memento-Datetime", "Server", "Tdm-Reservation", "Vary", "X-Robots-Tag",
	}
}

const (
	maxCapturedValue  = 1 << 10 // bytes; longer values are not stored. The longest common ones are Links of some 500
	maxCapturedHeader = 4 << 10 // bytes of all values
)

// captured records the response to a request.
func (r *Reader) captured(resp *http.Response, body []byte) *Capture {
	c := r.capturedBody(body)
	c.Status, c.Accept = resp.StatusCode, acceptPages
	c.Header = make(http.Header)
	left := maxCapturedHeader
	for _, name := range capturedHeaders() {
		for _, value := range resp.Header.Values(name) {
			if len(value) > maxCapturedValue || len(value) > left {
				continue
			}
			left -= len(value)
			c.Header.Add(name, value)
		}
	}
	for req := resp.Request; req.Response != nil && req.Response.Request != nil; req = req.Response.Request {
		c.Redirects = append(c.Redirects, address.Redact(req.Response.Request.URL.String()))
	}
	slices.Reverse(c.Redirects)
	return c
}

// capturedBody records bytes that were read without HTTP.
func (r *Reader) capturedBody(body []byte) *Capture {
	c := &Capture{SHA256: sha256.Sum256(body), Bytes: len(body)}
	if int64(len(body)) <= r.cfg.KeepBody {
		c.Body = body
	}
	return c
}
