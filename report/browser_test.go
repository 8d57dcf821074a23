package report

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/browser"
)

// tab is a page in the real Chromium, with what it asked for and complained of.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	requests []string
	errors   []string
}

// openTab starts a browser, or skips the test where there is none.
func openTab(t *testing.T) *tab {
	t.Helper()
	path, err := browser.Find(browser.Any, os.Getenv)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun, chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-quic", true), chromedp.Flag("no-sandbox", os.Geteuid() == 0), chromedp.UserDataDir(t.TempDir())}
	alloc, endAlloc := chromedp.NewExecAllocator(t.Context(), flags...)
	t.Cleanup(endAlloc)
	ctx, endTab := chromedp.NewContext(alloc)
	t.Cleanup(endTab)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	b.call(network.Enable.Method, network.EnableParams{})
	b.call(log.Enable.Method, cdp.Empty{})
	b.call(runtime.Enable.Method, cdp.Empty{})
	return b
}

func (b *tab) heard(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, ev.Request.URL)
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, ev.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.errors = append(b.errors, string(ev.Type))
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError || ev.Entry.Level == log.EntryLevelWarning {
			b.errors = append(b.errors, ev.Entry.Text)
		}
	}
}

func (b *tab) call(method string, params any) {
	b.t.Helper()
	if err := chromedp.FromContext(b.ctx).Target.Call(b.ctx, method, params, nil); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression[:min(80, len(expression))], err)
	}
	return got
}

// screens are the sizes and themes in which a report is looked at.
func screens() (out []screen) {
	for _, theme := range []string{"light", "dark"} {
		for _, size := range [][2]int64{{360, 740}, {1280, 900}, {2560, 1440}} {
			out = append(out, screen{size[0], size[1], theme})
		}
	}
	return out
}

type screen struct {
	width, height int64
	theme         string
}

func (s screen) String() string { return fmt.Sprintf("%d %s", s.width, s.theme) }

func (b *tab) show(s screen, url string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(s.width, s.height))
	b.call(emulation.SetEmulatedMedia.Method, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.theme}}})
	b.do(chromedp.Navigate("about:blank"))
	b.mu.Lock()
	b.requests, b.errors = nil, nil
	b.mu.Unlock()
	b.do(chromedp.Navigate(url))
}

// quiet reports what a page asked for beyond itself, and what it complained of.
func (b *tab) quiet(url string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.requests {
		if r != url && !strings.HasPrefix(r, url+"#") && !strings.HasSuffix(r, "/favicon.ico") { // which every browser asks of a server by itself
			b.t.Errorf("the page asked for %s", r)
		}
	}
	for _, e := range b.errors {
		b.t.Errorf("the page complains: %s", e)
	}
}

// served are pages on loopback, and who asked for anything else.
func served(t *testing.T, pages map[string][]byte) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", ContentType(HTML))
		_, _ = w.Write(page)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// kept is a document whose receipts were cut from a stored text, as loops cuts them.
func kept(t *testing.T) (d Document, stored string) {
	d = english(t)
	stored = "Über channels — 通道 — and קצת עברית.\n\n"
	for i := range d.Sentences {
		for j := range d.Sentences[i].Receipts {
			r := &d.Sentences[i].Receipts[j]
			stored += "What stands before it. "
			r.Start = utf8.RuneCountInString(stored)
			stored += r.Passage
			r.End = utf8.RuneCountInString(stored)
			stored += " What stands after it.\n"
		}
	}
	text := []rune(stored)
	for i := range d.Sentences {
		for j := range d.Sentences[i].Receipts {
			r := &d.Sentences[i].Receipts[j]
			r.Before, r.After = string(text[max(0, r.Start-23):r.Start]), string(text[r.End:min(len(text), r.End+22)])
		}
	}
	return d, stored
}

const (
	// shownMark is the passage that is in sight, with the offsets that the page says of it; null when none is.
	shownMark = `(() => {
		const r = document.querySelector('.receipt:target'); if (!r) return null;
		const m = r.querySelector('mark'), box = m.getClientRects()[0], over = document.elementFromPoint(box.left + 3, box.top + box.height / 2);
		const at = r.querySelector('.meta').textContent.match(/characters (\d+) to (\d+)/);
		return {id: r.id, text: m.textContent, start: +at[1], end: +at[2], seen: box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth && m.contains(over)};
	})()`
)

type markShown struct {
	ID, Text   string
	Start, End int
	Seen       bool
}

func (b *tab) opened(how, want, stored string) {
	b.t.Helper()
	got := ask[*markShown](b, shownMark)
	if got == nil {
		b.t.Errorf("%s: no passage is open", how)
		return
	}
	if got.ID != want || !got.Seen {
		b.t.Errorf("%s: %s is open, in sight %v; want %s", how, got.ID, got.Seen, want)
	}
	if text := []rune(stored); got.Text != string(text[got.Start:got.End]) {
		b.t.Errorf("%s: %q is highlighted, the stored text has %q at %d to %d", how, got.Text, string(text[got.Start:got.End]), got.Start, got.End)
	}
}

