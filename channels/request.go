package channels

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// Request is one request to a source.
type Request struct {
	Params url.Values
	Path   []string // elements after the base address
	URL    *url.URL // nil: made of the base address, path and params
	Want   Format
	LookUp bool        // it asks for one record by its id: 404 means that it does not exist
	Header http.Header // in addition to those of every request; contains the key
	// Body makes the request a POST: JSON of any value, or a form.
	Body any
	// PaceAs names the service whose rate applies if one service has many hosts; "" = the host.
	// With a configured base address the host's own rate applies.
	PaceAs string
	// Explain reads the source's message from an answer that is not 200.
	Explain   func(status int, body []byte) Explained
	FromQuery bool // the address is from the query, so it has no permissions of a configured service
}

// build makes the HTTP request.
func (req Request) build(ctx context.Context) (*http.Request, error) {
	header := http.Header{"Accept": {formats[req.Want].accept}}
	method, body := http.MethodGet, io.Reader(nil)
	switch b := req.Body.(type) {
	case nil:
	case url.Values:
		method, body = http.MethodPost, strings.NewReader(b.Encode())
		header.Set("Content-Type", "application/x-www-form-urlencoded")
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(raw)
		header.Set("Content-Type", "application/json")
	}
	r, err := http.NewRequestWithContext(ctx, method, req.URL.String(), body)
	if err != nil {
		return nil, err
	}
	maps.Copy(header, req.Header)
	r.Header = header
	return r, nil
}

// Format is the body that a channel expects from a source.
type Format int

const (
	wantJSON Format = iota
	WantJSONOrXML
	WantText // plain text; may be empty
)

// formats are the name of each format, what to accept, and the characters with which a body may begin; "" = anything.
var formats = [...]struct{ name, accept, begins string }{
	wantJSON:      {"JSON", "application/json", "{["},
	WantJSONOrXML: {"JSON or XML", "application/atom+xml, application/rss+xml, application/xml, text/xml, application/json;q=0.9", "{[<"},
	WantText:      {"plain text", "text/plain", ""},
}

func (f Format) String() string { return formats[f].name }

// matches looks at the first byte that is not white space. The declared type is not reliable: mirrors and test servers
// label JSON as text/plain and feeds as application/octet-stream.
func (f Format) matches(body []byte) bool {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	return f == WantText || len(body) > 0 && strings.IndexByte(formats[f].begins, body[0]) >= 0
}
