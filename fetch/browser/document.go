package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

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
