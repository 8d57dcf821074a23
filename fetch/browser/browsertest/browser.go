// Package browsertest drives a real Chromium in tests, by pointer and by keyboard. It records what a page requests and
// the errors that it reports.
package browsertest

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Variable names the environment variable with the path of the Chromium for tests.
const Variable = "CITELOOP_TEST_CHROMIUM"

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
	alloc, endAlloc := chromedp.NewExecAllocator(t.Context(), chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("no-sandbox", os.Geteuid() == 0))
	t.Cleanup(endAlloc)
	ctx, end := chromedp.NewContext(alloc)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return &Browser{ctx}
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
	tab.Call(network.Enable.Method, network.EnableParams{})
	tab.Call(log.Enable.Method, cdp.Empty{})
	tab.Call(runtime.Enable.Method, cdp.Empty{})
	return tab
}
