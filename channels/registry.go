package channels

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
)

// Registry holds the channels of a process. It is safe for concurrent use. A process should have one, because it keeps
// the rates of the hosts.
type Registry struct {
	cfg     Config
	names   []string  // of the clients
	clients []*Client // in the catalog's order

	open   sync.RWMutex // held by searches
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
	r := &Registry{cfg: cfg, names: names}
	for _, ch := range all {
		c := &Client{Channel: ch, Config: cfg, Base: cfg.URLs[ch.Name], Key: cfg.Keys[ch.Name]}
		c.describe()
		r.clients = append(r.clients, c)
	}
	return r, nil
}

// Close waits for the searches in progress. Later searches fail.
func (r *Registry) Close() error {
	r.open.Lock()
	defer r.open.Unlock()
	r.closed = true
	return nil
}

// Client returns the client of a channel, or nil.
func (r *Registry) Client(name string) *Client {
	return r.clients[slices.Index(r.names, name)]
}

// Info describes a channel and its state.
type Info struct {
	Description
	Health    string    // "untried", "ok", "not configured: …", "circuit open until …" or the last outcome
	Last      *Last     // how its last search ended; nil = none since the process began
	OpenUntil time.Time // the circuit is open until then; zero = closed
	RateLimit string    // "1 request per 3 s"
	Files     string    // of the local channel: how many files are searched, and what is left out and why
}

// List describes the channels and their state, in a fixed order. It sends no request.
func (r *Registry) List() []Info {
	infos := make([]Info, len(r.clients))
	for i, s := range r.clients {
		info := Info{Description: s.Description, RateLimit: rateWords(s.Description), Last: s.last.Load()}
		if host := s.asked.Load(); host != nil {
			info.OpenUntil = host.OpenUntil()
		}
		if s.State != nil {
			info.Files = s.State()
		}
		info.Health = info.health()
		infos[i] = info
	}
	return infos
}

func (i Info) health() string {
	switch {
	case !i.Configured:
		return "not configured: " + i.Missing
	case !i.OpenUntil.IsZero():
		return "circuit open until " + clockTime(i.OpenUntil)
	case i.Last == nil:
		return "untried"
	case i.Last.Status == StatusOK || i.Last.Status == StatusEmpty:
		return "ok"
	case i.Last.Message == "":
		return string(i.Last.Status)
	}
	return string(i.Last.Status) + ": " + normal.Clip(i.Last.Message, MaxWords)
}

// rateWords writes a rate: "5 requests per second", "1 request per 3 s".
func rateWords(d Description) string {
	var words string
	switch rate := d.RatePerSecond; {
	case rate == 0:
		return "none: nothing leaves the machine"
	case rate == 1:
		words = "1 request per second"
	case rate > 1:
		words = strconv.FormatFloat(rate, 'g', 3, 64) + " requests per second"
	default:
		words = "1 request per " + strconv.FormatFloat(1/rate, 'g', 3, 64) + " s"
	}
	if d.Parallel > 0 {
		words += ", " + strconv.Itoa(d.Parallel) + " at once"
	}
	return words
}
