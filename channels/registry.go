package channels

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
)

// Registry holds the channels of a process. It is safe for concurrent use; there should be one, because the
// pace of the hosts is kept in it.
type Registry struct {
	cfg     Config
	names   []string  // of the sources
	sources []*source // in the catalog's order
	calls   sync.WaitGroup

	mu     sync.Mutex
	closed bool
}

// source is a channel with what the frame knows of it.
type source struct {
	Channel
	desc    Description
	circuit *resilience.Breaker
	door    *door

	mu   sync.Mutex
	last *Last // nil: untried
}

// New opens all channels. It makes no request and reads no folder.
func New(cfg Config) (*Registry, error) { return open(cfg, catalog(), resilience.Sleep) }

func open(cfg Config, entries []entry, sleep func(context.Context, time.Duration) error) (*Registry, error) {
	entries = withOwn(entries, cfg.Own)
	names := namesOf(entries)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("channels: two channels are called %q; give one of them another name", name)
		}
	}
	cfg, err := cfg.withDefaults(names)
	if err != nil {
		return nil, err
	}
	r := &Registry{cfg: cfg, names: names}
	pacers := &pacers{now: cfg.Now, sleep: sleep, ledger: cfg.Ledger, logger: cfg.Logger, hosts: map[string]*pacer{}}
	for _, e := range entries {
		d := &door{
			cfg: cfg, name: e.name, base: cfg.URLs[e.name], key: cfg.Keys[e.name], rate: cfg.Rates[e.name],
			pacers: pacers, sleep: sleep,
		}
		channel := e.open(d)
		desc := channel.Describe()
		if desc.Name != e.name {
			return nil, fmt.Errorf("channels: the catalog's %q calls itself %q", e.name, desc.Name)
		}
		if rate := d.rate; rate > 0 && desc.RatePerSecond > 0 {
			desc.RatePerSecond = rate
		}
		if u, err := url.Parse(d.base); err == nil && d.base != "" {
			desc.Hosts = []string{u.Host}
		}
		desc = readied(desc, cfg)
		d.desc = desc
		r.sources = append(r.sources, &source{Channel: channel, desc: desc, circuit: newCircuit(cfg.Now), door: d})
	}
	return r, nil
}

// readied decides whether a channel can be asked, as far as that is the same for all: a key where one is needed,
// and the user's word where a channel is best effort. A base address of the user's own may be a mirror or a
// test that wants no key; the source itself will say so if it does.
func readied(desc Description, cfg Config) Description {
	name := EnvName(desc.Name)
	switch {
	case desc.NeedsKey && cfg.Keys[desc.Name] == "" && cfg.URLs[desc.Name] == "":
		desc.Configured = false
		if desc.Missing == "" {
			desc.Missing = fmt.Sprintf("it needs a key: set CITELOOP_%s_KEY (%s)", name, desc.KeyFrom)
		}
	case desc.BestEffort && !cfg.enabled(desc.Name):
		desc.Configured = false
		desc.Missing = fmt.Sprintf("best effort, off by default: name %s in CITELOOP_CHANNELS to switch it on", desc.Name)
	}
	return desc
}

// Close waits for the searches under way. Later searches are refused.
func (r *Registry) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.calls.Wait()
	return nil
}

func (r *Registry) source(name string) *source {
	for _, s := range r.sources {
		if s.desc.Name == name {
			return s
		}
	}
	return nil
}
