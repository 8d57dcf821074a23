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
	URL       string      // that answered, where it is not the page's FinalURL: its own Markdown
	Status    int         // of HTTP; 0 of a file
	Header    http.Header // those headers that say what was sent
	Accept    string      // what was asked for
	Redirects []string    // the addresses that led here, the one asked for first
	SHA256    [sha256.Size]byte
	Bytes     int    // of the body, its content coding undone, as SHA256
	Body      []byte // nil when it is longer than [Config].KeepBody
}

// capturedHeaders are the response headers that a capture has. They are named, because any other may be a secret
// between the site and this one reader.
func capturedHeaders() []string {
	return []string{
		"Age", "Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type",
		"Date", "Etag", "Expires", "Last-Modified", "Link", "Memento-Datetime", "Server", "Tdm-Reservation", "Vary", "X-Robots-Tag",
	}
}

const (
	maxCapturedValue  = 1 << 10 // bytes; a longer header value is left out. The longest usual ones are Links of some 500
	maxCapturedHeader = 4 << 10 // bytes of all values
)

// captured is what came for a request.
func (r *Reader) captured(resp *http.Response, body []byte, accept string) *Capture {
	c := r.capturedBody(body)
	c.Status, c.Accept = resp.StatusCode, accept
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

// capturedBody is a capture of bytes that came without HTTP.
func (r *Reader) capturedBody(body []byte) *Capture {
	c := &Capture{SHA256: sha256.Sum256(body), Bytes: len(body)}
	if int64(len(body)) <= r.cfg.KeepBody {
		c.Body = body
	}
	return c
}
