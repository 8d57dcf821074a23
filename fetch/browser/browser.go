package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch"
)

// Config configures a [Browser].
type Config struct {
	Path      string   // of the program, as returned by Find
	Gate      Gate     // access to the network
	UserAgent string   // names the program and a contact; it is appended to Chromium's own
	NoSandbox bool     // Chromium runs without its sandbox; needed only for root
	Env       []string // NAME=value of Variables; Chromium gets no others
	Logger    *slog.Logger

	limits limits            // others in tests
	flags  map[string]string // more of Chromium's, in tests
}

// limits bound one page.
type limits struct {
	time      time.Duration // with the start of Chromium and the wait for a turn, even if the caller has more
	bytes     int           // of the rendered document
	requests  int           // blocked ones included
	documents int           // redirects and navigation by scripts included
}

// Half of the 25 s that a call may take; the reader's own limit for a page after decompression; the largest web applications send
// some 300 requests. Chosen.
var usual = limits{time: 12 * time.Second, bytes: 20 << 20, requests: 2_000, documents: 10}

// maxPages is how many pages are rendered at a time. Each takes some 300 MB.
const maxPages = 2

var (
	// ErrRoot means that Chromium's sandbox cannot work because the program runs as root.
	ErrRoot = errors.New("the sandbox of Chromium does not work as root")

	errClosed  = errors.New("the browser is closed")
	errCrashed = errors.New("the browser crashed")
)

// Browser renders each page with a Chromium of its own, which ends with the page. It is safe for concurrent use.
type Browser struct {
	cfg     Config
	turns   chan struct{}   // one for each page that is being rendered
	closing context.Context // ends with Close
	end     context.CancelFunc
	closed  sync.Once
}

// New returns a browser. It fails with ErrRoot if Chromium could not have a sandbox and NoSandbox is not set.
func New(cfg Config) (*Browser, error) {
	if cfg.Path == "" || cfg.Gate == nil {
		return nil, errors.New("browser: Path and Gate are required")
	}
	if runtime.GOOS == "linux" && os.Geteuid() == 0 && !cfg.NoSandbox {
		return nil, ErrRoot
	}
	cfg.limits = cmp.Or(cfg.limits, usual)
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	b := &Browser{cfg: cfg, turns: make(chan struct{}, maxPages)}
	b.closing, b.end = context.WithCancel(context.Background())
	return b, nil
}

// Close ends all processes and waits for them. Pages in progress fail.
func (b *Browser) Close() error {
	b.closed.Do(func() {
		b.end()
		for range maxPages {
			b.turns <- struct{}{}
		}
	})
	return nil
}

// Render implements [fetch.Renderer]. It waits while maxPages pages are being rendered.
func (b *Browser) Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (fetch.Rendered, error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.limits.time)
	defer cancel()
	defer context.AfterFunc(b.closing, cancel)()
	if b.closing.Err() != nil {
		return fetch.Rendered{}, errClosed
	}
	select {
	case b.turns <- struct{}{}:
		defer func() { <-b.turns }()
	case <-ctx.Done():
		return fetch.Rendered{}, ctx.Err()
	}
	got, err := b.render(ctx, target, allow)
	switch {
	case err == nil:
		return got, nil
	case b.closing.Err() != nil:
		return fetch.Rendered{}, errClosed
	case ctx.Err() != nil:
		return fetch.Rendered{}, ctx.Err()
	case errors.Is(err, context.Canceled): // by chromedp, which has lost the process
		return fetch.Rendered{}, errCrashed
	}
	return fetch.Rendered{}, err
}

// render starts Chromium, visits the page and ends Chromium.
func (b *Browser) render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (fetch.Rendered, error) {
	proxy, err := openProxy(b.cfg.Gate, b.cfg.Logger)
	if err != nil {
		return fetch.Rendered{}, err
	}
	defer proxy.close()
	process, end := chromedp.NewExecAllocator(ctx, options(b.cfg, proxy)...)
	defer end()
	say := func(format string, args ...any) {
		b.cfg.Logger.Debug("chromium", "message", fmt.Sprintf(format, args...))
	}
	tab, endTab := chromedp.NewContext(process, chromedp.WithLogf(say), chromedp.WithErrorf(say))
	defer endTab()
	if err := chromedp.Do(tab); err != nil {
		return fetch.Rendered{}, fmt.Errorf("the browser did not start: %w", explainStart(err, b.cfg.NoSandbox))
	}
	v := &visit{cfg: b.cfg, proxy: proxy, allow: allow, target: chromedp.FromContext(tab).Target}
	return v.read(tab, target)
}

// explainStart adds a remedy to the error of a failed start.
func explainStart(err error, noSandbox bool) error {
	said := err.Error()
	if !noSandbox && (strings.Contains(said, "No usable sandbox") || strings.Contains(said, "sandbox_host") ||
		strings.Contains(said, "Operation not permitted")) {
		return errors.New("the system does not allow Chromium's sandbox (user namespaces are off): allow them, or set " +
			"CITELOOP_BROWSER_NO_SANDBOX=1 where the whole machine is a sandbox")
	}
	if len(said) > 500 { // its whole output
		said = said[:500] + " …"
	}
	return errors.New(said)
}
