package browser

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

const (
	// A page needs one or two processes of some 100 MB each.
	defaultMaxPages = 2
	// For one page, even if the caller has more time. Chosen: half of the 25 s that a call may take.
	defaultTimeout = 12 * time.Second
	// The reader's own limit for a page after decompression.
	defaultMaxBytes = 20 << 20
	// Then the process is ended; starting it again takes a second.
	defaultIdle = 2 * time.Minute
)

// Config configures a [Browser].
type Config struct {
	Path      string        // of the program, as returned by Find
	Gate      Gate          // access to the network
	UserAgent string        // names the program and a contact; it is appended to Chromium's own
	NoSandbox bool          // Chromium runs without its sandbox; needed only for root
	Env       []string      // NAME=value of Variables; Chromium gets no others
	MaxPages  int           // concurrent pages; 0 = 2
	MaxBytes  int           // of a rendered document; 0 = 20 MiB
	Timeout   time.Duration // for one page, including the wait for its turn; 0 = 12 s
	Idle      time.Duration // after which a process without pages is ended; 0 = 2 minutes
	Logger    *slog.Logger

	flags  map[string]string // of Chromium, in tests
	limits limits            // others in tests
}

// limits of one page. The largest web applications send some 300 requests; chosen well above.
type limits struct {
	requests  int // including blocked ones
	documents int // including redirects and navigation by scripts
}

var (
	// ErrRoot means that Chromium's sandbox cannot work because the program runs as root.
	ErrRoot = errors.New("the sandbox of Chromium does not work as root")

	errClosed = errors.New("the browser is closed")
)

// Browser renders pages with one Chromium, which it starts for the first page and again after a crash. It is safe for
// concurrent use.
type Browser struct {
	cfg    Config
	pages  chan struct{}
	parent context.Context // of every process; ends with Close
	end    context.CancelFunc

	lock  chan struct{} // capacity one: guards the fields below, also while a process starts
	now   *process      // nil if no process runs
	users int           // pages that are being rendered
	idle  *time.Timer   // ends the process
}

// New returns a browser without starting it. It fails with ErrRoot if Chromium could not have a sandbox and NoSandbox is
// not set.
func New(cfg Config) (*Browser, error) {
	if cfg.Path == "" || cfg.Gate == nil {
		return nil, errors.New("browser: Path and Gate are required")
	}
	if runtime.GOOS == "linux" && os.Geteuid() == 0 && !cfg.NoSandbox {
		return nil, ErrRoot
	}
	cfg.MaxPages = cmp.Or(max(cfg.MaxPages, 0), defaultMaxPages)
	cfg.MaxBytes = cmp.Or(max(cfg.MaxBytes, 0), defaultMaxBytes)
	cfg.Timeout = cmp.Or(max(cfg.Timeout, 0), defaultTimeout)
	cfg.Idle = cmp.Or(max(cfg.Idle, 0), defaultIdle)
	cfg.limits = cmp.Or(cfg.limits, limits{requests: 2_000, documents: 10})
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	b := &Browser{cfg: cfg, pages: make(chan struct{}, cfg.MaxPages), lock: make(chan struct{}, 1)}
	b.parent, b.end = context.WithCancel(context.Background())
	b.idle = time.AfterFunc(cfg.Idle, b.rest)
	return b, nil
}

// Render implements [fetch.Renderer]. It waits while MaxPages pages are being rendered.
func (b *Browser) Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (fetch.Rendered, error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Timeout)
	defer cancel()
	select {
	case b.pages <- struct{}{}:
		defer func() { <-b.pages }()
	case <-ctx.Done():
		return fetch.Rendered{}, ctx.Err()
	}
	p, err := b.enter(ctx)
	if err != nil {
		return fetch.Rendered{}, err
	}
	defer b.leave()
	got, err := visitPage(ctx, b.cfg, p, target, allow)
	if err != nil {
		return fetch.Rendered{}, p.explain(ctx, err)
	}
	return got, nil
}

// enter returns the process for a page, and starts it if necessary. A process that is starting is waited for.
func (b *Browser) enter(ctx context.Context) (*process, error) {
	select {
	case b.lock <- struct{}{}:
		defer func() { <-b.lock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !b.now.alive() {
		b.now.close()
		var err error
		if b.now, err = startProcess(b.parent, b.cfg); err != nil {
			return nil, err
		}
	}
	b.users++
	b.idle.Stop()
	return b.now, nil
}

// leave ends the process after Idle unless another page comes.
func (b *Browser) leave() {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	if b.users--; b.users == 0 {
		b.idle.Reset(b.cfg.Idle)
	}
}

// rest ends the process if no page uses it.
func (b *Browser) rest() {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	if b.users == 0 {
		b.now.close()
		b.now = nil
	}
}

// Close ends the process and waits for it. Pages in progress fail.
func (b *Browser) Close() error {
	b.end()
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	b.idle.Stop()
	b.now.close()
	b.now = nil
	return nil
}
