// Package browsertest shows pages to tests in a real Chromium: as a person sees them, by pointer and by keyboard, and
// with an ear for all that a page asks for and complains of.
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

	"github.com/citeloop/citeloop/fetch/browser"
)

// Browser is a Chromium that runs. One is enough for many tabs: each has cookies of its own.
type Browser struct{ ctx context.Context }

// Open starts a Chromium until the test ends. Where there is none, and under -short, the test is skipped.
func Open(t testing.TB) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: -short starts no browser")
	}
	path, err := browser.Find(browser.Any, os.Getenv)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	// The profile is a folder that chromedp makes and removes: in one of t.TempDir, the browser's last children may still
	// be writing when the test removes it, which then fails.
	alloc, endAlloc := chromedp.NewExecAllocator(t.Context(), chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("no-sandbox", os.Geteuid() == 0))
	t.Cleanup(endAlloc)
	ctx, end := chromedp.NewContext(alloc)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return &Browser{ctx}
}

// Tab opens an empty tab without cookies, until the test ends.
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
