package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/sync/semaphore"

	"github.com/citeloop/citeloop/fetch"
)

// Config configures a [Browser].
type Config struct {
	Path      string    // of the program, or its name in PATH, or Usual
	Connect   connector // of a [fetch.Gate]
	UserAgent string    // names the program and a contact; it is appended to Chromium's own
	NoSandbox bool      // Chromium runs without its sandbox; needed only for root

	limits limits            // others in tests
	flags  map[string]string // more of Chromium's, in tests
}

// connector opens a connection to a host:port under the address rules.
type connector func(ctx context.Context, hostport string) (net.Conn, error)

// limits bound one page.
type limits struct {
	time     time.Duration // with the start of Chromium and the wait for a turn, even if the caller has more
	bytes    int           // of the rendered document
	requests int           // blocked ones included
}

// Half of the 25 s that a call may take; the reader's own limit for a page after decompression; the largest web applications send
// some 300 requests. Chosen.
var usual = limits{time: 12 * time.Second, bytes: 20 << 20, requests: 2_000}

// maxPages is how many pages are rendered at a time. Each takes some 300 MB.
const maxPages = 2

var errCrashed = errors.New("the browser crashed")

// Browser renders each page with a Chromium of its own, which ends with the page. It is safe for concurrent use.
type Browser struct {
	cfg     Config
	turns   *semaphore.Weighted // one for each page that is being rendered
	closing context.Context     // ends with Close
	end     context.CancelFunc
}

// New returns a browser. Nothing starts before a page is rendered.
func New(cfg Config) *Browser {
	cfg.limits = cmp.Or(cfg.limits, usual)
	b := &Browser{cfg: cfg, turns: semaphore.NewWeighted(maxPages)}
	b.closing, b.end = context.WithCancel(context.Background())
	return b
}

// Close ends all processes and waits for them. Pages in progress and later ones fail.
func (b *Browser) Close() error {
	b.end()
	defer b.turns.Release(maxPages)
	return b.turns.Acquire(context.Background(), maxPages)
}

// Render implements [fetch.Renderer]. It waits while maxPages pages are being rendered.
func (b *Browser) Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (fetch.Rendered, error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.limits.time)
	defer cancel()
	defer context.AfterFunc(b.closing, cancel)()
	if err := b.turns.Acquire(ctx, 1); err != nil {
		return fetch.Rendered{}, err
	}
	defer b.turns.Release(1)
	got, err := b.render(ctx, target, allow)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	} else if errors.Is(err, context.Canceled) { // by chromedp, which has lost the process
		err = errCrashed
	}
	return got, err
}

// render starts Chromium, visits the page and ends Chromium.
func (b *Browser) render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (fetch.Rendered, error) {
	port, err := openProxy(ctx, b.cfg.Connect)
	if err != nil {
		return fetch.Rendered{}, err
	}
	process, end := chromedp.NewExecAllocator(ctx, options(b.cfg, port)...)
	defer end()
	quiet := func(string, ...any) {}
	tab, endTab := chromedp.NewContext(process, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	defer endTab()
	if err := chromedp.Do(tab); err != nil { // with the output of the program
		return fetch.Rendered{}, fmt.Errorf("the browser did not start: %.500s; if it has no sandbox here, run citeloop as another user "+
			"than root, allow user namespaces, or set CITELOOP_BROWSER_NO_SANDBOX=1 where the whole machine is a sandbox", err)
	}
	v := &visit{cfg: b.cfg, allow: allow, target: chromedp.FromContext(tab).Target}
	return v.read(tab, target)
}
