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
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/citeloop/citeloop/fetch"
)

// Browser renders pages with one Chromium, which it starts for the first page and again after a crash. It is safe for
// concurrent use.
type Browser struct {
	cfg    Config
	pages  chan struct{}
	start  singleflight.Group
	parent context.Context // of every process; ends with Close
	end    context.CancelFunc

	mu    sync.Mutex // guards the fields below
	now   *process   // nil if no process runs
	users int        // pages that are being rendered
	idle  *time.Timer
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
	if cfg.limits == (limits{}) {
		cfg.limits = pageLimits
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	b := &Browser{cfg: cfg, pages: make(chan struct{}, cfg.MaxPages)}
	b.parent, b.end = context.WithCancel(context.Background())
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
	b.enter()
	defer b.leave()
	p, err := b.running(ctx)
	if err != nil {
		return fetch.Rendered{}, err
	}
	v, err := openVisit(ctx, b.cfg, p, allow)
	if err != nil {
		return fetch.Rendered{}, p.explain(ctx, err)
	}
	defer v.close()
	got, err := v.read(ctx, target)
	if err != nil {
		return fetch.Rendered{}, p.explain(ctx, err)
	}
	return got, nil
}

// running returns the process, and starts it if necessary. Callers share a process that is starting, and one that stops
// waiting does not cancel it for the others.
func (b *Browser) running(ctx context.Context) (*process, error) {
	shared := b.start.DoChan("", func() (any, error) {
		b.mu.Lock()
		p := b.now
		b.mu.Unlock()
		if p.alive() {
			return p, nil
		}
		if p != nil {
			p.close()
		}
		p, err := startProcess(b.parent, b.cfg)
		if err != nil {
			return nil, err
		}
		b.mu.Lock()
		b.now = p
		b.mu.Unlock()
		return p, nil
	})
	select {
	case res := <-shared:
		if res.Err != nil {
			return nil, fmt.Errorf("the browser did not start: %w", res.Err)
		}
		return res.Val.(*process), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *Browser) enter() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.users++
	if b.idle != nil {
		b.idle.Stop()
	}
}

// leave ends the process after Idle unless another page comes.
func (b *Browser) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users--; b.users > 0 {
		return
	}
	b.idle = time.AfterFunc(b.cfg.Idle, func() {
		b.mu.Lock()
		p := b.now
		if b.users > 0 {
			p = nil
		} else {
			b.now = nil
		}
		b.mu.Unlock()
		p.close()
	})
}

// Close ends the process and waits for it. Pages in progress fail.
func (b *Browser) Close() error {
	b.end()
	b.mu.Lock()
	p := b.now
	b.now = nil
	if b.idle != nil {
		b.idle.Stop()
	}
	b.mu.Unlock()
	p.close()
	return nil
}
