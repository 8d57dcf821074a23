package channels

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// The frame reads JSON and XML. Some services answer a search in plain text or on a page; for them a transport
// puts what came with a 200 into a JSON object, {"text": …}, so that everything else stays the frame's.

// textual is a client of such a service. Pages are left to the frame, which takes one for a refusal, except where
// the service answers with pages.
func textual(client *http.Client, pages bool) *http.Client {
	c := *client
	c.Transport = enveloper{transportOf(client), pages}
	return &c
}

type enveloper struct {
	http.RoundTripper
	pages bool
}

func (e enveloper) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := e.RoundTripper.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := readBody(resp)
	_ = resp.Body.Close() // what could be read of it has been
	if err == nil && (e.pages || !isHTML(resp.Header.Get("Content-Type"), body)) {
		body, err = json.Marshal(envelope{string(body)})
		resp.Header.Set("Content-Type", "application/json")
	}
	// It is decoded; an error of reading is met again where the frame reads.
	resp.Header.Del("Content-Encoding")
	resp.Uncompressed, resp.ContentLength = true, -1
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	return resp, nil
}

type envelope struct {
	Text string `json:"text"`
}

// opened is the body as the service sent it.
func opened(a answer) ([]byte, error) {
	e, err := decodeJSON[envelope](a.body)
	return []byte(e.Text), err
}

// failing ends a body with an error, or at its end where there is none.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}
