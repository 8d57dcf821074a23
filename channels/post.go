package channels

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
)

// The frame asks with GET. A few vendors take a search as a POST; for them the body travels in the context and a
// transport puts it into the request, so that pace, retries and outcomes stay the frame's.

type postKey struct{}

type post struct {
	kind string // Content-Type
	body []byte
}

// postedJSON is ctx for a request that carries v.
func postedJSON(ctx context.Context, v any) (context.Context, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return ctx, &Failure{Status: StatusError, Message: "the request could not be written", Cause: err}
	}
	return context.WithValue(ctx, postKey{}, post{"application/json", body}), nil
}

// postedForm is ctx for a request that carries a form, as url.Values encodes it.
func postedForm(ctx context.Context, form string) context.Context {
	return context.WithValue(ctx, postKey{}, post{"application/x-www-form-urlencoded", []byte(form)})
}

// posting is a client that makes a POST of a request whose context carries a body, on every redirect too.
func posting(client *http.Client) *http.Client {
	c := *client
	c.Transport = poster{transportOf(client)}
	return &c
}

type poster struct{ http.RoundTripper }

func (p poster) RoundTrip(r *http.Request) (*http.Response, error) {
	carried, ok := r.Context().Value(postKey{}).(post)
	if !ok {
		return p.RoundTripper.RoundTrip(r)
	}
	out := r.Clone(r.Context())
	out.Method = http.MethodPost
	out.Body = io.NopCloser(bytes.NewReader(carried.body))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(carried.body)), nil }
	out.ContentLength = int64(len(carried.body))
	out.Header.Set("Content-Type", carried.kind)
	return p.RoundTripper.RoundTrip(out)
}

func transportOf(client *http.Client) http.RoundTripper {
	if client.Transport == nil {
		return http.DefaultTransport
	}
	return client.Transport
}
