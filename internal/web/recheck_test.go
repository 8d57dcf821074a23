package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/access"
)

// rereader answers rechecks from a list, each when the test lets it.
type rereader struct {
	Loops
	answers chan *loops.Recheck // nil: it fails
	began   sync.WaitGroup
}

func (r *rereader) Recheck(ctx context.Context, _ string, done func(n, of int, url string)) (*loops.Recheck, error) {
	done(3, 12, "https://a.example/")
	r.began.Done()
	select {
	case found := <-r.answers:
		if found == nil {
			return nil, errors.New("the store failed")
		}
		return found, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// withRereader returns the page with rechecks that the test answers.
func withRereader(t *testing.T, change func(*Config)) (fixture, *rereader) {
	r := &rereader{answers: make(chan *loops.Recheck)}
	h := newFixture(t, func(c *Config) {
		r.Loops, c.Loops = c.Loops, r
		if change != nil {
			change(c)
		}
	})
	return h, r
}

func differences() *loops.Recheck {
	return &loops.Recheck{GeneratedAt: time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC), NotRead: 1, Counts: map[string]int{loopstate.RereadSame: 40}, Sources: []loops.RecheckedSource{
		{SourceID: "S1", Title: "A <b>history</b> of the cape", URL: "https://a.example/", Result: loopstate.RereadCited, News: true},
		{SourceID: "S2", URL: "https://b.example/gone", Result: loopstate.RereadGone, Reason: "HTTP 410"},
		{SourceID: "S3", Title: "A paper", Result: loopstate.RereadSame, Update: "retracted: 2014-03-01, notice https://doi.org/10.1/n (crossref)"},
		{SourceID: "S4", Title: "A preprint", Result: loopstate.RereadUnreachable, Reason: "timeout: no answer"},
	}, Sentences: []loops.WaitingSentence{{Text: "The tower was built in 1874.", SourceID: "S1", Lines: "1", Passage: "built in 1874 by <i>Maria</i> Holt"},
		{Text: "The tower is red.", SourceID: "S1", Lines: "3", Passage: "a red tower"},
		{Text: "The tower is tall.", SourceID: "S1", Lines: "3", Passage: "a red tower"},
	}}
}

// A recheck goes on without its request, says how far it is, and shows only differences. Scripts are not needed.
func TestRecheckOnThePage(t *testing.T) {
	h, r := withRereader(t, nil)
	v, loop := h.inside(t), h.research(t, t.Context())
	at := Root + "loops/" + loop + "/recheck"
	read := func(want string, others ...string) {
		t.Helper()
		_, body := v.get(at)
		for _, w := range append(others, want) {
			if !strings.Contains(body, w) {
				t.Errorf("the page of the recheck lacks %q:\n%s", w, body)
			}
		}
	}
	if _, body := v.get(Root + "loops/" + loop); !strings.Contains(body, `action="`+at+`"`) {
		t.Error("the page of the loop has no button")
	}
	read("Read the sources again", `action="`+at+`"`)
	for range 2 { // the second one finds the first running
		r.began.Add(1)
		if status, body := v.send(at, url.Values{}); status != http.StatusOK || !strings.Contains(body, "The sources are being read again.") {
			t.Fatalf("%d: %s", status, body)
		}
		r.began.Wait()
		r.began.Add(1)
		if status, _ := v.send(at, url.Values{}); status != http.StatusOK {
			t.Errorf("the button while it runs: %d", status)
		}
		r.began.Done()
		read(`max="12" value="3"`, `http-equiv="refresh"`, "3 of 12")
		other := h.research(t, t.Context())
		if status, body := v.send(Root+"loops/"+other+"/recheck", url.Values{}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "Try again later.") {
			t.Errorf("a second loop at the same time: %d", status)
		}
		r.answers <- differences()
		h.page.rechecks.all.Wait()
	}
	read("3 sources are not as they were when they were read. 1 source could not be reached. 1 text without an address was not read again.", "A &lt;b&gt;history",
		"Cited lines are not there any more", "new since the last time", "Not read yet:", "built in 1874 by &lt;i&gt;Maria", "There is nothing at its address any more", "HTTP 410",
		"retracted: 2014-03-01", "It could not be read now", `action="`+at+`"`)
	r.began.Add(1)
	v.send(at, url.Values{})
	r.answers <- nil
	h.page.rechecks.all.Wait()
	read("Internal error; see the server log.")
	r.began.Add(1)
	v.send(at, url.Values{})
	h.page.Stop() // and does not wait for the sources
	read("The request was cancelled.")
}

// Who may only read starts no recheck.
func TestRecheckNeedsWriting(t *testing.T) {
	h, _ := withRereader(t, func(c *Config) { c.ReadOnly = true })
	loop := h.research(t, t.Context())
	at := Root + "loops/" + loop + "/recheck"
	v := h.inside(t)
	for _, path := range []string{at, Root + "loops/" + loop} {
		if _, body := v.get(path); strings.Contains(body, `action="`+at+`"`) {
			t.Errorf("%s offers the button", path)
		}
	}
	if status, _ := v.do(http.MethodPost, at, url.Values{}, nil); status != http.StatusForbidden {
		t.Errorf("the form: %d", status)
	}
	known := tokens{"ben": {Owner: "ben", Scopes: access.All}}
	h, _ = withRereader(t, func(c *Config) { c.Auth = known })
	at = Root + "loops/" + h.research(t, loops.WithOwner(t.Context(), "anna")) + "/recheck"
	v = h.visitor(t)
	v.do(http.MethodPost, "/ui/login", url.Values{"token": {"ben"}}, nil)
	if status, _ := v.send(at, url.Values{}); status != http.StatusNotFound {
		t.Errorf("another owner: %d", status)
	}
}

// With scripts, the page follows a recheck to its end by itself, by keyboard alone, and fits a phone.
func followRecheck(t *testing.T, b *browsertest.Browser) {
	h, r := withRereader(t, nil)
	loop := h.research(t, t.Context())
	tab := h.comeIn(t, b)
	r.began.Add(1)
	tab.Do(chromedp.Navigate(h.at(loop)), chromedp.Focus(chromedp.CSS(`form[action$="/recheck"] button`)), chromedp.KeyEvent("\r"))
	tab.Until("the progress", `document.querySelector("progress")?.value === 3`)
	tab.Walk("a recheck that runs")
	r.answers <- differences()
	tab.Until("the end", `document.getElementById("recheck-said").textContent.startsWith("3 sources") && document.querySelectorAll(".differences > li").length === 4`)
	for _, s := range browsertest.Screens() {
		tab.On(s)
		tab.Fits(s)
	}
	tab.Quiet(h.ours)
}
