package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/resilience"
)

// Reader reads pages. It is safe for concurrent use. A process should have one, because it keeps connections, the rules
// of robots.txt and the state of hosts.
type Reader struct {
	cfg       Config
	gate      *Gate
	corpus    corpus
	robots    *robotsCache
	pages     http.RoundTripper // the gate, polite to hosts
	reading   singleflight.Group
	extractor *extract.Extractor
}

// New returns a reader. It fails if a corpus folder cannot be opened or an allowed address is malformed.
func New(cfg Config) (*Reader, error) {
	corpus, err := openCorpus(cfg.Corpus)
	if err != nil {
		return nil, err
	}
	cfg.UserAgent = cmp.Or(cfg.UserAgent, "citeloop (+https://github.com/citeloop/citeloop)")
	cfg.Timeout = cmp.Or(max(cfg.Timeout, 0), defaultTimeout)
	cfg.MaxDecoded = cmp.Or(max(cfg.MaxDecoded, 0), defaultMaxDecoded)
	cfg.Pause = cmp.Or(cfg.Pause, defaultPause)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	if cfg.Hosts == nil {
		cfg.Hosts = resilience.NewHosts(resilience.HostsConfig{})
	}
	gate, err := NewGate(ClientConfig{UserAgent: cfg.UserAgent, AllowPrivate: cfg.AllowPrivate, Proxy: cfg.Proxy, Resolver: cfg.Resolver})
	if err != nil {
		return nil, err
	}
	r := &Reader{
		cfg:       cfg,
		gate:      gate,
		corpus:    corpus,
		extractor: extract.New(extract.Config{CacheDir: cfg.CacheDir, MaxDecoded: cfg.MaxDecoded, Logger: cfg.Logger}),
	}
	// robots.txt gets half of a page's time at most, so that some remains for the page.
	r.robots = newRobotsCache(productToken(cfg.UserAgent), r.gate, cfg.Timeout/2, cfg.Now)
	r.pages = &polite{next: r.gate, hosts: cfg.Hosts, pause: cfg.Pause, now: cfg.Now}
	return r, nil
}

// Close releases idle connections, the PDF library's compiled code and the browser. The reader must not be used after it.
func (r *Reader) Close() error {
	r.gate.CloseIdleConnections()
	if r.cfg.Renderer != nil {
		return errors.Join(r.cfg.Renderer.Close(), r.extractor.Close())
	}
	return r.extractor.Close()
}

// Read reads one address. It returns no error: the outcome is the page's status and reason.
//
// Concurrent readers of one address share one request, which has its own deadline. A caller that stops waiting does not
// cancel it: others may wait for it, or the caller will ask again.
func (r *Reader) Read(ctx context.Context, rawURL string) Page {
	start := r.cfg.Now()
	page := r.read(ctx, strings.TrimSpace(rawURL))
	page.URL = address.Redact(rawURL)
	page.Authors = slices.Clone(page.Authors) // readers that shared a request share nothing else
	page.FetchedAt = r.cfg.Now().UTC()
	if page.Status != StatusRead {
		page.Text, page.Furniture, page.Capture = "", nil, nil
	}
	r.cfg.Logger.Debug("page", "url", page.URL, "status", string(page.Status), "reason", page.Reason, "chars", page.Chars, "took",
		page.FetchedAt.Sub(start))
	return page
}

// ReadAll reads many addresses with bounded concurrency, and returns a page for each in the same order. A failure does not
// affect the others. Pages that were not started when ctx ended are timeouts with that reason. If each is not nil, it is
// called after every page, by one goroutine at a time.
func (r *Reader) ReadAll(ctx context.Context, urls []string, each func(i int, p Page)) []Page {
	pages := make([]Page, len(urls))
	var reading errgroup.Group
	reading.SetLimit(maxParallel)
	var mu sync.Mutex // serialises each
	for i := range urls {
		reading.Go(func() error {
			pages[i] = r.Read(ctx, urls[i])
			if each != nil {
				mu.Lock()
				defer mu.Unlock()
				each(i, pages[i])
			}
			return nil
		})
	}
	_ = reading.Wait() // no reading has an error
	return pages
}

// read reads an address of a file or of the web.
func (r *Reader) read(ctx context.Context, raw string) Page {
	if err := ctx.Err(); err != nil {
		return failed(err)
	}
	if file, ok := fileAddress(raw); ok {
		raw = file
	}
	if scheme, _, _ := strings.Cut(raw, ":"); strings.EqualFold(scheme, "file") {
		return r.guarded(ctx, raw, func(ctx context.Context) Page { return r.readFile(ctx, raw) })
	}
	return r.readWeb(ctx, raw)
}

// readWeb reads an address of the web, or a copy of it if it cannot be read. Concurrent reads of it share one request.
func (r *Reader) readWeb(ctx context.Context, raw string) Page {
	target, err := address.Parse(raw)
	if err == nil {
		err = r.gate.guard.checkHost(address.HostPort(target))
	}
	if err != nil {
		return failed(err)
	}
	target.Fragment, target.RawFragment = "", ""
	shared := r.reading.DoChan(target.String(), func() (any, error) {
		return r.guarded(context.WithoutCancel(ctx), target.String(),
			func(ctx context.Context) Page { return r.readOrCopy(ctx, target) }), nil
	})
	select {
	case got := <-shared:
		return got.Val.(Page)
	case <-ctx.Done():
		return failed(ctx.Err())
	}
}

func (r *Reader) readOrCopy(ctx context.Context, target *url.URL) Page {
	v := &visit{Reader: r, ignore: r.cfg.IgnoreRobots}
	if r.cfg.Copies == nil {
		return v.read(ctx, target)
	}
	direct, cancel := context.WithTimeout(ctx, time.Duration(directShare*float64(r.cfg.Timeout)))
	page := v.read(direct, target)
	cancel()
	if page.Status == StatusRead {
		return r.prove(ctx, target, page)
	}
	return r.copyOf(ctx, target, page)
}

// guarded bounds a reading by the time of a page, and converts a panic of a parser to a page: in a shared request it would end
// the process.
func (r *Reader) guarded(ctx context.Context, shown string, read func(context.Context) Page) (page Page) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Logger.Error("panic while reading a page", "url", shown, "panic", p, "stack", string(debug.Stack()))
			page = Page{Status: StatusError, Reason: "this page could not be parsed"}
		}
	}()
	return read(ctx)
}

// extract turns a body into the page's document and classifies it.
func (r *Reader) extract(ctx context.Context, page Page, contentType string, body []byte, base *url.URL) Page {
	x, err := r.extractor.Extract(ctx, contentType, body, base)
	if err != nil {
		f := failed(err)
		page.Status, page.Reason = f.Status, f.Reason
		if errors.Is(err, context.DeadlineExceeded) {
			page.Reason = fmt.Sprintf("its text was not extracted within %s; its parts are too many or too deep", r.cfg.Timeout)
		}
		return page
	}
	page.Document = x.Document
	page.Status, page.Reason = classify(x)
	if page.Status == StatusRead {
		page.Reason = x.Partial
	}
	page.NeedsScript = needsScript(x, page.Status, page.Reason)
	return page
}

// Examine extracts and classifies a body, as Read does with a server's response. Its arguments are those of
// [extract.Extractor.Extract]. The page has its document for every status, so that a person can see what was
// classified; a page whose status is not StatusRead must not be kept as a source.
func (r *Reader) Examine(ctx context.Context, contentType string, body []byte, base *url.URL) Page {
	return r.guarded(ctx, contentType, func(ctx context.Context) Page { return r.extract(ctx, Page{}, contentType, body, base) })
}
