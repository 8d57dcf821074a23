package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

func TestEveryPageNeedsASession(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	at := Root + "loops/" + loop
	for _, path := range []string{Root, at, at + "/version", at + "/sources/S1", at + "/report",
		at + "/review", Root + "nowhere"} {
		if status, body := h.visitor(t).get(path); status != http.StatusUnauthorized || strings.Contains(body, "lighthouse") {
			t.Errorf("GET %s without a session: %d", path, status)
		}
		want := http.StatusOK
		if strings.HasSuffix(path, "nowhere") {
			want = http.StatusNotFound
		}
		if status, _ := h.inside(t).get(path); status != want {
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
	h := newFixture(t, func(c *Config) { c.Now = func() time.Time { return now } })
	link := h.page.Link()
	v := h.visitor(t)
	if status, _ := v.get(link); status != http.StatusOK {
		t.Fatalf("the first time: %d", status)
	}
	cookie := v.http.Jar.Cookies(mustURL(t, h.srv.URL+Root))
	if len(cookie) != 1 || len(cookie[0].Value) < 40 {
		t.Fatalf("cookies: %v", cookie)
	}
	if status, _ := h.visitor(t).get(link); status != http.StatusUnauthorized {
		t.Errorf("the second time: %d", status)
	}
	late := h.page.Link()
	now = now.Add(ticketLife)
	if status, _ := h.visitor(t).get(late); status != http.StatusUnauthorized {
		t.Errorf("after a minute: %d", status)
	}
	if status, _ := v.get(Root); status != http.StatusOK {
		t.Errorf("the session after a minute: %d", status)
	}
	now = now.Add(sessionIdle)
	if status, _ := v.get(Root); status != http.StatusUnauthorized {
		t.Errorf("the session after %v without a request: %d", sessionIdle, status)
	}
}

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCookieIsSameSite(t *testing.T) {
	h := newFixture(t, func(c *Config) { c.Secure = true })
	v := h.visitor(t)
	v.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	v.get(h.page.Link())
	c := v.last.Cookies()
	if len(c) != 1 || !c[0].HttpOnly || !c[0].Secure || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != Root {
		t.Errorf("cookie: %+v", c)
	}
}

func TestTokensShowOnlyTheirOwnersLoops(t *testing.T) {
	now := time.Now()
	known := tokens{"anna-token": {Owner: "anna", Scopes: access.All}, "ben-token": {Owner: "ben", Scopes: access.All},
		"looker": {Owner: "anna", Scopes: access.Read}}
	h := newFixture(t, func(c *Config) { c.Auth, c.Now = known, func() time.Time { return now } })
	loop := h.research(t, loops.WithOwner(t.Context(), "anna"))
	at := Root + "loops/" + loop
	login := func(token string) *visitor {
		v := h.visitor(t)
		v.do(http.MethodPost, Root+"login", url.Values{"token": {token}}, nil)
		return v
	}

	if status, _ := login("no such token").get(Root); status != http.StatusUnauthorized {
		t.Errorf("an unknown token: %d", status)
	}
	if status, _ := h.visitor(t).get(h.page.Link()); status != http.StatusUnauthorized {
		t.Errorf("a link on a server with tokens: %d", status)
	}
	anna := login("anna-token")
	if status, body := anna.get(at); status != http.StatusOK || !strings.Contains(body, "lighthouse on the cape") {
		t.Errorf("anna's loop to anna: %d", status)
	}
	for _, c := range anna.http.Jar.Cookies(mustURL(t, h.srv.URL+Root)) {
		if strings.Contains(c.Value, "anna") {
			t.Errorf("the cookie holds the token: %s", c.Value)
		}
	}
	ben := login("ben-token")
	for _, path := range []string{at, at + "/version", at + "/sources/S1", at + "/review"} {
		if status, body := ben.get(path); status != http.StatusNotFound || strings.Contains(body, "lighthouse") {
			t.Errorf("%s to ben: %d", path, status)
		}
	}
	if status, _ := ben.send(at+"/stop", url.Values{"why": {"mine"}}); status != http.StatusNotFound {
		t.Errorf("ben stops anna's loop: %d", status)
	}

	looker := login("looker")
	if status, body := looker.get(at); status != http.StatusOK || strings.Contains(body, "id=\"h-act\"") {
		t.Errorf("an onlooker: %d, or it is offered what it may not do", status)
	}
	before := h.revision(t, loop)
	if status, _ := looker.send(at+"/stop", url.Values{"why": {"enough"}}); status != http.StatusForbidden ||
		h.revision(t, loop) != before {
		t.Errorf("an onlooker stops it: %d", status)
	}

	delete(known, "anna-token") // revoked
	now = now.Add(recheckEvery)
	if status, _ := anna.get(at); status != http.StatusUnauthorized {
		t.Errorf("a session with a revoked token: %d", status)
	}
}

func (h fixture) revision(t *testing.T, loop string) int64 {
	t.Helper()
	p, err := h.svc.Revision(loops.WithOwner(t.Context(), "anna"), loop)
	if err != nil {
		t.Fatal(err)
	}
	return p.Version
}

func TestFormsOfOtherSitesAreRejected(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	v := h.inside(t)
	path := Root + "loops/" + loop + "/stop"
	_, body := v.get(Root)
	good := url.Values{"why": {"enough"}, "form": {formToken.FindStringSubmatch(body)[1]}}
	for _, row := range []struct {
		name   string
		form   url.Values
		header http.Header
	}{
		{"no form token", url.Values{"why": {"enough"}}, nil},
		{"another form token", url.Values{"why": {"enough"}, "form": {"AAAAAAAAAAAAAAAAAAAAAAAAAA"}}, nil},
		{"from another site", good, http.Header{"Sec-Fetch-Site": {"cross-site"}}},
		{"from another port of this machine", good, http.Header{"Sec-Fetch-Site": {"same-site"}}},
		{"an old browser, from another site", good, http.Header{"Origin": {"https://evil.example"}}},
	} {
		if status, _ := v.do(http.MethodPost, path, row.form, row.header); status != http.StatusForbidden {
			t.Errorf("%s: %d, want 403", row.name, status)
		}
	}
	if p, err := h.svc.Snapshot(t.Context(), loop, 0); err != nil || p.Abort != "" {
		t.Errorf("the loop was stopped: %q %v", p.Abort, err)
	}
	if status, _ := v.do(http.MethodPost, path, good, http.Header{"Sec-Fetch-Site": {"same-origin"}}); status != http.StatusOK {
		t.Errorf("our own form: %d", status)
	}
}
