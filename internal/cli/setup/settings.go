// Package setup reads the flags that all commands have and the environment, and builds the service from them. No package below
// reads either.
package setup

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/resilience"
)

// Options are the flags that every command has.
type Options struct {
	Data   string
	Store  string
	Corpus []string
	Log    string

	Lenient bool            // a missing corpus folder is no error: it may come back
	Named   func() []string // folders that the configurations of clients name, for a command that knows no other; may be nil
}

func (o *Options) Register(flags *pflag.FlagSet) {
	flags.StringVar(&o.Data, "data", "", "folder of loops and texts (CITELOOP_DATA; default the platform's data folder)")
	flags.StringVar(&o.Store, "store", "", "postgres:// URL of a shared store (CITELOOP_STORE; default SQLite in the data folder)")
	flags.StringArrayVar(&o.Corpus, "corpus", nil,
		"folder of your documents, repeatable, or none (CITELOOP_CORPUS; default those of 'citeloop install')")
	flags.StringVar(&o.Log, "log", "", "debug, info, warn or error, on stderr (CITELOOP_LOG; default warn)")
}

// Settings combine the options, the environment and the defaults. They configure all other packages.
type Settings struct {
	Owner        string // the owner of calls without one; empty: such calls are refused
	DataDir      string
	CacheDir     string            // compiled code; empty: no cache
	ignoreRobots bool              // ignore robots.txt for addresses that a call names
	copies       bool              // look for open and archived copies of pages that cannot be read
	NoFolders    bool              // loops have no folders
	hosts        *resilience.Hosts // shared by pages and channels; nil: each its own
	Store        string            // URL of a PostgreSQL database, with its secrets; empty for SQLite in dataDir
	Corpus       []string
	Missing      []string // those of corpus that do not exist
	AllowPrivate []string // host:port pairs that may be private, for pages
	contact      string
	urls         map[string]string
	keys         map[string]string
	enable       []string // best-effort channels
	own          []channels.Channel
	Reader       Model  // reviews claims; not used without url and name
	Browser      string // path or name of the browser for pages that need JavaScript; empty: no browser
	noSandbox    bool   // the browser runs without its sandbox
	ReadOnly     bool   // calls write nothing
	Logger       *slog.Logger
	NewID        func() string // of loops and operations; nil: [newID]
}

// DatabaseFile is the store inside the data folder.
const DatabaseFile = "citeloop.db"

func (o *Options) Settings(p console.Process) (Settings, error) {
	s := Settings{contact: p.Env("CITELOOP_CONTACT"), urls: map[string]string{}, keys: map[string]string{}}
	var level slog.Level
	if word := cmp.Or(o.Log, p.Env("CITELOOP_LOG"), "warn"); level.UnmarshalText([]byte(word)) != nil {
		return s, console.Usagef("unknown --log %q: use debug, info, warn or error", word)
	}
	s.Logger = slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: level}))
	s.CacheDir = cmp.Or(p.Env("CITELOOP_CACHE"), filepath.Join(xdg.CacheHome, "citeloop"))
	var err error
	if s.copies, err = p.Either("CITELOOP_COPIES", "on", "off"); err != nil {
		return s, err
	}
	obey, err := p.Either("CITELOOP_IGNORE_ROBOTS", "false", "true")
	if err != nil {
		return s, err
	}
	s.ignoreRobots = !obey
	s.DataDir = cmp.Or(o.Data, p.Env("CITELOOP_DATA"), filepath.Join(xdg.DataHome, "citeloop"))
	if s.Store = cmp.Or(o.Store, p.Env("CITELOOP_STORE")); s.Store != "" && !ofPostgres(s.Store) {
		// The error does not repeat the value, which may contain a password.
		return s, console.Usagef("invalid --store: use postgres://user@host/database, or leave it out for SQLite in the data folder")
	}
	folders, err := p.Either("CITELOOP_FOLDERS", "data", "off")
	if err != nil {
		return s, err
	}
	s.NoFolders = !folders || s.Store != ""
	if err := s.corpus(p, o); err != nil {
		return s, err
	}
	for _, pair := range strings.Split(p.Env("CITELOOP_ALLOW_PRIVATE"), ",") {
		if pair = strings.TrimSpace(pair); pair != "" {
			s.AllowPrivate = append(s.AllowPrivate, pair)
		}
	}
	for _, name := range strings.Split(p.Env("CITELOOP_CHANNELS"), ",") {
		switch name = strings.TrimSpace(name); {
		case strings.HasSuffix(name, ".json"):
			if err := s.ownChannels(p, name); err != nil {
				return s, console.Usage(err)
			}
		case name != "":
			s.enable = append(s.enable, name)
		}
	}
	s.Reader = readModel(p, readerVars)
	if err := s.openBrowser(p); err != nil {
		return s, console.Usage(err)
	}
	return s, s.channels(p)
}

// openBrowser reads which browser renders pages.
func (s *Settings) openBrowser(p console.Process) error {
	name := p.Env("CITELOOP_BROWSER")
	if name == "" || name == "off" {
		return nil
	}
	sandbox, err := p.Either("CITELOOP_BROWSER_NO_SANDBOX", "0", "1")
	if err != nil {
		return err
	}
	s.Browser, s.noSandbox = name, !sandbox
	return nil
}

func ofPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// ownChannels reads a file of channels by configuration, which CITELOOP_CHANNELS names.
func (s *Settings) ownChannels(p console.Process, file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("CITELOOP_CHANNELS: %w; name a file of channels (docs/channels.md#a-channel-of-your-own)", err)
	}
	own, err := source.ReadFile(file, content, p.LookupEnv, source.Names())
	if err != nil {
		return fmt.Errorf("CITELOOP_CHANNELS: %w", err)
	}
	s.own = append(s.own, own...)
	return nil
}

// channels reads CITELOOP_<CHANNEL>_URL and _KEY, and CITELOOP_ZOTERO, a short form of an address.
func (s *Settings) channels(p console.Process) error {
	for _, name := range s.channelNames() {
		prefix := "CITELOOP_" + channels.EnvName(name)
		if v := p.Env(prefix + "_URL"); v != "" {
			s.urls[name] = v
		}
		if v := p.Env(prefix + "_KEY"); v != "" {
			s.keys[name] = v
		}
	}
	if place := p.Env("CITELOOP_ZOTERO"); place != "" && s.urls["zotero"] == "" {
		address, err := source.ZoteroURL(place)
		if err != nil {
			return console.Usage(err)
		}
		s.urls["zotero"] = address
	}
	return nil
}

// channelNames returns the names of the built-in channels and of the user's own.
func (s Settings) channelNames() []string {
	names := source.Names()
	for _, own := range s.own {
		names = append(names, own.Name)
	}
	return names
}

// channelHosts returns the hosts of the configured channel addresses. They may be private, because the user named them;
// hosts of pages may not.
func (s Settings) channelHosts() []string {
	addresses := slices.Collect(maps.Values(s.urls))
	for _, own := range s.own {
		addresses = append(addresses, own.URL)
	}
	var hosts []string
	for _, raw := range addresses {
		u, err := url.Parse(strings.ReplaceAll(raw, "{lang}", "en"))
		if err != nil || u.Host == "" {
			continue // channels.New reports the error
		}
		port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
		hosts = append(hosts, net.JoinHostPort(u.Hostname(), port))
	}
	return hosts
}
