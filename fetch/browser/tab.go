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

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// visit is one page in its own browser context.
type visit struct {
	cfg    Config
	proc   *process
	proxy  *pageProxy
	allow  func(context.Context, *url.URL) error
	tab    context.Context // chromedp's; ended by close and by the caller's context
	endTab context.CancelFunc
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

// progress returns a copy of the current state.
func (v *visit) progress() progress {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.seen
	p.open, p.dropped = maps.Clone(p.open), nil
	return p
}

// failed returns why the visit must end without a document, or nil.
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

var errTab = errors.New("the page crashed its browser tab")

// send sends the browser a command and ignores its result.
func (v *visit) send(method string, params any) {
	if err := v.target.Call(v.tab, method, params, nil); err != nil && v.tab.Err() == nil {
		v.cfg.Logger.Debug("a command to the browser failed", "method", method, "error", err)
	}
}

var (
	//go:embed serialise.js
	serialiseScript string
	//go:embed quiet.js
	quietScript string
	//go:embed prelude.js
	preludeScript string
)

// world is the name of the isolated world in which our own scripts run.
const world = "citeloop"

// errDocumentSize means that a document exceeds MaxBytes.
var errDocumentSize = errors.New("the document that the page's scripts made is too large")

// html returns the serialised document of the page.
func (v *visit) html(ctx context.Context, limit int) ([]byte, error) {
	raw, err := v.evaluate(ctx, fmt.Sprintf("(%s)(%d)", serialiseScript, limit), false)
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

// A page is settled when no request is open and its document has not changed for this long. Chosen: three times the
// usual time between a response and showing it.
const quietFor = 500 * time.Millisecond

// documentQuiet waits until the document has not changed for quietFor.
func (v *visit) documentQuiet(ctx context.Context) error {
	_, err := v.evaluate(ctx, fmt.Sprintf("(%s)(%d)", quietScript, quietFor.Milliseconds()), true)
	return err
}

// evaluate runs a script in an isolated world of the page and returns its value as JSON.
func (v *visit) evaluate(ctx context.Context, script string, wait bool) ([]byte, error) {
	made, err := cdp.Call(ctx, v.target, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: v.frame, WorldName: world})
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
