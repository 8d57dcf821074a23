package browser

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// visit is the reading of one page in its Chromium.
type visit struct {
	cfg    Config
	allow  func(context.Context, *url.URL) error
	target *chromedp.Target
	tab    context.Context // chromedp's; ends when the visit fails, with the failure as its cause
	fail   context.CancelCauseFunc
	frame  cdp.FrameID // the page itself, not a frame in it

	mu   sync.Mutex // guards seen
	seen progress
}

// progress is the known state of a page.
type progress struct {
	requests, documents int       // so far
	loading             *url.URL  // the last document that was asked for
	pending             bool      // it has not arrived
	settles             time.Time // when its requests need no more waiting; zero = they do
	broken              string    // the browser's error if it did not load
}

// loadShare is the part of a page's time after which it is serialised as it is.
const loadShare = 0.75

// read loads an address, waits until the page has settled or its time is nearly over, and returns the document.
func (v *visit) read(tab context.Context, at *url.URL) (fetch.Rendered, error) {
	v.tab, v.fail = context.WithCancelCause(tab)
	defer v.fail(nil)
	deadline, _ := v.tab.Deadline() // Render sets one
	loading, cancel := context.WithTimeout(v.tab, time.Duration(loadShare*float64(time.Until(deadline))))
	defer cancel()
	err := v.prepare()
	if err == nil {
		err = v.load(loading, at)
	}
	var got fetch.Rendered
	if err == nil {
		v.settle(loading)
		got, err = v.document()
	}
	if failure := context.Cause(v.tab); failure != nil {
		err = failure
	}
	return got, err
}

// prepare sets all rules before anything is loaded.
func (v *visit) prepare() error {
	v.frame = cdp.FrameID(v.target.TargetID)
	if err := chromedp.Listen(v.tab, v.event); err != nil {
		return err
	}
	version, err := chromedp.CallBrowser(v.tab, cdpbrowser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	if _, err := chromedp.CallBrowser(v.tab, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny}); err != nil {
		return err
	}
	// The user agent of the same browser with a window, followed by ours: sites must not serve other pages to a headless one.
	agent := strings.TrimSpace(strings.ReplaceAll(version.UserAgent, "HeadlessChrome/", "Chrome/") + " " + v.cfg.UserAgent)
	flat := true
	for _, c := range []struct {
		method string
		params any
	}{
		// chromedp enables all events, and a page can cause any number of them. So events that are not needed are disabled:
		// console, styles, nodes, workers.
		{runtime.Disable.Method, cdp.Empty{}},
		{log.Disable.Method, cdp.Empty{}},
		{css.Disable.Method, cdp.Empty{}},
		{dom.Disable.Method, cdp.Empty{}},
		{target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: false, Flatten: &flat}},
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{Discover: false}},

		{network.SetBypassServiceWorker.Method, network.SetBypassServiceWorkerParams{Bypass: true}},
		{emulation.SetUserAgentOverride.Method, emulation.SetUserAgentOverrideParams{UserAgent: agent}},
		{cdpfetch.Enable.Method, cdpfetch.EnableParams{}},
	} {
		if err := v.target.Call(v.tab, c.method, c.params, nil); err != nil {
			return fmt.Errorf("%s: %w", c.method, err)
		}
	}
	return nil
}

// update changes the known state of the page.
func (v *visit) update(change func(*progress)) progress {
	v.mu.Lock()
	defer v.mu.Unlock()
	change(&v.seen)
	return v.seen
}

// patience is how long one or two open requests are waited for: they may be long polls.
const patience = 4 * time.Second

// event handles an event of the browser. One goroutine calls it, and it must not wait for the browser.
func (v *visit) event(ev any) {
	switch ev := ev.(type) {
	case *cdpfetch.EventRequestPaused:
		now := v.update(func(p *progress) { p.requests++ })
		if now.requests > v.cfg.limits.requests { // the request stays paused
			v.fail(fmt.Errorf("the page exceeded a limit: more than %d requests", v.cfg.limits.requests))
			return
		}
		go v.decide(ev)
	case *page.EventJavascriptDialogOpening:
		go v.send(page.HandleJavaScriptDialog.Method, page.HandleJavaScriptDialogParams{Accept: false})
	case *inspector.EventTargetCrashed:
		v.fail(errCrashed)
	case *network.EventLoadingFailed:
		if ev.Type == network.ResourceTypeDocument { // of the page itself: documents of frames are not requested
			v.update(func(p *progress) { p.pending, p.broken = false, ev.ErrorText })
		}
	case *page.EventLifecycleEvent:
		if ev.FrameID == v.frame {
			v.update(func(p *progress) { p.reach(ev.Name, time.Now()) })
		}
	}
}

