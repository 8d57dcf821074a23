package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// visit is one page in a browser context of its own.
type visit struct {
	cfg    Config
	proc   *process
	proxy  *pageProxy
	allow  func(context.Context, *url.URL) error
	tab    context.Context // chromedp's; ends with close, and with the caller's context
	endTab context.CancelFunc
	target *chromedp.Target
	frame  cdp.FrameID // of the page itself, not of frames in it

	changed chan struct{} // holds one word: something below has changed
	mu      sync.Mutex    // guards the fields below
	seen    progress
	abort   context.CancelFunc // ends the loading; set while it goes on
}

// progress is what the browser has told about a page.
type progress struct {
	address   string                          // of the document that is shown
	status    int                             // of the last document
	parsed    bool                            // the document is complete, though scripts go on
	open      map[network.RequestID]time.Time // when each request that has no answer yet was made
	dropped   map[network.RequestID]bool      // requests that were not let go, and need no answer
	steps     int                             // grows with everything that happens
	requests  int                             // in all
	documents int                             // of the page itself
	broken    string                          // what the browser said when a document of the page itself did not load
	failure   error                           // ends the visit
}

// open prepares a tab with a proxy of its own.
func (b *Browser) open(ctx context.Context, p *process, allow func(context.Context, *url.URL) error) (*visit, error) {
	proxy, err := openProxy(b.cfg.Gate, b.cfg.limits, b.cfg.Logger)
	if err != nil {
		return nil, err
	}
	v := &visit{cfg: b.cfg, proc: p, proxy: proxy, allow: allow, changed: make(chan struct{}, 1)}
	v.seen.open, v.seen.dropped = map[network.RequestID]time.Time{}, map[network.RequestID]bool{}
	tab, endTab := chromedp.NewContext(p.ctx, chromedp.WithNewBrowserContext(func(c *target.CreateBrowserContextParams) {
		c.ProxyServer, c.ProxyBypassList = proxy.url(), direct
	}))
	v.tab, v.endTab = tab, endTab
	unwatch := context.AfterFunc(ctx, endTab)
	defer unwatch()
	if err := v.prepare(); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// prepare makes the tab and sets all rules before anything is loaded.
func (v *visit) prepare() error {
	ctx := v.tab
	if err := chromedp.Do(ctx); err != nil {
		return err
	}
	c := chromedp.FromContext(ctx)
	v.target, v.frame = c.Target, cdp.FrameID(c.Target.TargetID)
	if err := chromedp.Listen(ctx, v.event); err != nil {
		return err
	}
	no, yes := false, true
	if _, err := cdp.Call(ctx, c.Browser, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: c.BrowserContextID,
	}); err != nil {
		return err
	}
	steps := []struct {
		method string
		params any
	}{
		// chromedp listens to all that happens. A page decides how much that is, so what is not needed goes: its
		// console, its styles, its nodes, its workers.
		{runtime.Disable.Method, cdp.Empty{}},
		{log.Disable.Method, cdp.Empty{}},
		{css.Disable.Method, cdp.Empty{}},
		{dom.Disable.Method, cdp.Empty{}},
		{target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: false, Flatten: &yes}},
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{Discover: false}},
		{page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{Enabled: false}},

		{network.SetBypassServiceWorker.Method, network.SetBypassServiceWorkerParams{Bypass: true}},
		{page.AddScriptToEvaluateOnNewDocument.Method, page.AddScriptToEvaluateOnNewDocumentParams{Source: preludeScript, IncludeCommandLineAPI: &no}},
		{emulation.SetUserAgentOverride.Method, emulation.SetUserAgentOverrideParams{UserAgent: v.proc.userAgent}},
		{cdpfetch.Enable.Method, cdpfetch.EnableParams{HandleAuthRequests: &yes}},
	}
	for _, s := range steps {
		if err := c.Target.Call(ctx, s.method, s.params, nil); err != nil {
			return fmt.Errorf("%s: %w", s.method, err)
		}
	}
	return nil
}

// close ends the page, its connections and its browser context.
func (v *visit) close() {
	v.proxy.close() // first: a tab with an open request takes longer to go
	v.endTab()
}

// The time that is kept for taking the document out of a page: a share of what the page has, and not less than a
// busy machine needs for a large one.
const (
	reserve    = 0.2
	minReserve = 1500 * time.Millisecond
)

