package report

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// alone returns a filter for the page's address and the icon, which every browser requests.
func alone(page string) func(string) bool {
	return func(url string) bool {
		return url == page || strings.HasPrefix(url, page+"#") || strings.HasSuffix(url, "/favicon.ico")
	}
}

// served serves pages on loopback and returns the server's address.
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

// What a page does in a browser. One Chromium serves all of it.
func TestInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	pages := map[string][]byte{"/english": render(t, HTML, english(t)), "/draft": render(t, HTML, unverified(t)),
		"/empty": render(t, HTML, empty(t)), "/arabic": render(t, HTML, arabic(t)), "/hostile": render(t, HTML, hostile(t)),
		"/claims": render(t, HTML, claims(hostile(t)))}
	root := served(t, pages)
	phone, desk := browsertest.Screens()[0], browsertest.Screens()[4]

	// A citation opens the panel of its sentence by keyboard; the keys walk to the next doubtful one; Escape goes back.
	t.Run("evidence", func(t *testing.T) {
		b := b.Tab(t)
		b.Show(desk, root+"/english")
		b.Do(chromedp.Focus(chromedp.CSS(`a.cite[href^="#e"]`)), chromedp.KeyEvent(kb.Enter))
		b.Until("the panel", `document.querySelector(".proof:target")`)
		b.Do(chromedp.KeyEvent("n"))
		b.Until("another panel", `document.querySelector(".proof:target")`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until("the text", `!document.querySelector(".proof:target")`)
		b.Quiet(alone(root + "/english"))
	})
	// A hostile source is shown as text, runs nothing, and does not break the layout. No verdict is on the line below its sentence.
	t.Run("layout", func(t *testing.T) {
		b := b.Tab(t)
		for path := range pages {
			for i, s := range []browsertest.Screen{phone, desk} {
				if i == 0 {
					b.Show(s, root+path)
				}
				b.On(s)
				b.Fits(s)
				if n := browsertest.Ask[int](b, `document.querySelectorAll('script[src],iframe,object,embed,img,form,base,`+
					`link').length`); n > 0 {
					t.Errorf("%s: %d unexpected elements", path, n)
				}
				if lost := browsertest.Ask[string](b, wrapped); lost != "" {
					t.Errorf("%s at %v: a verdict on a line of its own: %s", path, s, lost)
				}
			}
			b.Quiet(alone(root + path))
		}
	})
	// axe-core finds no violation of WCAG 2.2 AA and of its best practices (.ci/npm).
	t.Run("accessibility", func(t *testing.T) {
		axe := browsertest.LoadAxe(t)
		b := b.Tab(t)
		for _, path := range []string{"/draft", "/empty", "/arabic#e1", "/english#e1"} {
			b.Show(phone, root+path)
			for _, s := range []browsertest.Screen{phone, desk} {
				b.On(s)
				_ = browsertest.Ask[bool](b, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
				for _, v := range b.Barriers(axe) {
					t.Errorf("%s at %v: %s", path, s, v)
				}
			}
		}
		b.On(phone)
		_ = browsertest.Ask[bool](b, `document.documentElement.removeAttribute('lang'), `+
			`document.querySelector('main p').style.color = '#ccc', true`) // to see that it finds violations
		found := strings.Join(b.Barriers(axe), "\n")
		for _, want := range []string{"html-has-lang", "color-contrast"} {
			if !strings.Contains(found, want) {
				t.Errorf("axe-core does not find %s: %s", want, found)
			}
		}
	})
}

// wrapped is the first verdict in the text that stands below the line on which its sentence or citation ends.
const wrapped = `[...document.querySelectorAll('.text .verdict')].find(v => { const before = v.previousElementSibling; ` +
	`return before && [...before.getClientRects()].at(-1).bottom < v.getClientRects()[0].top + 1 })?.outerHTML ?? ''`
