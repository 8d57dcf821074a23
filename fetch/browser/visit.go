package browser

import (
	"context"
	"fmt"
	"net/url"
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
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// openVisit prepares a tab with its own proxy.
func openVisit(ctx context.Context, cfg Config, p *process, allow func(context.Context, *url.URL) error) (*visit, error) {
	proxy, err := openProxy(cfg.Gate, cfg.limits, cfg.Logger)
	if err != nil {
		return nil, err
	}
	v := &visit{cfg: cfg, proc: p, proxy: proxy, allow: allow, changed: make(chan struct{}, 1)}
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

// prepare opens the tab and sets all rules before anything is loaded.
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
		// chromedp enables all events, and a page can cause any number of them. So events that are not needed are disabled:
		// console, styles, nodes, workers.
		{runtime.Disable.Method, cdp.Empty{}},
		{log.Disable.Method, cdp.Empty{}},
		{css.Disable.Method, cdp.Empty{}},
		{dom.Disable.Method, cdp.Empty{}},
		{target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: false, Flatten: &yes}},
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{Discover: false}},
		{page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{Enabled: false}},

		{network.SetBypassServiceWorker.Method, network.SetBypassServiceWorkerParams{Bypass: true}},
		{page.AddScriptToEvaluateOnNewDocument.Method, page.AddScriptToEvaluateOnNewDocumentParams{Source: preludeScript,
			IncludeCommandLineAPI: &no}},
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
	v.proxy.close() // first, because a tab with open requests takes longer to close
	v.endTab()
}

// The time reserved for serialising the document: a share of the page's time, and no less than a busy machine needs for a
// large document.
const (
	reserve    = 0.2
	minReserve = 1500 * time.Millisecond
)

// read loads an address, waits until the page has settled or its time is over, and returns the document.
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
		return fetch.Rendered{}, context.DeadlineExceeded // there was no response yet
	}
	html, err := v.html(v.tab, v.cfg.MaxBytes)
	if err != nil {
		return fetch.Rendered{}, err
	}
	v.cfg.Logger.Debug("page rendered", "url", p.address, "settled", settled, "requests", p.requests, "bytes",
		v.proxy.bytes.Load(), "html", len(html))
	return fetch.Rendered{FinalURL: p.address, HTTPStatus: p.status, HTML: html}, nil
}

// load navigates to the address. The page may change its address afterwards.
func (v *visit) load(ctx context.Context, at *url.URL) error {
	got, err := cdp.Call(ctx, v.target, page.Navigate, page.NavigateParams{URL: at.String()})
	switch {
	case err != nil:
		return err
	case got.IsDownload:
		return fmt.Errorf("%w: the browser would download this address as a file", document.ErrUnsupported)
	case got.ErrorText == "", v.progress().documents > 1: // a script navigated away during loading
		return nil
	}
	return v.navigationError(got.ErrorText, at)
}

const (
	// Requests that are open longer than this are not waited for: they may be long polls.
	patience = 4 * time.Second
	// An unsettled page is checked again after this, or at the next event.
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
			// Between two documents no page can be watched.
		}
		if err := v.wait(ctx); err != nil {
			return err
		}
	}
}

// busy reports whether the page waits for responses.
func (p progress) busy(now time.Time) bool {
	for _, since := range p.open {
		if now.Sub(since) < patience {
			return true
		}
	}
	return false
}

// wait returns at the next event of the page, or after lookAgain.
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

// halt stops the page's scripts, even a running one, so that the document can be serialised.
func (v *visit) halt() {
	for _, c := range []struct {
		method string
		params any
	}{
		// These two work while a script runs; the others wait for it. In this order no other script can start in between.
		{emulation.SetScriptExecutionDisabled.Method, emulation.SetScriptExecutionDisabledParams{Value: true}},
		{runtime.TerminateExecution.Method, cdp.Empty{}},
		{page.StopLoading.Method, cdp.Empty{}},
		// If no script was running, the termination affects the next one: this one.
		{runtime.Evaluate.Method, runtime.EvaluateParams{Expression: "0"}},
	} {
		if err := v.target.Call(v.tab, c.method, c.params, nil); err != nil {
			v.cfg.Logger.Debug("halting a page", "method", c.method, "error", err)
		}
	}
}
