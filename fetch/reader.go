package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/sync/singleflight"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/httpcache"
	"github.com/citeloop/citeloop/internal/resilience"
)

// Default limits.
const (
	// A call ends after 25 s; its pages must end earlier.
	defaultTimeout = 20 * time.Second
	// The largest of 751 labelled pages has 3.3 MB; papers and standards as HTML reach 15 MB.
	defaultMaxBytes = 20 << 20
	// The same as on the wire. HTML of this size needs some 400 MB during extraction, so a higher limit is not possible.
	defaultMaxDecoded = 20 << 20
	defaultRedirects  = 10 // browsers stop at 20
	// Browsers open six connections to a host for a waiting person; a program takes two.
	defaultMaxPerHost = 2
	// Ten requests a second to a host are fewer than a browser sends for one page.
	defaultPause   = 100 * time.Millisecond
	pageCacheBytes = 256 << 20
	// Concurrent pages of a batch. They wait for the network; extraction has its own limit.
	maxParallel = 8
)

// Config configures a [Reader]. Its zero value reads public pages with the limits above.
type Config struct {
	UserAgent    string        // names the program and a contact; its first word is the robots.txt product token
	AllowPrivate []string      // host:port pairs, as a URL names them, that may be private
	Corpus       []string      // folders inside which file: addresses may be read
	Timeout      time.Duration // for a page with its robots.txt and redirects; 0 = 20 s
	Idle         time.Duration // longest time between two bytes of a page's body; 0 = 10 s
	MaxBytes     int64         // of a page on the wire; 0 = 20 MiB
	MaxDecoded   int64         // of a page after decompression; 0 = 20 MiB
	MaxRedirects int           // 0 = 10
	MaxPerHost   int           // concurrent requests to one host and port; 0 = 2
	Pause        time.Duration // between the starts of two requests to one host and port; 0 = 100 ms, less than 0 = none
	CacheDir     string        // for compiled code, which saves 2 s at the first PDF; empty = no cache
	PageCache    string        // folder of an HTTP cache of up to 256 MiB; empty = none
	Renderer     Renderer      // renders pages that need JavaScript, closed with the reader; nil = they are not read
	KeepBody     int64         // longest body in a page's Capture, in bytes; 0 = none
	Copies       *Copies       // services that find copies of pages that cannot be read; nil = none
	// IgnoreRobots reads the requested addresses and their redirects even if robots.txt forbids it, and marks the page.
	// Copies of a page were not requested and still follow robots.txt.
	IgnoreRobots bool
	Now          func() time.Time
	Logger       *slog.Logger
	Proxy        func(*url.URL) (*url.URL, error) // nil = from the environment
	Resolver     *net.Resolver                    // nil = the system's
}

// Reader reads pages. It is safe for concurrent use. A process should have one, because it keeps connections, the rules
// of robots.txt and the limits per host.
type Reader struct {
	cfg       Config
	guard     guard
	transport *transport
	corpus    []string // folders, with links resolved
	robots    *robotsCache
	pages     http.RoundTripper // the transport with a bounded number of requests for each host
	reading   singleflight.Group
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
	cfg.MaxBytes = cmp.Or(max(cfg.MaxBytes, 0), defaultMaxBytes)
	cfg.MaxDecoded = cmp.Or(max(cfg.MaxDecoded, 0), defaultMaxDecoded)
	cfg.MaxRedirects = cmp.Or(max(cfg.MaxRedirects, 0), defaultRedirects)
	cfg.MaxPerHost = cmp.Or(max(cfg.MaxPerHost, 0), defaultMaxPerHost)
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
	r.robots = newRobotsCache(productToken(cfg.UserAgent), cfg.Timeout/2, cfg.Now, r.fetchRobots)
	r.pages = r.polite(r.transport)
	return r, nil
}

// polite wraps a transport with the limits for each host. Each retry waits for a free slot; a request that fails after its
// retries counts as one failure.
func (r *Reader) polite(next http.RoundTripper) http.RoundTripper {
	gates := &hostGates{next: next, limit: r.cfg.MaxPerHost, pause: r.cfg.Pause, asked: r.robots.delay, now: time.Now, wait: resilience.Sleep, gates: map[string]*hostGate{}}
	again := &retries{next: gates, now: r.cfg.Now, wait: resilience.Sleep}
	whole := newCircuits(again, r.cfg.Now)
	if r.cfg.PageCache == "" {
		return whole
	}
	return &httpcache.Transport{Next: whole, Dir: r.cfg.PageCache, MaxBytes: pageCacheBytes, MaxBody: r.cfg.MaxBytes, Now: r.cfg.Now, Logger: r.cfg.Logger}
}

// Close releases idle connections, the PDF library's compiled code and the browser. The reader must not be used after it.
func (r *Reader) Close() error {
	r.transport.CloseIdleConnections()
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
	page := r.read(ctx, rawURL)
	page.URL = address.Redact(rawURL)
	page.Authors = slices.Clone(page.Authors) // readers that shared a request share nothing else
	now := r.cfg.Now().UTC()
	page.Took = now.Sub(start)
	if page.FetchedAt.IsZero() { // else it came from the cache
		page.FetchedAt = now
	}
	if page.Status != StatusRead {
		page.Text, page.Markdown, page.Runs, page.References, page.Capture = "", "", nil, nil, nil
	}
	r.cfg.Logger.Debug("page", "url", page.URL, "status", string(page.Status), "reason", page.Reason, "chars", page.Chars, "took", page.Took)
	return page
}

