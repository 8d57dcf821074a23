package setup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/client"
	"golang.org/x/net/http/httpproxy"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/browser"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/internal/resilience"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server"
)

// assembled is the service with the resources to close after it.
type assembled struct {
	*loops.Service
	Store    loopstate.Store
	registry *channels.Registry
	Corpus   *local.Corpus // nil without folders
	reader   *fetch.Reader
}

func (a *assembled) Close() error {
	a.Service.Close()
	err := a.registry.Close()
	if a.Corpus != nil {
		err = errors.Join(err, a.Corpus.Close())
	}
	return errors.Join(err, a.reader.Close(), a.Store.Close())
}

// userAgent identifies the program to servers, with the configured contact.
func (s Settings) userAgent() string {
	agent := "citeloop/" + console.Version + " (+" + console.Homepage
	if s.contact != "" {
		agent += "; mailto:" + s.contact
	}
	return agent + ")"
}

// NewReader returns a reader of pages and files.
func NewReader(s Settings) (*fetch.Reader, error) {
	cfg := fetch.Config{UserAgent: s.userAgent(), AllowPrivate: s.AllowPrivate, Corpus: slices.DeleteFunc(slices.Clone(s.Corpus),
		func(dir string) bool { return slices.Contains(s.Missing, dir) }), IgnoreRobots: s.ignoreRobots, Now: time.Now,
		Logger: s.Logger, Hosts: s.hosts}
	if s.CacheDir != "" {
		cfg.CacheDir = filepath.Join(s.CacheDir, "code")
	}
	if s.copies {
		cfg.Copies = fetch.PublicCopies(s.contact)
	}
	if s.Browser != "" {
		renderer, err := newBrowser(s)
		if err != nil {
			return nil, err
		}
		cfg.Renderer = renderer
	}
	return fetch.New(cfg)
}

// newBrowser returns the reader of pages that need JavaScript. It does not start the browser.
func newBrowser(s Settings) (*browser.Browser, error) {
	gate, err := fetch.NewGate(fetch.ClientConfig{AllowPrivate: s.AllowPrivate})
	if err != nil {
		return nil, err
	}
	return browser.New(browser.Config{Path: s.Browser, Connect: gate.Connect, UserAgent: s.userAgent(), NoSandbox: s.noSandbox}), nil
}

// Assemble builds the service and its dependencies from the settings.
func Assemble(ctx context.Context, s Settings) (*assembled, error) {
	claimReader, err := OpenClaimReader(s)
	if err != nil {
		return nil, err
	}
	if s.NewID == nil {
		s.NewID = NewID
	}
	var folders *folder.Folders // none with a shared store, whose loops are those of many machines
	if s.Store == "" {
		data, err := filepath.Abs(s.DataDir)
		if err != nil {
			return nil, fmt.Errorf("the data folder: %w", err)
		}
		folders = folder.New(data, s.NoFolders)
	}
	agent := s.userAgent()
	s.hosts = resilience.NewHosts(resilience.HostsConfig{})
	reader, err := NewReader(s)
	if err != nil {
		return nil, err
	}
	corpus, err := OpenCorpus(s, reader)
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	store, err := OpenStore(ctx, s)
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	proxy := httpproxy.FromEnvironment().ProxyFunc()
	registry, err := channels.New(channels.Config{
		UserAgent: agent, Contact: s.contact, URLs: s.urls, Keys: s.keys, Enable: s.enable, Logger: s.Logger, Hosts: s.hosts,
		Client: fetch.NewClient(fetch.ClientConfig{UserAgent: agent, AllowPrivate: append(s.channelHosts(), s.AllowPrivate...),
			Proxy: proxy}),
		Pages: fetch.NewClient(fetch.ClientConfig{UserAgent: agent, AllowPrivate: s.AllowPrivate, Proxy: proxy}),
	}, source.All(corpus, s.own...))
	if unknown, ok := errors.AsType[*channels.UnknownChannelError](err); ok {
		err = console.Usagef("CITELOOP_CHANNELS: unknown channel %q%s", unknown.Names[0],
			console.SuggestOrList(unknown.Names[0], unknown.Valid))
	}
	if err != nil {
		return nil, errors.Join(err, reader.Close(), store.Close())
	}
	svc := loops.New(loops.Config{Store: store, Folders: folders, Corpus: s.Corpus, Owner: s.Owner,
		ClaimReader: claimReader, Searcher: registry, Reader: reader, Now: time.Now,
		NewID: s.NewID, Generator: "citeloop " + console.Version, Logger: s.Logger,
		LookUp: s.copies, ReadOnly: s.ReadOnly})
	return &assembled{Service: svc, Store: store, registry: registry, Corpus: corpus, reader: reader}, nil
}

// corpusFolders is the folder of the indexes in the data folder.
const corpusFolders = "corpus"

// OpenCorpus returns the user's folders with their indexes, or nil without folders. It reads no file.
func OpenCorpus(s Settings, reader *fetch.Reader) (*local.Corpus, error) {
	if len(s.Corpus) == 0 {
		return nil, nil
	}
	return local.New(local.Config{Folders: s.Corpus, Dir: filepath.Join(s.DataDir, corpusFolders), Edition: "citeloop " + console.Version,
		Reader: reader, Logger: s.Logger})
}

// OpenClaimReader returns the model that reviews claims, or nil if none is configured.
func OpenClaimReader(s Settings) (loops.ClaimReader, error) {
	if s.Reader.Url == "" && s.Reader.Name == "" {
		return nil, nil
	}
	model, err := llm.New(llm.Config{URL: s.Reader.Url, Model: s.Reader.Name, Key: s.Reader.Key})
	if err != nil {
		return nil, s.Reader.Fault(err)
	}
	return &reader.Reader{Client: model}, nil
}

// OpenStore opens the configured PostgreSQL store, or the SQLite file in the data folder.
func OpenStore(ctx context.Context, s Settings) (loopstate.Store, error) {
	if s.Store != "" {
		store, err := postgres.Open(ctx, s.Store, postgres.Options{})
		if err != nil {
			return nil, fmt.Errorf("opening the shared store: %w", err)
		}
		return store, nil
	}
	store, err := sqlite.Open(ctx, filepath.Join(s.DataDir, DatabaseFile), sqlite.Options{})
	if err != nil {
		return nil, fmt.Errorf("opening the store in %s: %w", s.DataDir, err)
	}
	return store, nil
}

// NewID returns a UUID v7, so that ids sort by time.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// InProcess returns a client of the service in this process: Ctrl-C would end a child process before its last call is recorded.
func InProcess(ctx context.Context, svc *assembled, s Settings, name string) (*research.Server, func(), error) {
	srv, err := server.New(svc.Service, server.Config{Version: console.Version, Logger: s.Logger})
	if err != nil {
		return nil, nil, err
	}
	c, err := client.NewInProcessClient(srv.MCP)
	if err != nil {
		return nil, nil, err
	}
	tools, err := research.Connect(ctx, c, name, console.Version)
	if err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	return tools, func() { _ = c.Close() }, nil
}
