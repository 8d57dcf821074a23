package channels

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/resilience"
)

// Config configures a Registry. The zero value of a field is its default.
type Config struct {
	UserAgent string            // "citeloop/VERSION (+address; mailto:…)"; default "citeloop"
	Contact   string            // mail address: added to the User-Agent where it lacks it, and named to services that ask
	Client    *http.Client      // default: a client that dials no private address
	Pages     *http.Client      // for addresses from queries; default Client
	URLs      map[string]string // base address by channel: CITELOOP_<SOURCE>_URL
	Keys      map[string]string // CITELOOP_<SOURCE>_KEY
	Enable    []string          // best-effort channels to switch on: CITELOOP_CHANNELS, names joined by commas
	Hosts     *resilience.Hosts // shared with the reader of pages; default: its own
	Timeout   time.Duration     // of each channel's search, within the caller's deadline; default 15 s
	Now       func() time.Time  // default time.Now
	Logger    *slog.Logger      // default: nothing is logged
}

// defaultTimeout leaves time for the rest of a call, which must end within 25 s.
const defaultTimeout = 15 * time.Second

// withDefaults validates cfg for channels of these names and sets the defaults.
func (cfg Config) withDefaults(names []string) (Config, error) {
	for _, name := range slices.Concat(slices.Collect(maps.Keys(cfg.URLs)), slices.Collect(maps.Keys(cfg.Keys)), cfg.Enable) {
		if !slices.Contains(names, name) {
			return cfg, &UnknownChannelError{Names: []string{name}, Valid: names}
		}
	}
	for name, raw := range cfg.URLs {
		u, err := url.Parse(strings.ReplaceAll(raw, "{lang}", "en"))
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return cfg, fmt.Errorf("invalid CITELOOP_%s_URL=%q: use an http or https address", EnvName(name), raw)
		}
	}
	if strings.ContainsAny(cfg.UserAgent+cfg.Contact, "\r\n") {
		return cfg, fmt.Errorf("invalid user agent or contact: each must be one line")
	}
	cfg.UserAgent = cmp.Or(cfg.UserAgent, "citeloop")
	if cfg.Contact != "" && !strings.Contains(cfg.UserAgent, cfg.Contact) {
		cfg.UserAgent += " (mailto:" + cfg.Contact + ")"
	}
	if cfg.Client == nil {
		cfg.Client = fetch.NewClient(fetch.ClientConfig{UserAgent: cfg.UserAgent})
	}
	cfg.Pages = cmp.Or(cfg.Pages, cfg.Client)
	cfg.Timeout = cmp.Or(max(cfg.Timeout, 0), defaultTimeout)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Hosts == nil {
		cfg.Hosts = resilience.NewHosts(resilience.HostsConfig{Now: cfg.Now})
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	return cfg, nil
}

// enabled reports whether a best-effort channel is switched on: by its name, or by any of its settings.
func (cfg Config) enabled(name string) bool {
	return slices.Contains(cfg.Enable, name) || cfg.URLs[name] != "" || cfg.Keys[name] != ""
}

// EnvName returns a channel's name as environment variables have it: "semantic-scholar" is "SEMANTIC_SCHOLAR".
func EnvName(channel string) string {
	return strings.ToUpper(strings.ReplaceAll(channel, "-", "_"))
}
