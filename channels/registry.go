package channels

import (
	"fmt"
	"slices"
	"sync"
)

// Registry holds the channels of a process. It is safe for concurrent use. A process should have one, because it keeps
// the rates of the hosts.
type Registry struct {
	cfg     Config
	names   []string  // of the clients
	clients []*Client // in the catalog's order
	calls   sync.WaitGroup

	mu     sync.Mutex
	closed bool
}

// New opens channels, whose names must differ. It sends no request and reads no folder.
func New(cfg Config, all []Channel) (*Registry, error) {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("channels: duplicate channel name %q; rename one of the channels", name)
		}
	}
	cfg, err := cfg.withDefaults(names)
	if err != nil {
		return nil, err
	}
	return &Registry{cfg: cfg, names: names, clients: clients(cfg, all)}, nil
}

// Close waits for the searches in progress. Later searches fail.
func (r *Registry) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.calls.Wait()
	return nil
}

// Client returns the client of a channel, or nil.
func (r *Registry) Client(name string) *Client {
	return r.clients[slices.Index(r.names, name)]
}
