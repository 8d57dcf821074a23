package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server"
)

// assembled is the service with the resources to close after it.
type assembled struct {
	*loops.Service
	store    loopstate.Store
	registry *channels.Registry
	corpus   *local.Corpus // nil without folders
	reader   *fetch.Reader
}

func (a *assembled) Close() error {
	err := errors.Join(a.SaveCosts(context.Background()), a.registry.Close())
	if a.corpus != nil {
		err = errors.Join(err, a.corpus.Close())
	}
	return errors.Join(err, a.reader.Close(), a.store.Close())
}

// userAgent identifies the program to servers, with the configured contact.
func (s settings) userAgent() string {
	agent := "citeloop/" + Version + " (+" + homepage
	if s.contact != "" {
		agent += "; mailto:" + s.contact
	}
	return agent + ")"
}

// newReader returns a reader of pages and files. It keeps response bodies of at most keepBody bytes.
func newReader(s settings, keepBody int64) (*fetch.Reader, error) {
	cfg := fetch.Config{UserAgent: s.userAgent(), AllowPrivate: s.allowPrivate, Corpus: slices.DeleteFunc(slices.Clone(s.corpus), func(dir string) bool { return slices.Contains(s.missing, dir) }), IgnoreRobots: s.ignoreRobots, KeepBody: keepBody, Now: time.Now, Logger: s.logger}
	if s.cacheDir != "" {
		cfg.CacheDir, cfg.PageCache = filepath.Join(s.cacheDir, "code"), filepath.Join(s.cacheDir, "pages")
	}
	if s.copies {
		cfg.Copies = fetch.PublicCopies(s.contact)
	}
	if s.browser != "" {
		renderer, err := newBrowser(s)
		if err != nil {
			return nil, err
		}
		cfg.Renderer = renderer
	}
	return fetch.New(cfg)
}

// newBrowser returns the reader of pages that need JavaScript. It does not start the browser.
func newBrowser(s settings) (*browser.Browser, error) {
	gate, err := fetch.NewGate(fetch.ClientConfig{AllowPrivate: s.allowPrivate})
	if err != nil {
		return nil, err
	}
	b, err := browser.New(browser.Config{Path: s.browser, Gate: gate, UserAgent: s.userAgent(), NoSandbox: s.noSandbox, Env: s.browserEnv, Logger: s.logger})
	if errors.Is(err, browser.ErrRoot) {
		return nil, usageError{errors.New("CITELOOP_BROWSER: Chromium has no sandbox when run as root; run citeloop as another user, or set CITELOOP_BROWSER_NO_SANDBOX=1 if the machine itself is isolated, such as a container")}
	}
	return b, err
}

// assemble builds the service and its dependencies from the settings.
func assemble(ctx context.Context, s settings) (*assembled, error) {
	agent := s.userAgent()
	reader, err := newReader(s, s.keepBody)
	if err != nil {
		return nil, err
	}
	if !s.readOnly {
		if _, err := local.Sweep(filepath.Join(s.dataDir, corpusFolders), time.Now(), false); err != nil {
			s.logger.WarnContext(ctx, "an index of a folder that is gone could not be removed", "error", err)
		}
	}
	corpus, err := openCorpus(s, reader)
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	store, err := openStore(ctx, s)
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	proxy := httpproxy.FromEnvironment().ProxyFunc()
	registry, err := channels.New(channels.Config{
		UserAgent: agent, Contact: s.contact, URLs: s.urls, Rates: s.rates, Keys: s.keys, Enable: s.enable, Logger: s.logger, Ledger: store, Proxy: proxy,
		Client: fetch.NewClient(fetch.ClientConfig{UserAgent: agent, AllowPrivate: append(s.channelHosts(), s.allowPrivate...), Proxy: proxy}),
		Pages:  fetch.NewClient(fetch.ClientConfig{UserAgent: agent, AllowPrivate: s.allowPrivate, Proxy: proxy}),
	}, source.All(corpus, s.own...))
	if err != nil {
		return nil, errors.Join(err, reader.Close(), store.Close())
	}
	reader.AddLibrary("zotero", source.Library(registry))
	claimReader, err := openClaimReader(s)
	if err != nil {
		return nil, errors.Join(err, registry.Close(), reader.Close(), store.Close())
	}
	if s.newID == nil {
		s.newID = newID
	}
	folders, err := openFolders(s)
	if err != nil {
		return nil, errors.Join(err, registry.Close(), reader.Close(), store.Close())
	}
	reports := filepath.Join(s.dataDir, reportFolders)
	if s.readOnly {
		reports = ""
	}
	svc := loops.New(loops.Config{Store: store, Folders: folders, Opened: reader, Corpus: s.corpus, Owner: s.owner, ClaimReader: claimReader, Searcher: s.watch.Searcher(registry), Reader: s.watch.Reader(reader), Now: time.Now, NewID: s.newID, Generator: "citeloop " + Version, Logger: s.logger,
		ReportDir: reports, NearDuplicate: s.near, ReportWords: s.reportWords, MaxLoops: s.maxLoops, MaxStored: s.maxStored})
	return &assembled{Service: svc, store: store, registry: registry, corpus: corpus, reader: reader}, nil
}

