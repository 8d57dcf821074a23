package channels

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/resilience"
)

// Registry holds the channels of a process. It is safe for concurrent use. A process should have one, because it keeps
// the rates of the hosts.
type Registry struct {
	cfg     Config
	names   []string  // of the clients
	clients []*client // in the catalog's order
	calls   sync.WaitGroup

	elsewhere openElsewhere

	mu     sync.Mutex
	closed bool
}

// New opens all channels. It sends no request and reads no folder.
func New(cfg Config) (*Registry, error) { return open(cfg, catalog(), resilience.Sleep) }

func open(cfg Config, catalog []channel, sleep func(context.Context, time.Duration) error) (*Registry, error) {
	for _, o := range cfg.Custom {
		catalog = append(slices.Clip(catalog), o.channel())
	}
	names := namesOf(catalog)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("channels: duplicate channel name %q; rename one of the channels", name)
		}
	}
	cfg, err := cfg.withDefaults(names)
	if err != nil {
		return nil, err
	}
	r := &Registry{cfg: cfg, names: names}
	pacers := &pacers{now: cfg.Now, sleep: sleep, ledger: cfg.Ledger, logger: cfg.Logger, hosts: map[string]*pacer{}}
	for _, ch := range catalog {
		name := ch.Name
		c := &client{channel: ch, cfg: cfg, base: cfg.URLs[name], key: cfg.Keys[name], pacers: pacers, sleep: sleep, circuit: newCircuit(cfg.Now)}
		c.describe()
		r.clients = append(r.clients, c)
	}
	return r, nil
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

// Close waits for the searches in progress. Later searches fail.
func (r *Registry) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.calls.Wait()
	return nil
}

func (r *Registry) client(name string) *client {
	return r.clients[slices.Index(r.names, name)]
}

// Zotero returns the library that reads zotero: addresses.
func (r *Registry) Zotero() fetch.Library { return zoteroLibrary{r.client("zotero")} }
