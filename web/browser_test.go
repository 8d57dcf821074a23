package web

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/loopstate"
)

// TestInABrowser drives the page as a person would: it watches a loop while another client changes it, moves the
// slider, opens a passage and pastes a draft. With CITELOOP_SHOTS it leaves pictures in that folder.
func TestInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short starts no browser")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("skipped: no Chromium is installed")
	}
	h := newHouse(t, nil)
	loop := h.research(t, t.Context())
	at := h.srv.URL + Root + "loops/" + loop

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.Flag("no-sandbox", true))
	}
	timed, cancelTime := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancelTime()
	allocator, stop := chromedp.NewExecAllocator(timed, options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}

	var mu sync.Mutex
	var complaints []string
	complain := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		complaints = append(complaints, what)
	}
	if err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			complain("exception: " + e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			complain("console: " + string(e.Type))
		case *network.EventRequestWillBeSent:
			if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "data" && u.Host != strings.TrimPrefix(h.srv.URL, "http://") {
				complain("request to " + e.Request.URL)
			}
		case *network.EventLoadingFailed:
			if e.BlockedReason != "" {
				complain("blocked: " + string(e.BlockedReason))
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	target := chromedp.FromContext(ctx).Target
	if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	do := func(name string, steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		for i, step := range steps {
			if err := chromedp.Do(ctx, step); err != nil {
				mu.Lock()
				defer mu.Unlock()
				t.Fatalf("%s, step %d: %v %v", name, i+1, err, complaints)
			}
		}
	}
	until := func(name, expression string) {
		t.Helper()
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(15*time.Second))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	shots := os.Getenv("CITELOOP_SHOTS")
	shoot := func(name string) {
		t.Helper()
		if shots == "" {
			return
		}
		for _, size := range []struct {
			name string
			wide int64
		}{{"360", 360}, {"1280", 1280}, {"2560", 2560}} {
			for _, theme := range []string{"light", "dark"} {
				media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
				if _, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, media); err != nil {
					t.Fatal(err)
				}
				do("a size", chromedp.EmulateViewport(size.wide, 900))
				png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(shots, name+"-"+size.name+"-"+theme+".png"), png, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		do("back to the usual size", chromedp.EmulateViewport(1280, 900))
	}

	do("coming in", chromedp.EmulateViewport(1280, 900), chromedp.Navigate(h.srv.URL+h.page.Link()), chromedp.WaitVisible(`a[href^="/ui/loops/"]`))
	shoot("list")
	do("opening the loop", chromedp.Navigate(at), chromedp.WaitVisible(`#h-gaps`))
	until("the live view begins", `document.getElementById("live-state").textContent.startsWith("Live.")`)

	if _, err := h.svc.AddGap(t.Context(), loop, loopstate.GapInput{Gap: "What did the tower cost?"}); err != nil {
		t.Fatal(err)
	}
	until("another client's gap appears by itself", `document.querySelector('[data-part="gaps"]').textContent.includes("What did the tower cost?")`)
	shoot("loop")
	do("a small screen", chromedp.EmulateViewport(360, 800))
	if wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)); err != nil || wide > 360 {
		t.Errorf("at 360 px the page is %d px wide (%v)", wide, err)
	}
	do("a usual screen", chromedp.EmulateViewport(1280, 900))

	do("moving the slider", chromedp.SendKeys(`#round`, kb.ArrowLeft), chromedp.Click(`.moments button`))
	do("the past is shown", chromedp.WaitVisible(`#to-now`))
	if where, err := chromedp.Run(ctx, chromedp.Location()); err != nil || where != at+"?round=2" {
		t.Errorf("the slider led to %s (%v)", where, err)
	}

	do("opening a passage", chromedp.Navigate(at), chromedp.WaitVisible(`#h-claims`), chromedp.Click(`a[href*="#here"]`), chromedp.WaitVisible(`mark.here`))
	marked, err := chromedp.Run(ctx, chromedp.TextContent(`mark.here`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.svc.Panorama(t.Context(), loop, 0)
	if err != nil {
		t.Fatal(err)
	}
	check := p.Claims[0].Check
	if want := string([]rune(lighthouse)[check.Start:check.End]); marked != want {
		t.Errorf("highlighted is %q, the passage is %q", marked, want)
	}
	shoot("source")

	do("pasting a draft", chromedp.Navigate(at+"/verify"), chromedp.WaitVisible(`#draft`),
		chromedp.SetValue(`#draft`, "The lighthouse was built in 1874 by the engineer Maria Holt [S1].\n\nIt was painted blue in 1950 [S1]."),
		chromedp.Click(`main form button`), chromedp.WaitVisible(`.sentences`))
	shoot("verify")
	do("adding a gap by hand", chromedp.Navigate(at), chromedp.WaitVisible(`.actions summary`), chromedp.Click(`.actions summary`), chromedp.WaitVisible(`#a-gap`),
		chromedp.SendKeys(`#a-gap`, "Is it open to visitors?"), chromedp.Click(`form[action$="/gap"] button`), chromedp.WaitVisible(`#done`))

	mu.Lock()
	defer mu.Unlock()
	if len(complaints) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(complaints, "\n"))
	}
}