// openFolders returns the folders of the loops, or nil with a shared store, whose loops are those of many machines.
func openFolders(s settings) (*folder.Folders, error) {
	if s.store != "" {
		return nil, nil
	}
	data, err := filepath.Abs(s.dataDir)
	if err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	project, err := os.Getwd()
	if err != nil && s.folders == folder.Project {
		return nil, fmt.Errorf("--folders project: %w", err)
	}
	return folder.New(folder.Config{Place: s.folders, Data: data, Project: project, Now: time.Now, NewID: newID}), nil
}

// reportFolders is the folder of reports in the data folder.
const reportFolders = "reports"

// corpusFolders is the folder of the indexes in the data folder.
const corpusFolders = "corpus"

// openCorpus returns the user's folders with their indexes, or nil without folders. It reads no file.
func openCorpus(s settings, reader *fetch.Reader) (*local.Corpus, error) {
	if len(s.corpus) == 0 {
		return nil, nil
	}
	return local.New(local.Config{Folders: s.corpus, Dir: filepath.Join(s.dataDir, corpusFolders), Edition: "citeloop " + Version, Reader: reader, Now: time.Now, Logger: s.logger})
}

// openClaimReader returns the model that reviews claims, or nil if none is configured.
func openClaimReader(s settings) (loops.ClaimReader, error) {
	if s.reader.url == "" && s.reader.name == "" {
		return nil, nil
	}
	r, err := reader.New(llm.Config{URL: s.reader.url, Model: s.reader.name, Key: s.reader.key, Logger: s.logger})
	if err != nil {
		return nil, s.reader.fault(err)
	}
	return r, nil
}

// sharedStore stores loops, and the state that processes share about channels.
type sharedStore interface {
	loopstate.Store
	channels.Ledger
}

// openStore opens the configured PostgreSQL store, or the SQLite file in the data folder.
func openStore(ctx context.Context, s settings) (sharedStore, error) {
	if s.store != "" {
		store, err := postgres.Open(ctx, s.store, postgres.Options{Logger: s.logger})
		if err != nil {
			return nil, fmt.Errorf("opening the shared store: %w", err)
		}
		return store, nil
	}
	store, err := sqlite.Open(ctx, filepath.Join(s.dataDir, databaseFile), sqlite.Options{})
	if err != nil {
		return nil, fmt.Errorf("opening the store in %s: %w", s.dataDir, err)
	}
	return store, nil
}

// newID returns a UUID v7, so that ids sort by time.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.NewString()
	}
	return id.String()
}

// inProcess returns a client of the service in this process: Ctrl-C would end a child process before its last call is recorded.
func inProcess(ctx context.Context, svc *assembled, s settings, name string) (*research.Server, func(), error) {
	srv, err := server.New(svc.Service, Version, s.logger)
	if err != nil {
		return nil, nil, err
	}
	c, err := client.NewInProcessClient(srv.MCP)
	if err != nil {
		return nil, nil, err
	}
	tools, err := research.Connect(ctx, c, name, Version)
	if err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	return tools, func() { _ = c.Close() }, nil
}
