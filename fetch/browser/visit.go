package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
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
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// visit is one page in its own browser context.
type visit struct {
	cfg    Config
	proc   *process
	allow  func(context.Context, *url.URL) error
	tab    context.Context // chromedp's
	target *chromedp.Target
	frame  cdp.FrameID // the page itself, not a frame in it

	changed chan struct{} // signals that a field below has changed; capacity one
	mu      sync.Mutex    // guards the fields below
	seen    progress
	abort   context.CancelFunc // ends the loading; nil before it starts
}

// progress is the known state of a page.
type progress struct {
	address   string                          // of the current document
	status    int                             // of the last document
	parsed    bool                            // the document is complete, although scripts may run
	open      map[network.RequestID]time.Time // requests without a response, with the time of each
	dropped   map[network.RequestID]bool      // blocked requests, which get no response
	steps     int                             // the number of changes
	requests  int                             // total
	documents int                             // of the page itself
	broken    string                          // the browser's error if a document of the page did not load
	failure   error                           // ends the visit
}

// visitPage loads an address in a new tab, waits until the page has settled or its time is nearly over, and returns the document.
func visitPage(ctx context.Context, cfg Config, p *process, at *url.URL, allow func(context.Context, *url.URL) error) (fetch.Rendered,
	error) {
	v := &visit{cfg: cfg, proc: p, allow: allow, changed: make(chan struct{}, 1)}
	v.seen.open, v.seen.dropped = map[network.RequestID]time.Time{}, map[network.RequestID]bool{}
	tab, endTab := chromedp.NewContext(p.ctx, chromedp.WithNewBrowserContext())
	defer endTab()
	v.tab = tab
	stop := context.AfterFunc(ctx, endTab)
	defer stop()
	if err := v.prepare(); err != nil {
		return fetch.Rendered{}, err
	}
	return v.read(ctx, at)
}

// prepare opens the tab and sets all rules before anything is loaded.
func (v *visit) prepare() error {
	if err := chromedp.Do(v.tab); err != nil {
		return err
	}
	c := chromedp.FromContext(v.tab)
	v.target, v.frame = c.Target, cdp.FrameID(c.Target.TargetID)
	if err := chromedp.Listen(v.tab, v.event); err != nil {
		return err
	}
	no, yes := false, true
	if _, err := cdp.Call(v.tab, c.Browser, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: c.BrowserContextID,
	}); err != nil {
		return err
	}
	return v.commands(false, []command{
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
		{cdpfetch.Enable.Method, cdpfetch.EnableParams{}},
	})
}

// command is a command of the DevTools protocol whose result is not needed.
type command struct {
	method string
	params any
}

// commands sends the browser commands, one after the other. It stops at the first error, unless all are to be sent.
func (v *visit) commands(all bool, list []command) error {
	for _, c := range list {
		if err := v.target.Call(v.tab, c.method, c.params, nil); err != nil {
			v.cfg.Logger.Debug("a command to the browser failed", "method", c.method, "error", err)
			if !all {
				return fmt.Errorf("%s: %w", c.method, err)
			}
		}
	}
	return nil
}

func (v *visit) progress() progress {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.seen
	p.open, p.dropped = maps.Clone(p.open), nil
	return p
}

// update changes the state and signals it to wait.
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

// fail ends the visit.
func (v *visit) fail(err error) {
	v.update(func(p *progress) {
		if p.failure == nil {
			p.failure = err
		}
	})
}

// The time reserved for serialising the document: a share of the page's time, and no less than a busy machine needs for a
// large document.
const (
	reserve    = 0.2
	minReserve = 1500 * time.Millisecond
)

