package channels

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
)

// client has the configuration of a channel and sends its requests (ask, in get.go).
type client struct {
	channel
	cfg    Config
	base   string // configured base address, or ""
	key    string
	pacers *pacers
	sleep  func(context.Context, time.Duration) error

	circuit *resilience.Breaker
	left    atomic.Pointer[allowance] // remaining requests, as the service last reported; nil = unknown
	paced   atomic.Pointer[pacer]     // of the last requested host; nil = none yet
	last    atomic.Pointer[Last]      // how the last search ended; nil = none yet

	granted sync.Mutex // guards token
	token   grantedToken
}

// request is one request to a source.
type request struct {
	params url.Values
	path   []string // elements after the base address
	url    *url.URL // nil: made of the base address, path and params
	want   format
	lookUp bool        // it asks for one record by its id: 404 means that it does not exist
	header http.Header // in addition to those of every request; contains the key
	// body makes the request a POST: JSON of any value, or a form.
	body any
	// paceAs names the service whose rate applies if one service has many hosts; "" = the host.
	// With a configured base address the host's own rate applies.
	paceAs string
	// explain reads the source's message from an answer that is not 200, and may return a better status than HTTP
	// gives; "" keeps HTTP's. Nil: explainMessage.
	explain   func(status int, body []byte) (Status, string)
	fromQuery bool // the address is from the query, so it has no permissions of a configured service
}

// keyIn returns a header with the key after a prefix, or nil without a key.
func (c *client) keyIn(header, prefix string) http.Header {
	if c.key == "" {
		return nil
	}
	return http.Header{header: {prefix + c.key}}
}

// around returns a value with a prefix and a suffix, or "" for an empty value.
func around(before, value, after string) string {
	if value == "" {
		return ""
	}
	return before + value + after
}

// set adds a parameter unless its value is empty.
func set(params url.Values, name, value string) {
	if value != "" {
		params.Set(name, value)
	}
}

// address joins the base address with path elements and parameters. "{lang}" in the base becomes lang.
func (c *client) address(lang string, params url.Values, elements ...string) (*url.URL, error) {
	in := func(base string) string { return strings.ReplaceAll(base, "{lang}", lang) }
	return joined(in(c.url), in(c.base), params, elements...)
}

// joined joins the configured base address, or else the documented one, with path elements and parameters. A configured
// base without a path, such as "http://127.0.0.1:8080", serves the documented paths; one with a path replaces the whole
// documented address.
func joined(documented, configured string, params url.Values, elements ...string) (*url.URL, error) {
	u, err := url.Parse(cmp.Or(configured, documented))
	if err != nil {
		return nil, &Failure{Status: StatusError, Message: "its base address cannot be read", Cause: err}
	}
	if d, err := url.Parse(documented); err == nil && strings.Trim(u.Path, "/") == "" {
		u.Path, u.RawPath = d.Path, d.RawPath
	}
	for _, e := range elements {
		u = u.JoinPath(url.PathEscape(e))
	}
	q := u.Query() // a base address may have parameters, such as a mirror's token
	maps.Copy(q, params)
	u.RawQuery = q.Encode()
	return u, nil
}

// fixedLanguage reports whether the configured base address determines the language.
func (c *client) fixedLanguage() bool { return c.base != "" && !strings.Contains(c.base, "{lang}") }

func (c *client) pacer(req request) *pacer {
	key := req.paceAs
	if key == "" || c.base != "" {
		key = strings.ToLower(req.url.Host)
	}
	p := c.pacers.of(key, req.ledgerName(key), c.RatePerSecond, c.Burst, c.Parallel)
	c.paced.Store(p)
	return p
}
