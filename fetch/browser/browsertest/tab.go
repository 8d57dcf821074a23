package browsertest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	// hangAfter ends a step, or waiting for a page, with a message about it. It is no limit of speed: a busy machine makes
	// everything slow.
	hangAfter = time.Minute
	// lookEvery is how often a condition on a page is checked.
	lookEvery = 50 * time.Millisecond
)

// Tab is a page in a Chromium. Its methods fail the test on errors.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu         sync.Mutex
	requests   []string
	documents  []string // the requests that were navigations
	complaints []complaint
	broken     string // a page that the server could not show; it fails the test at the next step
}

// complaint is an error of a page; of is the address that it is about, if any.
type complaint struct{ what, of string }

// heard handles an event in chromedp's reading loop, so it must not block.
func (b *Tab) heard(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	complain := func(what, of string) { b.complaints = append(b.complaints, complaint{what, of}) }
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, ev.Request.URL)
		if ev.Type == network.ResourceTypeDocument {
			b.documents = append(b.documents, ev.Request.URL)
		}
	case *network.EventResponseReceived:
		if ev.Type == network.ResourceTypeDocument && ev.Response.Status >= 500 {
			b.broken = fmt.Sprintf("%s answers %d", ev.Response.URL, ev.Response.Status)
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
		if ev.Entry.Level != log.EntryLevelError && ev.Entry.Level != log.EntryLevelWarning {
			return
		}
		of := ""
		if ev.Entry.Source == log.EntrySourceNetwork {
			of = ev.Entry.URL
		}
		complain(ev.Entry.Text+" "+ev.Entry.URL, of)
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

// whole fails the test if a page could not be shown: waiting for what is on it would take long.
func (b *Tab) whole() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken != "" {
		b.t.Fatal(b.broken)
	}
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
		if c.of == "" || !slices.Contains(b.documents, c.of) {
			b.t.Errorf("the page complains: %.400s", c.what)
		}
	}
}

// Call sends the browser a command of its protocol.
func (b *Tab) Call(method string, params any) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, hangAfter)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		return target.Call(ctx, method, params, nil)
	})); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// Do runs steps, one after the other.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for i, step := range steps {
		ctx, cancel := context.WithTimeout(b.ctx, hangAfter)
		err := chromedp.Do(ctx, step)
		cancel()
		if err != nil {
			b.t.Fatalf("step %d of %d: %v", i+1, len(steps), err)
		}
		b.whole()
	}
}

// Ask evaluates an expression in the page, and waits for it if it is a promise.
func Ask[T any](b *Tab, expression string) T {
	b.t.Helper()
	got, err := evaluate[T](b, expression)
	if err != nil {
		b.t.Fatalf("%.80s: %v", expression, err)
	}
	return got
}

func evaluate[T any](b *Tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, hangAfter)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Until waits until an expression is true on a completely loaded page, and returns how long that took. Before that, layout
// and event handlers are not final.
func (b *Tab) Until(what, expression string) time.Duration {
	b.t.Helper()
	begun := time.Now()
	late := time.NewTimer(hangAfter)
	defer late.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		b.whole()
		is, err := evaluate[bool](b, `document.readyState === "complete" && !!(`+expression+")")
		if is && err == nil {
			return time.Since(begun)
		}
		select {
		case <-look.C:
		case <-late.C:
			shown, _ := evaluate[string](b, `location.href + "\n" + document.body.innerText.slice(0, 3000)`)
			b.t.Fatalf("not within %s: %s (%v)\nwhat is shown: %s", hangAfter, what, err, shown)
		case <-b.ctx.Done():
			b.t.Fatalf("%s: %v", what, b.ctx.Err())
		}
	}
}
