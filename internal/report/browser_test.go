package report

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

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

// kept returns a document with receipts of a stored text, as package loops makes them.
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
	// shownMark returns the open passage with its offsets on the page, or null.
	shownMark = `(() => {
		const r = document.querySelector('.receipt:target'); if (!r) return null;
		const m = r.querySelector('.cited'), box = m.getClientRects()[0], over = document.elementFromPoint(box.left + 3, box.top + box.height / 2);
		const at = r.querySelector('.meta').textContent.match(/characters (\d+) to (\d+)/) || [];
		const lines = r.querySelector('.meta').textContent.match(/lines? ([\d–,]+)/) || [];
		return {id: r.id, text: m.textContent, start: +at[1], end: +at[2], lines: lines[1] || "", seen: box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth && m.contains(over)};
	})()`
)

type markShown struct {
	ID, Text, Lines string
	Start, End      int // 0 where the place is given in lines
	Seen            bool
}

// opened checks that the passage of one receipt is open: it shows the stored text of the place that it names.
func opened(t *testing.T, b *browsertest.Tab, d Document, how, want, stored string) {
	t.Helper()
	got := browsertest.Ask[*markShown](b, shownMark)
	if got == nil {
		t.Errorf("%s: no open passage", how)
		return
	}
	if got.ID != want || !got.Seen {
		t.Errorf("%s: %s is open, visible %v; want %s", how, got.ID, got.Seen, want)
	}
	var sentence, receipt int
	if _, err := fmt.Sscanf(want, "r%d-%d", &sentence, &receipt); err != nil {
		t.Fatal(err)
	}
	r := d.Sentences[sentence-1].Receipts[receipt-1]
	if lines := strings.ReplaceAll(r.Lines, "-", "–"); got.Lines != lines || lines == "" && (got.Start != r.Start || got.End != r.End) {
		t.Errorf("%s: the place is lines %q, characters %d to %d; want lines %q, characters %d to %d", how, got.Lines, got.Start, got.End, lines, r.Start, r.End)
	}
	if text := string([]rune(stored)[r.Start:r.End]); got.Text != text {
		t.Errorf("%s: %q is highlighted, the stored text has %q at %d to %d", how, got.Text, text, r.Start, r.End)
	}
}

func TestReaderOpensThePassage(t *testing.T) {
	b := browsertest.Open(t).Tab(t)
	d, stored := kept(t)
	url := served(t, map[string][]byte{"/report.html": render(t, HTML, d)}) + "/report.html"
	for _, s := range browsertest.Screens() {
		b.Show(s, url)
		b.Fits(s)
		if dark := browsertest.Ask[bool](b, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).every(v => v < 60)`); dark != (s.Theme == "dark") {
			t.Errorf("%v: the background is dark: %v", s, dark)
		}
		b.Do(chromedp.Click(chromedp.CSS(`a.cite[href="#r1-1"]`)))
		opened(t, b, d, s.String()+", a click", "r1-1", stored)

		b.Do(chromedp.Focus(chromedp.CSS(`a.cite[href="#r3-2"]`)), chromedp.KeyEvent(kb.Enter))
		opened(t, b, d, s.String()+", the key Enter", "r3-2", stored)
		b.Do(chromedp.KeyEvent(kb.Tab)) // to the next element, which is in the passage
		if in := browsertest.Ask[bool](b, `!!document.activeElement.closest('#p3')`); !in {
			t.Errorf("%v: the next focused element is not in the opened passage", s)
		}
		b.Do(chromedp.Focus(chromedp.CSS(`#p3 .back`)), chromedp.KeyEvent(kb.Enter))
		if at := browsertest.Ask[string](b, `location.hash`); at != "#s3" || browsertest.Ask[*markShown](b, shownMark) != nil {
			t.Errorf("%v: the back link leads to %s", s, at)
		}
		b.Quiet(alone(url))
	}
}

// A hostile source is shown as text, runs nothing, and does not break the layout.
func TestHostileSourceIsHarmless(t *testing.T) {
	b := browsertest.Open(t).Tab(t)
	pages := map[string][]byte{"/hostile": render(t, HTML, hostile(t)), "/claims": render(t, HTML, claims(hostile(t))), "/swollen": render(t, HTML, swollen(t)), "/strewn": render(t, HTML, strewn("a <b onclick=alert(1)>[x](javascript:alert(1))</b>\n\n\u202Edesrever\u2066 \x00", `"><script>alert(1)</script>`, []byte("3456789abcdefgh")))}
	root := served(t, pages)
	for path := range pages {
		for _, s := range []browsertest.Screen{{Width: 360, Height: 740, Theme: "light"}, {Width: 1280, Height: 900, Theme: "dark"}} {
			b.Show(s, root+path)
			b.Fits(s)
			if n := browsertest.Ask[int](b, `document.querySelectorAll('script,iframe,object,embed,img,form,base,link').length`); n > 0 {
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
	pages := map[string][]byte{"/english": render(t, HTML, english(t)), "/chinese": render(t, HTML, chinese(t)), "/draft": render(t, HTML, unverified(t)), "/empty": render(t, HTML, empty(t)), "/arabic": render(t, HTML, arabic(t))}
	root := served(t, pages)
	for path := range pages {
		for _, s := range browsertest.Screens() {
			for _, hash := range []string{"", "#r1-1"} {
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
	_ = browsertest.Ask[bool](b, `document.documentElement.removeAttribute('lang'), document.querySelector('.dates').style.color = '#ccc', true`)
	found := strings.Join(b.Barriers(axe), "\n")
	for _, want := range []string{"html-has-lang", "color-contrast"} {
		if !strings.Contains(found, want) {
			t.Errorf("axe-core does not find %s: %s", want, found)
		}
	}
}