func (v *visit) read(ctx context.Context, at *url.URL) (fetch.Rendered, error) {
	deadline, _ := ctx.Deadline() // Render sets one
	left := time.Until(deadline)
	loading, cancel := context.WithTimeout(v.tab, left-min(max(time.Duration(reserve*float64(left)), minReserve), left/2))
	defer cancel()
	v.mu.Lock()
	v.abort = cancel
	v.mu.Unlock()
	err := v.load(loading, at)
	if err == nil {
		err = v.settle(loading)
	}
	p := v.progress()
	switch {
	case p.failure != nil:
		return fetch.Rendered{}, p.failure
	case err != nil && loading.Err() == nil:
		return fetch.Rendered{}, err
	case ctx.Err() != nil || v.tab.Err() != nil:
		return fetch.Rendered{}, context.Canceled
	case err != nil:
		v.halt()
	}
	if p = v.progress(); p.status == 0 {
		return fetch.Rendered{}, context.DeadlineExceeded // there was no response yet
	}
	html, err := v.html()
	if err != nil {
		return fetch.Rendered{}, err
	}
	v.cfg.Logger.Debug("page rendered", "url", p.address, "requests", p.requests, "html", len(html))
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
	// A page is settled when no request is open and its document has not changed for this long. Chosen: three times the
	// usual time between a response and showing it.
	quietFor = 500 * time.Millisecond
	// Requests that are open longer than this are not waited for: they may be long polls.
	patience = 4 * time.Second
	// An unsettled page is checked again after this, or at the next event.
	lookAgain = 100 * time.Millisecond
)

// settle waits until the page has settled.
func (v *visit) settle(ctx context.Context) error {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		p := v.progress()
		if p.failure != nil {
			return p.failure
		}
		if p.parsed && !p.busy(time.Now()) {
			_, err := v.evaluate(ctx, fmt.Sprintf("(%s)(%d)", quietScript, quietFor.Milliseconds()), true)
			if err == nil && v.progress().steps == p.steps {
				return nil
			} else if err == nil {
				continue
			}
			// Between two documents no page can be watched.
		}
		select {
		case <-v.changed:
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
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

// halt stops the page's scripts, even a running one, so that the document can be serialised.
func (v *visit) halt() {
	_ = v.commands(true, []command{
		// These two work while a script runs; the others wait for it. In this order no other script can start in between.
		{emulation.SetScriptExecutionDisabled.Method, emulation.SetScriptExecutionDisabledParams{Value: true}},
		{runtime.TerminateExecution.Method, cdp.Empty{}},
		{page.StopLoading.Method, cdp.Empty{}},
		// If no script was running, the termination affects the next one: this one.
		{runtime.Evaluate.Method, runtime.EvaluateParams{Expression: "0"}},
	})
}

var (
	//go:embed serialise.js
	serialiseScript string
	//go:embed quiet.js
	quietScript string
	//go:embed prelude.js
	preludeScript string

	// errDocumentSize means that a document exceeds MaxBytes.
	errDocumentSize = errors.New("the document that the page's scripts made is too large")
)

// html returns the serialised document of the page.
func (v *visit) html() ([]byte, error) {
	limit := v.cfg.MaxBytes
	raw, err := v.evaluate(v.tab, fmt.Sprintf("(%s)(%d)", serialiseScript, limit), false)
	if err != nil {
		return nil, err
	}
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, fmt.Errorf("invalid document: %w", err)
	}
	if text == nil || len(*text) > limit {
		return nil, fmt.Errorf("%w: more than %d MiB", errDocumentSize, limit>>20)
	}
	return []byte(*text), nil
}

// evaluate runs a script in an isolated world of the page and returns its value as JSON.
func (v *visit) evaluate(ctx context.Context, script string, wait bool) ([]byte, error) {
	made, err := cdp.Call(ctx, v.target, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: v.frame, WorldName: "citeloop"})
	if err != nil {
		return nil, err
	}
	yes := true
	got, err := cdp.Call(ctx, v.target, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: made.ExecutionContextID, ReturnByValue: &yes, AwaitPromise: &wait, Silent: &yes,
	})
	if err != nil {
		return nil, err
	}
	if got.ExceptionDetails != nil || got.Result == nil {
		return nil, errors.New("citeloop's script failed in the page")
	}
	return got.Result.Value, nil
}