// reach records a stage in the life of the page's document: its beginning, at most two open requests for half a second, none.
func (p *progress) reach(stage string, now time.Time) {
	switch stage {
	case "init":
		p.pending, p.settles = false, time.Time{}
	case "networkAlmostIdle":
		p.settles = now.Add(patience)
	case "networkIdle":
		p.settles = now
	}
}

// send sends the browser a command and ignores its result.
func (v *visit) send(method string, params any) {
	_ = v.target.Call(v.tab, method, params, nil)
}

// load navigates to the address. The page may change its address afterwards.
func (v *visit) load(ctx context.Context, at *url.URL) error {
	got, err := cdp.Call(ctx, v.target, page.Navigate, page.NavigateParams{URL: at.String()})
	switch {
	case err != nil && ctx.Err() != nil && v.tab.Err() == nil:
		return context.DeadlineExceeded
	case err != nil:
		return err
	case got.ErrorText == "" || v.update(func(*progress) {}).documents > 1: // a script has navigated away meanwhile
		return nil
	}
	return unreached(got.ErrorText, at)
}

// unreached says why a document did not load.
func unreached(text string, at *url.URL) error {
	return fmt.Errorf("browser error at %s: %s", at.Host, strings.TrimPrefix(text, "net::"))
}

const (
	// A page is settled when its requests need no more waiting and its document has not changed for this long. Chosen: three
	// times the usual time between a response and showing it.
	quietFor = 500 * time.Millisecond
	// lookAgain is how often an unsettled page is looked at.
	lookAgain = 50 * time.Millisecond
)

// settle waits until the page has settled or ctx ends.
func (v *visit) settle(ctx context.Context) {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
		before := v.update(func(*progress) {})
		if before.pending || before.settles.IsZero() || time.Now().Before(before.settles) {
			continue
		}
		// Between two documents no page can be watched.
		_, err := evaluate[bool](ctx, v, quietScript, int(quietFor.Milliseconds()))
		if now := v.update(func(*progress) {}); err == nil && now.documents == before.documents {
			return
		}
	}
}

var (
	//go:embed serialise.js
	serialiseScript string
	//go:embed quiet.js
	quietScript string
)

// document returns the document of the page, its address and its status.
func (v *visit) document() (got fetch.Rendered, err error) {
	limit := v.cfg.limits.bytes
	said, err := evaluate[struct {
		URL, Type string
		Status    int
		HTML      *string
	}](v.tab, v, serialiseScript, limit)
	if err != nil {
		return got, err
	}
	p := v.update(func(*progress) {})
	switch {
	case p.loading != nil && !strings.HasPrefix(said.URL, "http"): // the browser's own page about an error
		return got, unreached(p.broken, p.loading)
	case said.Status == 0: // there was no response yet
		return got, context.DeadlineExceeded
	case !slices.Contains([]string{document.TypeHTML, "application/xhtml+xml", document.TypePlain}, said.Type):
		return got, fmt.Errorf("%w: the page leads to %s, which cannot be rendered", document.ErrUnsupported, said.Type)
	case said.HTML == nil || len(*said.HTML) > limit:
		return got, fmt.Errorf("the document that the page's scripts made is too large: more than %d MiB", limit>>20)
	}
	return fetch.Rendered{FinalURL: said.URL, HTTPStatus: said.Status, HTML: []byte(*said.HTML)}, nil
}

// evaluate calls a function in an isolated world of the page and returns its value, or that of its promise.
func evaluate[T any](ctx context.Context, v *visit, function string, argument int) (value T, err error) {
	made, err := cdp.Call(ctx, v.target, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: v.frame, WorldName: "citeloop"})
	if err != nil {
		return value, err
	}
	inWorld := func(p *runtime.EvaluateParams) { p.ContextID = made.ExecutionContextID }
	call := fmt.Sprintf("(%s)(%d)", function, argument)
	return chromedp.Evaluate[T](call, inWorld, chromedp.EvalAwaitPromise, chromedp.EvalIgnoreExceptions)(ctx, v.target)
}
