package channels

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
)

// Channel is one search source: a description, and a function that builds requests and parses answers. The package
// handles rates, retries, circuits, outcomes and cleaning.
type Channel struct {
	Description
	URL     string // documented base address; "{lang}" is replaced by a language
	Search  SearchFunc
	Again   func(*Client, Query) string // what to search for if a query finds nothing; nil, or "" = nothing
	KeyRate float64                     // requests per second with a key; 0 = RatePerSecond
	// Needs is what must be configured first, else Missing applies: "contact" for a service that refuses requests without
	// one (a mirror may accept them), "url" for one that the user runs; "" = nothing.
	Needs string
	// State describes what is searched, for [Info.Files]; may be nil.
	State func() string
}

// SearchFunc returns a source's results, best first. A *Failure names its status; any other error is StatusError. A
// *Failure with StatusOK or StatusDegraded comes with results: its message is a remark on them.
type SearchFunc func(ctx context.Context, c *Client, q Query) ([]Result, error)

// Client has the configuration of a channel and sends its requests (Ask, in ask.go).
type Client struct {
	Channel
	Config Config
	Base   string // configured base address, or ""
	Key    string

	asked atomic.Pointer[resilience.Host] // the last requested host; nil = none yet
	last  atomic.Pointer[Last]            // how the last search ended; nil = none yet
}

// Address joins the base address with path elements and parameters. "{lang}" in the base becomes lang.
func (c *Client) Address(lang string, params url.Values, elements ...string) (*url.URL, error) {
	in := func(base string) string { return strings.ReplaceAll(base, "{lang}", lang) }
	return Joined(in(c.URL), in(c.Base), params, elements...)
}

// Joined joins the configured base address, or else the documented one, with path elements and parameters. A configured
// base without a path, such as "http://127.0.0.1:8080", serves the documented paths; one with a path replaces the whole
// documented address.
func Joined(documented, configured string, params url.Values, elements ...string) (*url.URL, error) {
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

// describe completes the channel's description from the configuration.
func (c *Client) describe() {
	d := &c.Description
	if c.Key != "" {
		d.BestEffort = false
		d.RatePerSecond = cmp.Or(c.KeyRate, d.RatePerSecond)
	}
	if len(d.Hosts) == 0 || c.Base != "" {
		if u, err := url.Parse(strings.ReplaceAll(cmp.Or(c.Base, c.URL), "{lang}", "*")); err == nil && u.Host != "" {
			d.Hosts = []string{u.Host}
		}
	}
	if c.Needs != "" && c.Base != "" || c.Needs == "contact" && c.Config.Contact != "" {
		d.Missing = ""
	}
	// A configured base address may be a mirror or a test server that needs no key.
	switch name := EnvName(d.Name); {
	case d.Missing != "":
	case d.NeedsKey && c.Key == "" && c.Base == "":
		d.Missing = fmt.Sprintf("it needs a key: set CITELOOP_%s_KEY (%s)", name, d.KeyFrom)
	case d.BestEffort && !c.Config.enabled(d.Name):
		d.Missing = fmt.Sprintf("best effort, off by default: name %s in CITELOOP_CHANNELS to switch it on", d.Name)
	}
	d.Configured = d.Missing == ""
}

// unconfigured returns the failure of a search if the channel is not configured, or nil.
func (c *Client) unconfigured() *Failure {
	if c.Configured {
		return nil
	}
	status := StatusUnavailable
	if c.NeedsKey {
		status = StatusAuthRequired
	}
	return &Failure{Status: status, Message: c.Missing, Inconclusive: true}
}

// Last is how a search ended, and when.
type Last struct {
	Outcome
	At time.Time
}

// Words returns a text such as "ok, 3 results at 10:47:48 UTC", or "" without a search.
func (l *Last) Words() string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s, %d results at %s", l.Status, l.Count, clockTime(l.At))
}
