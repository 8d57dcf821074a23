// Package browsertest drives a real Chromium in tests. It records what a page requests and the errors that it reports.
package browsertest

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Variable names the environment variable with the path of the Chromium for tests.
const Variable = "CITELOOP_TEST_CHROMIUM"

const (
	// hangAfter ends a step, or waiting for a page, with a message about it. It is no limit of speed: a busy machine makes
	// everything slow.
	hangAfter = time.Minute
	// lookEvery is how often a condition on a page is checked.
	lookEvery = 50 * time.Millisecond
)

// Browser is a running Chromium. One is enough for many tabs: each has its own cookies.
type Browser struct{ ctx context.Context }

// Open starts a Chromium until the test ends. It skips the test if [Variable] is not set, or under -short.
func Open(t testing.TB) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: -short starts no browser")
	}
	path := os.Getenv(Variable)
	if path == "" {
		t.Skipf("skipped: %s does not name a Chromium", Variable)
	}
	// chromedp creates and removes the profile. In t.TempDir, the last processes of the browser could still be writing
	// when the test removes it, and the test would fail.
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck, chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("no-sandbox", os.Geteuid() == 0)}
	for _, off := range []string{"gpu", "quic", "sync", "background-networking", "component-update", "dev-shm-usage"} {
		options = append(options, chromedp.Flag("disable-"+off, true))
	}
	alloc, endAlloc := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(endAlloc)
	ctx, end := chromedp.NewContext(alloc)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return &Browser{ctx}
}

// Tab is a page in a Chromium. Its methods fail the test on errors.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu         sync.Mutex
	requests   []string
	documents  []string    // the requests that were navigations
	complaints [][2]string // errors of the page, each with the address that it is about, if any
}

// Tab opens an empty tab without cookies until the test ends.
func (b *Browser) Tab(t testing.TB) *Tab {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	tab := &Tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.heard); err != nil {
		t.Fatal(err)
	}
	tab.call(network.Enable.Method, network.EnableParams{})
	tab.call(log.Enable.Method, cdp.Empty{})
	tab.call(runtime.Enable.Method, cdp.Empty{})
	return tab
}

// heard handles an event in chromedp's reading loop, so it must not block.
func (b *Tab) heard(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	complain := func(what, of string) { b.complaints = append(b.complaints, [2]string{what, of}) }
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, ev.Request.URL)
		if ev.Type == network.ResourceTypeDocument {
			b.documents = append(b.documents, ev.Request.URL)
		}
	case *network.EventLoadingFailed:
		if ev.BlockedReason != "" {
			complain("blocked: "+string(ev.BlockedReason), "")
		}
	case *runtime.EventExceptionThrown:
		complain("exception: "+ev.ExceptionDetails.Text, "")
	case *runtime.EventConsoleAPICalled:
		complain("console: "+string(ev.Type), "")
	case *log.EventEntryAdded:
		switch entry := ev.Entry; {
		case entry.Level != log.EntryLevelError && entry.Level != log.EntryLevelWarning:
		case entry.Source == log.EntrySourceNetwork:
			complain(entry.Text+" "+entry.URL, entry.URL)
		default:
			complain(entry.Text+" "+entry.URL, "")
		}
	case *page.EventWindowOpen:
		complain("a window opens: "+ev.URL, "")
	case *page.EventJavascriptDialogOpening:
		complain("a dialog opens: "+ev.Message, "")
		go func() { // a dialog blocks the page until it is answered
			_, _ = cdp.Call(b.ctx, chromedp.FromContext(b.ctx).Target, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}()
	}
}

// Forget clears the recorded requests and complaints of the page.
func (b *Tab) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests, b.documents, b.complaints = nil, nil, nil
}

// Quiet fails for each request to another origin, and for each complaint since the last Forget: console errors,
// exceptions, dialogs, new windows, blocked requests. An error status of a navigation is not a complaint.
func (b *Tab) Quiet(ours func(url string) bool) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.requests {
		if !ours(r) {
			b.t.Errorf("the page asked for %.200s", r)
		}
	}
	for _, c := range b.complaints {
		if c[1] == "" || !slices.Contains(b.documents, c[1]) {
			b.t.Errorf("the page complains: %.400s", c[0])
		}
	}
}

