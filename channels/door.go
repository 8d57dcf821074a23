package channels

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// door is what a channel has of the frame: its configuration, and the one way out (ask, in get.go).
type door struct {
	cfg    Config
	name   string
	base   string // configured base address, or ""
	key    string
	rate   float64 // configured requests per second, or 0
	pacers *pacers
	sleep  func(context.Context, time.Duration) error
	desc   Description               // the channel's own, once it is open
	left   atomic.Pointer[allowance] // what the service last said is left of its rate; nil = nothing
	paced  atomic.Pointer[pacer]     // of the host that was asked last; nil = none yet
}

// request is one question to a source.
type request struct {
	url    *url.URL
	want   format
	lookUp bool        // it asks for one record by its id: 404 says that there is none
	header http.Header // beyond what every request has; a key stands here, never in the address
	// body makes the request a POST, for services that take a search so; it is sent again on a retry.
	body     []byte
	bodyType string // its Content-Type; "" = JSON
	// paceAs names the service whose pace counts where one service has many hosts; "" = the host.
	// A configured base address always counts by its own host.
	paceAs string
	// explain reads the source's own words out of an answer that is not 200, and may know its status better
	// than HTTP does; "" keeps what HTTP says. Nil is allowed.
	explain func(status int, body []byte) (Status, string)
	foreign bool // the address stood in the query: it gets no leave that a configured service has
}

// answer is a response of status 200 in the wanted format.
type answer struct {
	header http.Header
	body   []byte
}

// address joins the base address (the configured one, else fallback) with path elements and parameters. "{lang}" in
// the base becomes lang. A configured base that names no path, "http://127.0.0.1:8080", is a host that serves the
// documented paths; one with a path stands for the whole of the fallback.
func (d *door) address(fallback, lang string, params url.Values, elements ...string) (*url.URL, error) {
	base := fallback
	if d.base != "" {
		base = d.base
	}
	u, err := url.Parse(strings.ReplaceAll(base, "{lang}", lang))
	if err != nil {
		return nil, &Failure{Status: StatusError, Message: "its base address cannot be read", Cause: err}
	}
	if d.base != "" && strings.Trim(u.Path, "/") == "" {
		if documented, err := url.Parse(strings.ReplaceAll(fallback, "{lang}", lang)); err == nil {
			u.Path, u.RawPath = documented.Path, documented.RawPath
		}
	}
	for _, e := range elements {
		u = u.JoinPath(url.PathEscape(e))
	}
	q := u.Query() // a base may carry parameters of its own, such as a mirror's token
	for k, vs := range params {
		q[k] = vs
	}
	u.RawQuery = q.Encode()
	return u, nil
}

// fixedLanguage reports that the configured base address leaves no choice of language.
func (d *door) fixedLanguage() bool { return d.base != "" && !strings.Contains(d.base, "{lang}") }

func (d *door) pacer(req request) *pacer {
	key := req.paceAs
	if key == "" || d.base != "" {
		key = strings.ToLower(req.url.Host)
	}
	p := d.pacers.of(key, req.ledgerName(key), d.requestsPerSecond(), d.desc.Burst, d.desc.Parallel)
	d.paced.Store(p)
	return p
}

func (d *door) requestsPerSecond() float64 {
	if d.rate > 0 {
		return d.rate
	}
	return d.desc.RatePerSecond
}
