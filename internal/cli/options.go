package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch/browser"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/server/telemetry"
)

// options are the flags that every command has.
type options struct {
	data   string
	store  string
	corpus []string
	log    string
	folder string

	lenient bool // a missing corpus folder is no error: it may come back
}

func (o *options) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.data, "data", "", "folder for loops and texts (CITELOOP_DATA; default the platform's data folder)")
	flags.StringVar(&o.store, "store", "", "postgres:// URL of a store that many processes share (CITELOOP_STORE; default a SQLite file in the data folder)")
	flags.StringArrayVar(&o.corpus, "corpus", nil, "folder of documents for the local channel and file: addresses; repeatable (CITELOOP_CORPUS)")
	flags.StringVar(&o.folder, "folders", "", "where loops have folders: data (the data folder), project (.citeloop in the working folder) or off (CITELOOP_FOLDERS; default data)")
	flags.StringVar(&o.log, "log", "", "log level on stderr: debug, info, warn or error (CITELOOP_LOG; default warn)")
}

// settings combine the options, the environment and the defaults. They configure all other packages.
type settings struct {
	owner        string // the owner of calls without one; empty: such calls are refused
	dataDir      string
	cacheDir     string // compiled code and cached pages; empty: no cache
	keepBody     int64  // the longest response that is stored with its text, in bytes; 0: no responses
	ignoreRobots bool   // ignore robots.txt for addresses that a call names
	copies       bool   // look for open and archived copies of pages that cannot be read
	folders      folder.Place
	store        string // URL of a PostgreSQL database, with its secrets; empty for SQLite in dataDir
	corpus       []string
	missing      []string // those of corpus that do not exist
	allowPrivate []string // host:port pairs that may be private, for pages
	contact      string
	urls         map[string]string
	rates        map[string]float64
	keys         map[string]string
	enable       []string // best-effort channels
	own          []channels.Channel
	near         float64  // 0 for the default
	reportWords  int      // 0 for the default
	reader       model    // reviews claims; not used without url and name
	browser      string   // path of the browser for pages that need JavaScript; empty: no browser
	browserEnv   []string // its environment, as NAME=value
	noHooks      bool     // hooks of clients record nothing
	noSandbox    bool     // the browser runs without its sandbox
	readOnly     bool     // calls write nothing
	logger       *slog.Logger
	newID        func() string   // of loops and operations; nil: [newID]
	watch        telemetry.Watch // metrics, audit log and traces
	maxLoops     int             // of one owner with a token; 0: no limit
	maxStored    int64           // bytes that one owner's loops keep; 0: no limit
}

// maxKeptBody bounds the response that is stored beside its text. All 741 pages of the gold set are shorter: compressed
// they have 31 kB on average and 612 kB at most, and their texts 3 kB.
const maxKeptBody = 5 << 20

// databaseFile is the store inside the data folder.
const databaseFile = "citeloop.db"

func (o *options) settings(p Process) (settings, error) {
	s := settings{contact: p.env("CITELOOP_CONTACT"), urls: map[string]string{}, rates: map[string]float64{}, keys: map[string]string{}}
	var level slog.Level
	if word := firstOf(o.log, p.env("CITELOOP_LOG"), "warn"); level.UnmarshalText([]byte(word)) != nil {
		return s, usageError{fmt.Errorf("unknown --log %q: use debug, info, warn or error", word)}
	}
	s.logger = slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: level}))
	s.cacheDir = firstOf(p.env("CITELOOP_CACHE"), filepath.Join(xdg.CacheHome, "citeloop"))
	var err error
	if s.copies, err = p.either("CITELOOP_COPIES", "on", "off"); err != nil {
		return s, err
	}
	full, err := p.either("CITELOOP_SNAPSHOTS", "full", "text")
	if err != nil {
		return s, err
	}
	if full {
		s.keepBody = maxKeptBody
	}
	on, err := p.either("CITELOOP_HOOKS", "on", "off")
	if err != nil {
		return s, err
	}
	s.noHooks = !on
	s.dataDir = firstOf(o.data, p.env("CITELOOP_DATA"), filepath.Join(xdg.DataHome, "citeloop"))
	if s.store = firstOf(o.store, p.env("CITELOOP_STORE")); s.store != "" && !ofPostgres(s.store) {
		// The error does not repeat the value, which may contain a password.
		return s, usageError{errors.New("invalid --store: use postgres://user@host/database, or leave it out for SQLite in the data folder")}
	}
	switch s.folders = folder.Place(firstOf(o.folder, p.env("CITELOOP_FOLDERS"), string(folder.Data))); {
	case !slices.Contains(folder.Places(), string(s.folders)):
		return s, usageError{fmt.Errorf("unknown --folders %q: use %s", s.folders, strings.Join(folder.Places(), ", "))}
	case s.store != "":
		s.folders = folder.Off
	}
	corpus := o.corpus
	if len(corpus) == 0 {
		corpus = filepath.SplitList(p.env("CITELOOP_CORPUS"))
	}
	for _, dir := range corpus {
		abs, err := corpusFolder(dir)
		switch {
		case o.lenient && errors.Is(err, os.ErrNotExist):
			s.missing = append(s.missing, abs)
		case err != nil:
			return s, usageError{err}
		}
		s.corpus = append(s.corpus, abs)
	}
	for _, pair := range strings.Split(p.env("CITELOOP_ALLOW_PRIVATE"), ",") {
		if pair = strings.TrimSpace(pair); pair != "" {
			s.allowPrivate = append(s.allowPrivate, pair)
		}
	}
	for _, name := range strings.Split(p.env("CITELOOP_CHANNELS"), ",") {
		switch name = strings.TrimSpace(name); {
		case strings.HasSuffix(name, ".json"):
			if err := s.ownChannels(p, name); err != nil {
				return s, usageError{err}
			}
		case name != "":
			s.enable = append(s.enable, name)
		}
	}
	s.reader = readerModel(p)
	if err := s.numbers(p); err != nil {
		return s, usageError{err}
	}
	if err := s.openBrowser(p); err != nil {
		return s, usageError{err}
	}
	return s, s.channels(p)
}

