package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
)

func TestEveryPageNeedsASession(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	at, inside := Root+"loops/"+loop, h.inside(t)
	for path, want := range map[string]int{Root: 200, at: 200, at + "/version": 200, at + "/sources/S1": 200, at + "/report": 200,
		at + "/review": 200, Root + "nowhere": 404} {
		if status, body := h.visitor(t).get(path); status != http.StatusUnauthorized || strings.Contains(body, "lighthouse") {
			t.Errorf("GET %s without a session: %d", path, status)
		}
		if status, _ := inside.get(path); status != want {
			t.Errorf("GET %s with a session: %d, want %d", path, status, want)
		}
	}
	for _, act := range []string{"rounds", "stop", "check", "review", "delete"} {
		if status, _ := h.visitor(t).do(http.MethodPost, at+"/"+act, url.Values{}, nil); status != http.StatusUnauthorized {
			t.Errorf("POST %s without a session: %d", act, status)
		}
	}
}

func TestLinkWorksOnceForAMinute(t *testing.T) {
	now := time.Now()
	h := newFixture(t, func(c *Config) { c.Now, c.Secure = func() time.Time { return now }, true })
	link, late := h.page.Link(), h.page.Link()
	v, other := h.visitor(t), h.visitor(t)
	v.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	v.get(link)
	c := v.last.Cookies()
	if len(c) != 1 || len(c[0].Value) < 40 || !c[0].HttpOnly || !c[0].Secure || c[0].SameSite != http.SameSiteStrictMode ||
		c[0].Path != Root {
		t.Fatalf("cookies: %+v", c)
	}
	session := http.Header{"Cookie": {c[0].Name + "=" + c[0].Value}}
	for _, row := range []struct {
		name string
		wait time.Duration
		path string
		with http.Header
		want int
	}{
		{"the link for the second time", 0, link, nil, http.StatusUnauthorized},
		{"another link after a minute", ticketLife, late, nil, http.StatusUnauthorized},
		{"the session after a minute", 0, Root, session, http.StatusOK},
		{"the session after hours without a request", sessionIdle, Root, session, http.StatusUnauthorized},
	} {
		now = now.Add(row.wait)
		if status, _ := other.do(http.MethodGet, row.path, nil, row.with); status != row.want {
			t.Errorf("%s: %d, want %d", row.name, status, row.want)
		}
	}
}

func TestTokensShowOnlyTheirOwnersLoops(t *testing.T) {
	now := time.Now()
	known := tokens{"anna-token": "anna", "ben-token": "ben"}
	h := newFixture(t, func(c *Config) { c.Auth, c.Now = known, func() time.Time { return now } })
	loop := h.research(t, loops.WithOwner(t.Context(), "anna"))
	at := Root + "loops/" + loop
	who := map[string]*visitor{}
	for _, token := range []string{"anna-token", "ben-token", "no such token"} {
		who[token] = h.visitor(t)
		who[token].do(http.MethodPost, Root+"login", url.Values{"token": {token}}, nil)
	}
	for _, c := range who["anna-token"].http.Jar.Cookies(who["anna-token"].last.Request.URL) {
		if strings.Contains(c.Value, "anna") {
			t.Errorf("the cookie holds the token: %s", c.Value)
		}
	}
	before := h.version(t, "anna", loop)
	for _, row := range []struct {
		token, path string
		form        url.Values
		want        int
	}{
		{"no such token", Root, nil, http.StatusUnauthorized},
		{"no such token", h.page.Link(), nil, http.StatusUnauthorized}, // a server with tokens has no links
		{"anna-token", at, nil, http.StatusOK},
		{"ben-token", at, nil, http.StatusNotFound},
		{"ben-token", at + "/version", nil, http.StatusNotFound},
		{"ben-token", at + "/sources/S1", nil, http.StatusNotFound},
		{"ben-token", at + "/review", nil, http.StatusNotFound},
		{"ben-token", at + "/report", nil, http.StatusNotFound},
		{"ben-token", at + "/stop", url.Values{"why": {"mine"}}, http.StatusNotFound},
	} {
		ask := who[row.token].get
		if row.form != nil {
			ask = func(path string) (int, string) { return who[row.token].send(path, row.form) }
		}
		status, body := ask(row.path)
		if shows := strings.Contains(body, "lighthouse on the cape"); status != row.want || shows != (row.want == http.StatusOK) {
			t.Errorf("%s to %s: %d, want %d; shows the loop: %v", row.path, row.token, status, row.want, shows)
		}
	}
	if h.version(t, "anna", loop) != before {
		t.Error("somebody changed the loop")
	}
	delete(known, "anna-token") // revoked
	now = now.Add(recheckEvery)
	if status, _ := who["anna-token"].get(at); status != http.StatusUnauthorized {
		t.Errorf("a session with a revoked token: %d", status)
	}
}

// A page that is read-only offers no form, and takes none.
func TestReadOnlyPage(t *testing.T) {
	h := newFixture(t, func(c *Config) { c.ReadOnly = true })
	at, v := Root+"loops/"+h.research(t, t.Context()), h.inside(t)
	if status, body := v.get(at); status != http.StatusOK || strings.Contains(body, `id="h-act"`) {
		t.Errorf("%d, a form: %v", status, strings.Contains(body, `id="h-act"`))
	}
	status, body := v.do(http.MethodPost, at+"/stop", url.Values{"why": {"enough"}}, nil)
	if status != http.StatusForbidden || !strings.Contains(body, "read-only") {
		t.Errorf("stopping: %d %s", status, body)
	}
}

func TestFormsOfOtherSitesAreRejected(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	v := h.inside(t)
	_, body := v.get(Root)
	form := formToken.FindStringSubmatch(body)[1]
	for _, row := range []struct {
		name, form string
		header     http.Header
		want       int
	}{
		{"no form token", "", nil, http.StatusForbidden},
		{"another form token", "AAAAAAAAAAAAAAAAAAAAAAAAAA", nil, http.StatusForbidden},
		{"from another site", form, http.Header{"Sec-Fetch-Site": {"cross-site"}}, http.StatusForbidden},
		{"from another port of this machine", form, http.Header{"Sec-Fetch-Site": {"same-site"}}, http.StatusForbidden},
		{"an old browser, from another site", form, http.Header{"Origin": {"https://evil.example"}}, http.StatusForbidden},
		{"our own form", form, http.Header{"Sec-Fetch-Site": {"same-origin"}}, http.StatusOK},
	} {
		status, _ := v.do(http.MethodPost, Root+"loops/"+loop+"/stop", url.Values{"why": {"enough"}, "form": {row.form}}, row.header)
		p, err := h.svc.Snapshot(t.Context(), loop, 0)
		if status != row.want || err != nil || (p.Abort != "") != (row.want == http.StatusOK) {
			t.Errorf("%s: %d, want %d; stopped: %q %v", row.name, status, row.want, p.Abort, err)
		}
	}
}
