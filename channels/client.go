package channels

import (
	"cmp"
	"context"
	"fmt"
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

// clients opens channels. They share the rates of the hosts.
func clients(cfg Config, all []channel, sleep func(context.Context, time.Duration) error) []*client {
	pacers := &pacers{now: cfg.Now, sleep: sleep, ledger: cfg.Ledger, logger: cfg.Logger, hosts: map[string]*pacer{}}
	var opened []*client
	for _, ch := range all {
		c := &client{channel: ch, cfg: cfg, base: cfg.URLs[ch.Name], key: cfg.Keys[ch.Name], pacers: pacers, sleep: sleep, circuit: newCircuit(cfg.Now)}
		c.describe()
		opened = append(opened, c)
	}
	return opened
}

// describe completes the channel's description from the configuration.
func (c *client) describe() {
	d := &c.Description
	if c.key != "" {
		d.BestEffort = false
		d.RatePerSecond = cmp.Or(c.keyRate, d.RatePerSecond)
	}
	if d.RatePerSecond > 0 {
		d.RatePerSecond = cmp.Or(c.cfg.Rates[d.Name], d.RatePerSecond)
	}
	if len(d.Hosts) == 0 || c.base != "" {
		if u, err := url.Parse(strings.ReplaceAll(cmp.Or(c.base, c.url), "{lang}", "*")); err == nil && u.Host != "" {
			d.Hosts = []string{u.Host}
		}
	}
	met := c.base != ""
	switch c.needs {
	case "contact":
		met = met || c.cfg.Contact != ""
	case "folders":
		met = c.cfg.Corpus != nil
	}
	if c.needs != "" && met {
		d.Missing = ""
	}
	// A configured base address may be a mirror or a test server that needs no key.
	switch name := EnvName(d.Name); {
	case d.Missing != "":
	case d.NeedsKey && c.key == "" && c.base == "":
		d.Missing = fmt.Sprintf("it needs a key: set CITELOOP_%s_KEY (%s)", name, d.KeyFrom)
	case d.BestEffort && !c.cfg.enabled(d.Name):
		d.Missing = fmt.Sprintf("best effort, off by default: name %s in CITELOOP_CHANNELS to switch it on", d.Name)
	}
	d.Configured = d.Missing == ""
}

// remaining describes the remaining rate: the allowance that the service last stated, while it is valid, or our own
// rate if the next request has to wait.
func (d *client) remaining(now time.Time) string {
	if words := d.left.Load().words(now); words != "" {
		return words
	}
	if p := d.paced.Load(); p != nil {
		p.mu.Lock()
		wait := p.wait()
		p.mu.Unlock()
		if wait > 0 {
			return "0 requests for " + roundUp(wait).String() + ", by our own rate"
		}
	}
	return ""
}

// proxy returns the host of the proxy for the channel's requests.
func (d *client) proxy() string {
	at := d.base
	if at == "" && len(d.Hosts) > 0 && strings.Contains(d.Hosts[0], ".") {
		at = "https://" + strings.ReplaceAll(d.Hosts[0], "*", "en")
	}
	u, err := url.Parse(strings.ReplaceAll(at, "{lang}", "en"))
	if err != nil || u.Host == "" {
		return ""
	}
	if p, err := d.cfg.Proxy(u); err == nil && p != nil {
		return p.Host
	}
	return ""
}

// grantedToken is an access token for the application's id and secret.
type grantedToken struct {
	token   string
	expires time.Time
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