// either reads a variable with one of two values, and reports whether it has the usual one, which is the default.
func (p Process) either(name, usual, other string) (bool, error) {
	switch word := p.env(name); word {
	case "", usual:
		return true, nil
	case other:
		return false, nil
	default:
		return false, usageError{fmt.Errorf("invalid %s=%q: use %s or %s", name, word, usual, other)}
	}
}

// numbers reads the settings that are numbers.
func (s *settings) numbers(p Process) error {
	if v := p.env("CITELOOP_NEAR_DUPLICATE"); v != "" {
		near, err := strconv.ParseFloat(v, 64)
		if err != nil || !(near > 0 && near < 1) {
			return fmt.Errorf("invalid CITELOOP_NEAR_DUPLICATE=%q: use a number between 0 and 1, such as 0.92", v)
		}
		s.near = near
	}
	if v := p.env("CITELOOP_REPORT_WORDS"); v != "" {
		words, err := strconv.Atoi(v)
		if err != nil || words < 1 || words > 100_000 {
			return fmt.Errorf("invalid CITELOOP_REPORT_WORDS=%q: use a number of words, such as 3000", v)
		}
		s.reportWords = words
	}
	return nil
}

// openBrowser reads the browser's path and the environment variables that it receives.
func (s *settings) openBrowser(p Process) error {
	name := p.env("CITELOOP_BROWSER")
	if name == "" || name == "off" {
		return nil
	}
	path, err := browser.Find(name, p.env)
	if err != nil {
		return fmt.Errorf("CITELOOP_BROWSER: %w", err)
	}
	sandbox, err := p.either("CITELOOP_BROWSER_NO_SANDBOX", "0", "1")
	if err != nil {
		return err
	}
	s.noSandbox = !sandbox
	for _, variable := range browser.Variables() {
		if v := p.env(variable); v != "" {
			s.browserEnv = append(s.browserEnv, variable+"="+v)
		}
	}
	s.browser = path
	return nil
}

func ofPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// ownChannels reads a file of channels by configuration, which CITELOOP_CHANNELS names.
func (s *settings) ownChannels(p Process, file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("CITELOOP_CHANNELS: %w", err)
	}
	own, err := recipe.ReadFile(file, content, p.LookupEnv, source.Names())
	if err != nil {
		return fmt.Errorf("CITELOOP_CHANNELS: %w", err)
	}
	s.own = append(s.own, own...)
	return nil
}

// channels reads CITELOOP_<SOURCE>_URL, _RATE and _KEY, and CITELOOP_ZOTERO, a short form of an address.
func (s *settings) channels(p Process) error {
	for _, name := range s.channelNames() {
		prefix := "CITELOOP_" + channels.EnvName(name)
		if v := p.env(prefix + "_URL"); v != "" {
			s.urls[name] = v
		}
		if v := p.env(prefix + "_KEY"); v != "" {
			s.keys[name] = v
		}
		if v := p.env(prefix + "_RATE"); v != "" {
			rate, err := strconv.ParseFloat(v, 64)
			if err != nil {
				return fmt.Errorf("invalid %s_RATE=%q: use a number of requests per second", prefix, v)
			}
			s.rates[name] = rate
		}
	}
	if place := p.env("CITELOOP_ZOTERO"); place != "" && s.urls["zotero"] == "" {
		address, err := source.ZoteroURL(place)
		if err != nil {
			return usageError{err}
		}
		s.urls["zotero"] = address
	}
	return nil
}

// channelNames returns the names of the built-in channels and of the user's own.
func (s settings) channelNames() []string {
	names := source.Names()
	for _, own := range s.own {
		names = append(names, own.Name)
	}
	return names
}

// channelHosts returns the hosts of the configured channel addresses. They may be private, because the user named them;
// hosts of pages may not.
func (s settings) channelHosts() []string {
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
		port := u.Port()
		if port == "" {
			port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
		}
		host := u.Hostname()
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		hosts = append(hosts, host+":"+port)
	}
	return hosts
}

func corpusFolder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("--corpus %q: %w", dir, err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return abs, missingFolder(dir)
	case err != nil:
		return "", fmt.Errorf("--corpus %q: %w", dir, err)
	case !info.IsDir():
		return "", fmt.Errorf("--corpus %q is a file: name its folder", dir)
	}
	return abs, nil
}

// missingFolder is the error for a corpus folder that does not exist.
type missingFolder string

func (e missingFolder) Error() string { return fmt.Sprintf("--corpus %q: no such folder", string(e)) }

func (missingFolder) Is(target error) bool { return target == os.ErrNotExist }

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
