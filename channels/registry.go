package channels

import (
	"context"
	"fmt"
	"slices"
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
		catalog = append(slices.Clip(catalog), o.channel)
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
	return &Registry{cfg: cfg, names: names, clients: clients(cfg, catalog, sleep)}, nil
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
func (r *Registry) Zotero() fetch.Library { return zotero{r.client("zotero")} }