func TestReaderOpensThePassage(t *testing.T) {
	b := openTab(t)
	d, stored := kept(t)
	url := served(t, map[string][]byte{"/report.html": render(t, HTML, d)}) + "/report.html"
	for _, s := range screens() {
		b.show(s, url)
		if wide := ask[int](b, `document.documentElement.scrollWidth`); wide > int(s.width) {
			t.Errorf("%v: the page is %d wide", s, wide)
		}
		if dark := ask[bool](b, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).every(v => v < 60)`); dark != (s.theme == "dark") {
			t.Errorf("%v: the paper is dark: %v", s, dark)
		}
		b.do(chromedp.Click(chromedp.CSS(`a.cite[href="#r1-1"]`)))
		b.opened(s.String()+", a click", "r1-1", stored)

		b.do(chromedp.Focus(chromedp.CSS(`a.cite[href="#r3-2"]`)), chromedp.KeyEvent(kb.Enter))
		b.opened(s.String()+", the key Enter", "r3-2", stored)
		b.do(chromedp.KeyEvent(kb.Tab)) // what comes next is in the passage
		if in := ask[bool](b, `!!document.activeElement.closest('#p3')`); !in {
			t.Errorf("%v: the next stop of the keyboard is not in what was opened", s)
		}
		b.do(chromedp.Focus(chromedp.CSS(`#p3 .back`)), chromedp.KeyEvent(kb.Enter))
		if at := ask[string](b, `location.hash`); at != "#s3" || ask[*markShown](b, shownMark) != nil {
			t.Errorf("%v: the way back leads to %s", s, at)
		}
		if s.width >= 1280 {
			b.do(chromedp.Click(chromedp.CSS(`svg.drawing a[href="#r5-1"]`)))
			b.opened(s.String()+", a mark of the drawing", "r5-1", stored)
		}
		b.quiet(url)
	}
}

// A source that tries everything shows as text, runs nothing and breaks no layout.
func TestReaderIsNotHarmed(t *testing.T) {
	b := openTab(t)
	pages := map[string][]byte{"/hostile": render(t, HTML, hostile(t)), "/claims": render(t, HTML, claims(hostile(t))), "/swollen": render(t, HTML, swollen(t)), "/strewn": render(t, HTML, strewn("a <b onclick=alert(1)>[x](javascript:alert(1))</b>\n\n\u202Edesrever\u2066 \x00", `"><script>alert(1)</script>`, []byte("3456789abcdefgh")))}
	root := served(t, pages)
	for path := range pages {
		for _, s := range []screen{{360, 740, "light"}, {1280, 900, "dark"}} {
			b.show(s, root+path)
			if wide := ask[int](b, `document.documentElement.scrollWidth`); wide > int(s.width) {
				t.Errorf("%s at %v: the page is %d wide", path, s, wide)
			}
			if n := ask[int](b, `document.querySelectorAll('script,iframe,object,embed,img,form,base,link').length`); n > 0 {
				t.Errorf("%s: %d elements that no report has", path, n)
			}
			b.quiet(root + path)
		}
	}
}

// axe-core finds nothing against WCAG 2.2 AA, and nothing against its own good practices (.ci/axe).
func TestAxeFindsNothing(t *testing.T) {
	file := os.Getenv("CITELOOP_TEST_AXE")
	if file == "" {
		t.Skip("CITELOOP_TEST_AXE does not name the axe.min.js that npm installed (.ci/axe does)")
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b := openTab(t)
	pages := map[string][]byte{"/english": render(t, HTML, english(t)), "/chinese": render(t, HTML, chinese(t)), "/draft": render(t, HTML, unverified(t)), "/empty": render(t, HTML, empty(t)), "/arabic": render(t, HTML, arabic(t))}
	root := served(t, pages)
	for path := range pages {
		for _, s := range screens() {
			for _, hash := range []string{"", "#r1-1"} {
				if hash != "" && path != "/english" && path != "/arabic" {
					continue
				}
				b.show(s, root+path+hash)
				_ = ask[bool](b, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
				for _, v := range b.axe(source) {
					t.Errorf("%s%s at %v: %s", path, hash, s, v)
				}
			}
		}
	}
	b.show(screens()[1], root+"/english") // what it would find
	_ = ask[bool](b, `document.documentElement.removeAttribute('lang'), document.querySelector('.dates').style.color = '#ccc', true`)
	found := strings.Join(b.axe(source), "\n")
	for _, want := range []string{"html-has-lang", "color-contrast"} {
		if !strings.Contains(found, want) {
			t.Errorf("axe-core does not find %s when it is there: %s", want, found)
		}
	}
}

// axe is what axe-core finds in the page that is shown.
func (b *tab) axe(source []byte) (violations []string) {
	b.t.Helper()
	_ = ask[bool](b, string(source)+"\n;true")
	found := ask[json.RawMessage](b, `axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}).then(r => r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' // ' + n.failureSummary.slice(0, 300)).join(' | ')))`)
	if err := json.Unmarshal(found, &violations); err != nil {
		b.t.Fatal(err)
	}
	return violations
}