func (r *Reader) read(ctx context.Context, rawURL string) Page {
	if err := ctx.Err(); err != nil {
		return failed(err)
	}
	rawURL = strings.TrimSpace(rawURL)
	if file, ok := fileAddress(rawURL); ok {
		rawURL = file
	}
	if scheme, _, ok := strings.Cut(rawURL, ":"); ok && strings.EqualFold(scheme, "file") {
		return r.guarded(rawURL, func() Page { return r.readFile(ctx, rawURL) })
	}
	if scheme, library := r.libraryOf(rawURL); library != nil {
		return r.guarded(rawURL, func() Page { return r.readLibrary(ctx, rawURL, scheme, library) })
	}
	target, err := address.Parse(rawURL)
	if err != nil {
		return failed(err)
	}
	if err := r.guard.checkHost(address.HostPort(target)); err != nil {
		return failed(err)
	}
	target.Fragment, target.RawFragment = "", ""
	shared := r.reading.DoChan(target.String(), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.cfg.Timeout)
		defer cancel()
		return r.guarded(target.String(), func() Page { return r.readHTTP(ctx, target) }), nil
	})
	select {
	case res := <-shared:
		return res.Val.(Page)
	case <-ctx.Done():
		return failed(ctx.Err())
	}
}

// ReadAll reads many addresses with bounded concurrency, and returns a page for each in the same order. A failure does not
// affect the others. Pages that were not started when ctx ended are timeouts with that reason. If each is not nil, it is
// called after every page, by one goroutine at a time.
func (r *Reader) ReadAll(ctx context.Context, urls []string, each func(i int, p Page)) []Page {
	pages := make([]Page, len(urls))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex // serialises each
	for range min(maxParallel, len(urls)) {
		wg.Go(func() {
			for i := range next {
				pages[i] = r.Read(ctx, urls[i])
				if each != nil {
					mu.Lock()
					each(i, pages[i])
					mu.Unlock()
				}
			}
		})
	}
	for i := range urls {
		next <- i // a worker whose context ended answers at once, so this cannot hang
	}
	close(next)
	wg.Wait()
	return pages
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

// readHTTP reads a checked target, or a copy of it if it cannot be read.
func (r *Reader) readHTTP(ctx context.Context, target *url.URL) Page {
	if r.cfg.Copies == nil {
		return r.readDirect(ctx, target, &permission{ignore: r.cfg.IgnoreRobots})
	}
	direct, cancel := context.WithTimeout(ctx, time.Duration(directShare*float64(r.cfg.Timeout)))
	page := r.readDirect(direct, target, &permission{ignore: r.cfg.IgnoreRobots})
	cancel()
	if page.Status == StatusRead {
		return r.prove(ctx, target, page)
	}
	return r.copyOf(ctx, target, page)
}

// readDirect reads a checked target: robots.txt, the page with its redirects, the text.
func (r *Reader) readDirect(ctx context.Context, target *url.URL, p *permission) Page {
	page := r.readPermitted(ctx, target, p)
	page.RobotsIgnored = p.ignored
	return page
}

func (r *Reader) readPermitted(ctx context.Context, target *url.URL, p *permission) Page {
	if err := r.permitted(ctx, target, p); err != nil {
		return r.failedThere(ctx, err)
	}
	resp, body, err := r.get(ctx, target, p)
	if err != nil {
		page := r.failedThere(ctx, err)
		if resp != nil {
			page.HTTPStatus, page.FinalURL = resp.StatusCode, resp.Request.URL.String()
		}
		return page
	}
	page := answered(resp, r.cfg.Now())
	if at, ok := httpcache.StoredAt(resp); ok {
		page.FetchedAt = at
	}
	if page.Status != StatusRead {
		return challenge(page, resp, body)
	}
	page = r.extract(ctx, page, resp.Header.Get("Content-Type"), body, resp.Request.URL)
	if page.NeedsScript {
		return r.rendered(ctx, page, resp.Request.URL, p)
	}
	if page.Status == StatusRead {
		page.Capture = r.captured(resp, body)
	}
	return page
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

// acceptPages names Markdown first: some sites offer it to programs, and the others ignore it.
const acceptPages = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1"

// get sends one request and reads its body. On an error it also returns the response, if there is one, with its body
// closed.
func (r *Reader) get(ctx context.Context, target *url.URL, p *permission) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the address is not valid: %w", err)
	}
	req.Header.Set("Accept", acceptPages)
	req.Header.Set("Accept-Encoding", acceptEncoding)
	// Some publishers redirect to the same address until they get their cookie back. The jar is for this page only, so that
	// no site can track the reader.
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, nil, err
	}
	client := http.Client{Transport: r.pages, Jar: jar, CheckRedirect: redirectPolicy(r.cfg.MaxRedirects, func(req *http.Request) error {
		return r.permitted(req.Context(), req.URL, p)
	})}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	maxWire, maxDecoded := r.cfg.MaxBytes, r.cfg.MaxDecoded
	if resp.StatusCode >= 400 {
		// The status decides; the body of an error page is only used to recognise a challenge.
		body, _ := readBody(resp, min(maxWire, errorBytes), min(maxDecoded, errorBytes))
		return resp, body, nil
	}
	// An unsupported type is recognised by its header, before the body is received.
	if err := extract.MayRead(resp.Header.Get("Content-Type"), resp.Request.URL); err != nil {
		return resp, nil, err
	}
	body, err := readBody(resp, maxWire, maxDecoded)
	return resp, body, err
}

// errorBytes is how much of an error page is read.
const errorBytes = 64 << 10