// run runs an action within hangAfter.
func run[T any](b *Tab, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, hangAfter)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// call sends the browser a command of its protocol.
func (b *Tab) call(method string, params any) {
	b.t.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error { return target.Call(ctx, method, params, nil) }))
}

// Do runs steps, one after the other.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for i, step := range steps {
		if _, err := run(b, step); err != nil {
			b.t.Fatalf("step %d of %d: %v", i+1, len(steps), err)
		}
	}
}

// Ask evaluates an expression in the page, and waits for it if it is a promise.
func Ask[T any](b *Tab, expression string) T {
	b.t.Helper()
	got, err := run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.80s: %v", expression, err)
	}
	return got
}

// Until waits until an expression is true on a completely loaded page: before that, layout and event handlers are not final.
func (b *Tab) Until(what, expression string) {
	b.t.Helper()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for late := time.Now().Add(hangAfter); ; <-look.C {
		is, err := run(b, chromedp.Evaluate[bool](`document.readyState === "complete" && !!(`+expression+")"))
		switch {
		case is && err == nil:
			return
		case b.ctx.Err() != nil || time.Now().After(late):
			b.t.Fatalf("not within %s: %s (%v)\nwhat is shown: %s", hangAfter, what, err,
				Ask[string](b, `location.href + "\n" + document.body.innerText.slice(0, 3000)`))
		}
	}
}

// Screen has a size in CSS pixels and the visitor's preferred theme.
type Screen struct {
	Width, Height int64
	Theme         string // light or dark
}

// Screens returns three sizes, from a phone to a wide desktop, in both themes.
func Screens() (out []Screen) {
	for _, theme := range []string{"light", "dark"} {
		out = append(out, Screen{360, 740, theme}, Screen{1280, 900, theme}, Screen{2560, 1440, theme})
	}
	return out
}

// On changes the screen of the current page. Motion is reduced, so that scrolling is immediate.
func (b *Tab) On(s Screen) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(s.Width, s.Height))
	b.call(emulation.SetEmulatedMedia.Method, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.Theme},
			{Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// Show clears the records and opens an address.
func (b *Tab) Show(s Screen, url string) {
	b.t.Helper()
	b.Do(chromedp.Navigate("about:blank"))
	b.On(s)
	b.Forget()
	b.Do(chromedp.Navigate(url))
}

// Fits fails if the page is wider than its screen.
func (b *Tab) Fits(s Screen) {
	b.t.Helper()
	if wide := Ask[int](b, `document.documentElement.scrollWidth`); wide > int(s.Width) {
		b.t.Errorf("%v: %.100s is %d wide: %s", s, Ask[string](b, `location.href`), wide, Ask[string](b, tooWide))
	}
}

// tooWide finds the outermost element that is wider than the window and not in a scrolling one.
const tooWide = `[...document.body.querySelectorAll('*')].find(e => { if (e.getBoundingClientRect().right <= innerWidth + 1) return false;
	for (let p = e.parentElement; p; p = p.parentElement) if (p !== document.body && getComputedStyle(p).overflowX !== 'visible') ` +
	`return false;
	return ![...e.children].some(c => c.getBoundingClientRect().right > innerWidth + 1) })?.outerHTML.slice(0, 300) ?? ''`

// LoadAxe returns the source of axe-core, which checks the accessibility of pages, as npm installed it. Without it the test is
// skipped.
func LoadAxe(t testing.TB) string {
	t.Helper()
	file := os.Getenv("CITELOOP_TEST_AXE")
	if file == "" {
		t.Skip("skipped: CITELOOP_TEST_AXE does not name the axe.min.js that npm installed (.ci/npm does)")
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// Barriers returns the violations of WCAG 2.2 AA and of best practices that axe-core finds in the current page.
func (b *Tab) Barriers(axe string) (violations []string) {
	b.t.Helper()
	if !Ask[bool](b, `!!window.axe`) {
		_ = Ask[bool](b, axe+"\n;true")
	}
	found := Ask[json.RawMessage](b, `axe.run({resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', `+
		`'wcag22aa', 'best-practice']}).then(r => r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => `+
		`n.html.slice(0, 160) + ' // ' + n.failureSummary.slice(0, 300)).join(' | ')))`)
	if err := json.Unmarshal(found, &violations); err != nil {
		b.t.Fatal(err)
	}
	return violations
}
