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

// A citation opens the panel of its sentence by pointer and by keyboard; the keys walk to the next doubtful one; Escape goes back.
func TestPanelOpensTheEvidence(t *testing.T) {
	b := browsertest.Open(t).Tab(t)
	url := served(t, map[string][]byte{"/": render(t, HTML, english(t))}) + "/"
	b.Show(browsertest.Screens()[1], url)
	b.Do(chromedp.Focus(chromedp.CSS(`a.cite[href^="#e"]`)), chromedp.KeyEvent(kb.Enter))
	b.Until("the panel", `document.querySelector(".proof:target")`)
	b.Do(chromedp.KeyEvent("n"))
	b.Until("another panel", `document.querySelector(".proof:target")`)
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.Until("the text", `!document.querySelector(".proof:target")`)
	b.Quiet(alone(url))
}

// A hostile source is shown as text, runs nothing, and does not break the layout.
func TestHostileSourceIsHarmless(t *testing.T) {
	b := browsertest.Open(t).Tab(t)
	pages := map[string][]byte{"/hostile": render(t, HTML, hostile(t)), "/claims": render(t, HTML, claims(hostile(t)))}
	root := served(t, pages)
	for path := range pages {
		for _, s := range []browsertest.Screen{{Width: 360, Height: 740, Theme: "light"}, {Width: 1280, Height: 900, Theme: "dark"}} {
			b.Show(s, root+path)
			b.Fits(s)
			if n := browsertest.Ask[int](b, `document.querySelectorAll('script[src],iframe,object,embed,img,form,base,`+
				`link').length`); n > 0 {
				t.Errorf("%s: %d unexpected elements", path, n)
			}
			b.Quiet(alone(root + path))
		}
	}
}

// axe-core finds no violation of WCAG 2.2 AA and of its best practices (.ci/npm).
func TestAccessibility(t *testing.T) {
	axe := browsertest.LoadAxe(t)
	b := browsertest.Open(t).Tab(t)
	pages := map[string][]byte{"/english": render(t, HTML, english(t)), "/chinese": render(t, HTML, chinese(t)),
		"/draft": render(t, HTML, unverified(t)), "/empty": render(t, HTML, empty(t)), "/arabic": render(t, HTML, arabic(t))}
	root := served(t, pages)
	for path := range pages {
		for _, s := range browsertest.Screens() {
			for _, hash := range []string{"", "#e1"} {
				if hash != "" && path != "/english" && path != "/arabic" {
					continue
				}
				b.Show(s, root+path+hash)
				_ = browsertest.Ask[bool](b, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
				for _, v := range b.Barriers(axe) {
					t.Errorf("%s%s at %v: %s", path, hash, s, v)
				}
			}
		}
	}
	b.Show(browsertest.Screens()[1], root+"/english") // to see that it finds violations
	_ = browsertest.Ask[bool](b, `document.documentElement.removeAttribute('lang'), document.querySelector('main p').style.color = `+
		`'#ccc', true`)
	found := strings.Join(b.Barriers(axe), "\n")
	for _, want := range []string{"html-has-lang", "color-contrast"} {
		if !strings.Contains(found, want) {
			t.Errorf("axe-core does not find %s: %s", want, found)
		}
	}
}
