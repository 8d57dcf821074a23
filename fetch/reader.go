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
	"time"

	"github.com/citeloop/citeloop/fetch/extract"
)

// Reader reads pages. It is safe for concurrent use. A process should have one, because it keeps connections, the rules
// of robots.txt and the limits per host.
type Reader struct {
	cfg       Config
	guard     guard
	transport *transport
	corpus    corpus
	robots    *robotsCache
	pages     http.RoundTripper // the transport with a bounded number of requests for each host
	reading   flights
	extractor *extract.Extractor
	libraries map[string]Library // by scheme
}

// New returns a reader. It fails if a corpus folder cannot be opened or an allowed address is malformed.
func New(cfg Config) (*Reader, error) {
	g, err := newGuard(cfg.AllowPrivate)
	if err != nil {
		return nil, err
	}
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
	r := &Reader{
		cfg:       cfg,
		guard:     g,
		transport: newTransport(g, cfg.UserAgent, cfg.Idle, cfg.Proxy, cfg.Resolver, true),
		corpus:    corpus,
		extractor: extract.New(extract.Config{CacheDir: cfg.CacheDir, MaxDecoded: cfg.MaxDecoded, Logger: cfg.Logger}),
	}
	// robots.txt gets half of a page's time at most, so that some remains for the page.
	r.robots = newRobotsCache(productToken(cfg.UserAgent), cfg.Timeout/2, cfg.Now, func(ctx context.Context, robots *url.URL) ([]byte, error) {
		return fetchRobots(ctx, r.transport, robots)
	})
	r.pages = r.polite(r.transport)
	return r, nil
}

// polite wraps a transport with the limits for each host. Each retry waits for a free slot; a request that fails after its
// retries counts as one failure.
func (r *Reader) polite(next http.RoundTripper) http.RoundTripper {
	gates := newHostGates(next, maxPerHost, r.cfg.Pause, r.robots.delay)
	again := &retries{next: gates, now: r.cfg.Now}
	return newCircuits(again, r.cfg.Now)
}

// AddLibrary reads addresses of a scheme, in lower case, from a library. It must be called before the reader is used.
func (r *Reader) AddLibrary(scheme string, l Library) {
	if r.libraries == nil {
		r.libraries = map[string]Library{}
	}
	r.libraries[scheme] = l
}

// Close releases idle connections, the PDF library's compiled code and the browser. The reader must not be used after it.
func (r *Reader) Close() error {
	r.transport.CloseIdleConnections()
	if r.cfg.Renderer != nil {
		return errors.Join(r.cfg.Renderer.Close(), r.extractor.Close())
	}
	return r.extractor.Close()
}

// guarded converts a panic of a parser to a page. A panic in a shared flight would end the process.
func (r *Reader) guarded(shown string, read func() Page) (page Page) {
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Logger.Error("panic while reading a page", "url", shown, "panic", p, "stack", string(debug.Stack()))
			page = Page{Status: StatusError, Reason: "this page could not be parsed"}
		}
	}()
	return read()
}

// permission is the state of the robots.txt checks of one page and its redirects.
type permission struct {
	ignore  bool // read pages that robots.txt forbids
	ignored bool // a forbidden page was read
}

// permitted checks an address against its site's robots.txt.
func (r *Reader) permitted(ctx context.Context, target *url.URL, p *permission) error {
	err := r.robots.allows(ctx, target)
	if p.ignore && errors.Is(err, errRobots) {
		p.ignored = true
		return nil
	}
	return err
}

// extract turns a body into the page's document and classifies it.
func (r *Reader) extract(ctx context.Context, page Page, contentType string, body []byte, base *url.URL) Page {
	x, err := r.extractor.Extract(ctx, contentType, body, base)
	if err != nil {
		f := failed(err)
		page.Status, page.Reason = f.Status, f.Reason
		if errors.Is(err, context.DeadlineExceeded) {
			page.Reason = "the page arrived, but its text was not extracted within the time allowed"
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
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.extractor.Extract(ctx, contentType, body, base)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Page{Status: StatusTimeout, Reason: fmt.Sprintf("reading it took longer than %s; its parts are too many or too deep", r.cfg.Timeout)}
	case err != nil:
		return failed(err)
	}
	page := Page{Document: x.Document}
	page.Status, page.Reason = classify(x)
	return page
}