// read loads an address, waits until the page has settled or the time for it is over, and takes the document.
func (v *visit) read(ctx context.Context, at *url.URL) (fetch.Rendered, error) {
	stop := context.AfterFunc(ctx, v.endTab)
	defer stop()
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(v.cfg.Timeout)
	}
	left := time.Until(deadline)
	kept := min(max(time.Duration(reserve*float64(left)), minReserve), left/2)
	loading, cancel := context.WithTimeout(v.tab, left-kept)
	defer cancel()
	v.mu.Lock()
	v.abort = cancel
	v.mu.Unlock()
	err := v.load(loading, at)
	if err == nil {
		err = v.settle(loading)
	}
	if failure := v.failed(); failure != nil {
		return fetch.Rendered{}, failure
	}
	settled := err == nil
	if err != nil && loading.Err() == nil {
		return fetch.Rendered{}, err
	}
	if ctx.Err() != nil || v.tab.Err() != nil {
		return fetch.Rendered{}, context.Canceled
	}
	if !settled {
		v.halt()
	}
	p := v.progress()
	if p.status == 0 {
		return fetch.Rendered{}, context.DeadlineExceeded // nothing has answered yet
	}
	html, err := v.html(v.tab, v.cfg.MaxBytes)
	if err != nil {
		return fetch.Rendered{}, err
	}
	v.cfg.Logger.Debug("page rendered", "url", p.address, "settled", settled, "requests", p.requests, "bytes", v.proxy.bytes.Load(), "html", len(html))
	return fetch.Rendered{FinalURL: p.address, HTTPStatus: p.status, HTML: html}, nil
}

// load navigates to the address. What the page does to its own address afterwards is the page's affair.
func (v *visit) load(ctx context.Context, at *url.URL) error {
	got, err := cdp.Call(ctx, v.target, page.Navigate, page.NavigateParams{URL: at.String()})
	switch {
	case err != nil:
		return err
	case got.IsDownload:
		return fmt.Errorf("%w: the browser would download this address as a file", document.ErrUnsupported)
	case got.ErrorText == "", v.progress().documents > 1: // a script went elsewhere while the first one was loading
		return nil
	}
	return v.navigationError(got.ErrorText, at)
}

// navigationError tells why a document did not load: for the proxy's reason where it has one, else for that of
// the browser.
func (v *visit) navigationError(text string, at *url.URL) error {
	if err := v.proxy.refusal(address.HostPort(at)); err != nil {
		return err
	}
	return fmt.Errorf("browser error: %s", strings.TrimPrefix(text, "net::"))
}

const (
	// A page is settled when no request is open and its document has not changed for this long. Chosen: three
	// times what pages need between an answer and what they show of it.
	quietFor = 500 * time.Millisecond
	// A request that is open for longer than this is taken for one that waits for news, and not waited for.
	patience = 4 * time.Second
	// A page that is not settled is looked at again after this, or when something happens.
	lookAgain = 100 * time.Millisecond
)

// settle waits until the page has settled.
func (v *visit) settle(ctx context.Context) error {
	for {
		p := v.progress()
		if p.failure != nil {
			return p.failure
		}
		if p.parsed && !p.busy(time.Now()) {
			err := v.documentQuiet(ctx)
			if after := v.progress(); err == nil && after.steps == p.steps {
				return nil
			} else if err == nil {
				continue
			}
			// The document cannot be watched now, as between two documents.
		}
		if err := v.wait(ctx); err != nil {
			return err
		}
	}
}

// busy reports a page that waits for answers.
func (p progress) busy(now time.Time) bool {
	for _, since := range p.open {
		if now.Sub(since) < patience {
			return true
		}
	}
	return false
}

// wait returns when something has happened to the page, or after a while.
func (v *visit) wait(ctx context.Context) error {
	again := time.NewTimer(lookAgain)
	defer again.Stop()
	select {
	case <-v.changed:
	case <-again.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// halt stops the page's scripts, a running one in the middle, so that the document can be taken.
func (v *visit) halt() {
	for _, c := range []struct {
		method string
		params any
	}{
		// These two reach a page whose script never ends; the others wait for it. In this order no other script
		// can begin between them.
		{emulation.SetScriptExecutionDisabled.Method, emulation.SetScriptExecutionDisabledParams{Value: true}},
		{runtime.TerminateExecution.Method, cdp.Empty{}},
		{page.StopLoading.Method, cdp.Empty{}},
		// When no script was running, the next one is ended in its place: this one.
		{runtime.Evaluate.Method, runtime.EvaluateParams{Expression: "0"}},
	} {
		if err := v.target.Call(v.tab, c.method, c.params, nil); err != nil {
			v.cfg.Logger.Debug("halting a page", "method", c.method, "error", err)
		}
	}
}

// progress is a copy of what is known now.
func (v *visit) progress() progress {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.seen
	p.open, p.dropped = maps.Clone(p.open), nil
	return p
}

// failed is why the visit must end without a document, or nil.
func (v *visit) failed() error {
	if err := v.progress().failure; err != nil {
		return err
	}
	return v.proxy.exceeded()
}

// fail ends the visit.
func (v *visit) fail(err error) {
	v.update(func(p *progress) {
		if p.failure == nil {
			p.failure = err
		}
	})
}

// update changes what is known and wakes who waits for it.
func (v *visit) update(change func(*progress)) {
	v.mu.Lock()
	change(&v.seen)
	v.seen.steps++
	if v.seen.failure != nil && v.abort != nil {
		v.abort()
	}
	v.mu.Unlock()
	select {
	case v.changed <- struct{}{}:
	default:
	}
}

var errTab = errors.New("the page crashed its browser tab")
