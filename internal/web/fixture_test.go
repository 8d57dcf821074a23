package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server/access"
)

// fixture is the page with its own use cases and store.
type fixture struct {
	svc  *loops.Service
	page *Page
	srv  *httptest.Server
}

// tokens knows tokens by name.
type tokens map[string]string

func (d tokens) Authenticate(_ context.Context, token string) (string, error) {
	if c, ok := d[token]; ok {
		return c, nil
	}
	return "", access.ErrUnknownToken
}

func newFixture(t testing.TB, change func(*Config)) fixture {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	reader, err := fetch.New(fetch.Config{UserAgent: "citeloop-test", Now: time.Now, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := channels.New(channels.Config{Logger: quiet}, source.All(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.Close() })
	h := fixture{svc: loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: registry, Reader: reader,
		Now:   time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Generator: "citeloop test", Logger: quiet})}
	cfg := Config{Loops: h.svc, Now: time.Now, Logger: slog.New(slog.NewTextHandler(testLog{t}, nil)), Version: "test"}
	if change != nil {
		change(&cfg)
	}
	h.page = New(cfg)
	h.srv = httptest.NewServer(new(access.Sites).Guard(h.page)) // as the server serves it
	t.Cleanup(h.srv.Close)
	return h
}

type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) { l.t.Logf("%s", p); return len(p), nil }

const lighthouse = "The lighthouse on the cape was built in 1874 by the engineer Maria Holt. It stands 42 metres high, and its lamp " +
	"can be seen from 50 kilometres away.\n\nIn 1931 the lamp was changed from colza oil to electricity. The last keeper, Anton " +
	"Brandt, left the tower in 1987, when it was automated."

// research returns a loop with two closed rounds, a source, checked claims, and a gap.
func (h fixture) research(t *testing.T, ctx context.Context) string {
	t.Helper()
	started, err := h.svc.Start(ctx, loopstate.StartInput{Query: "When was the lighthouse on the cape built, and by whom?",
		Gaps: []loopstate.GapInput{{Gap: "Who paid for the tower?"}}})
	if err != nil {
		t.Fatal(err)
	}
	loop := started.StateID
	h.paste(t, ctx, loop, "A history of the cape", lighthouse)
	for range 2 {
		if _, err := h.svc.Verify(ctx, loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
			verify.New("The lighthouse was built in 1874 by the engineer Maria Holt.", "S1"),
			verify.New("The lighthouse was built in 1902 in Portugal.", "S1"),
		}}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.svc.Reflect(ctx, loop, "", loopstate.CloseInput{}); err != nil {
			t.Fatal(err)
		}
	}
	return loop
}

func (h fixture) paste(t *testing.T, ctx context.Context, loop, title, text string) {
	t.Helper()
	out, err := h.svc.Read(ctx, loops.ReadInput{Loop: loop, Title: title, Text: text})
	if err != nil || out[0].ID == "" {
		t.Fatalf("%v %v", out, err)
	}
}

// visitor is a HTTP client with cookies.
type visitor struct {
	t    *testing.T
	http *http.Client
	base string
	last *http.Response
}

func (h fixture) visitor(t *testing.T) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t: t, http: &http.Client{Jar: jar}, base: h.srv.URL}
}

// inside returns a visitor who is logged in by a one-time link.
func (h fixture) inside(t *testing.T) *visitor {
	v := h.visitor(t)
	if status, body := v.get(h.page.Link()); status != http.StatusOK {
		t.Fatalf("the link: %d %s", status, body)
	}
	return v
}

func (v *visitor) get(path string) (int, string) { return v.do(http.MethodGet, path, nil, nil) }

func (v *visitor) do(method, path string, form url.Values, header http.Header) (int, string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		req.Header[name] = values
	}
	return v.sent(req)
}

// sent returns the answer to a request.
func (v *visitor) sent(req *http.Request) (int, string) {
	v.t.Helper()
	resp, err := v.http.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	v.last = resp
	if resp.StatusCode >= http.StatusInternalServerError && resp.StatusCode != http.StatusServiceUnavailable {
		v.t.Errorf("%s %s: %d %s", req.Method, req.URL.Path, resp.StatusCode, body)
	}
	beforeThePage := resp.StatusCode == http.StatusForbidden &&
		strings.HasPrefix(string(body), "requests from web pages of other sites") // plain text of the guard
	if got := resp.Header.Get("Content-Security-Policy"); got != policy && !beforeThePage && !strings.HasSuffix(got, reportPolicy) {
		v.t.Errorf("%s %s: Content-Security-Policy %q", req.Method, req.URL.Path, got)
	}
	return resp.StatusCode, string(body)
}

var formToken = regexp.MustCompile(`name="form" value="([A-Z2-7]+)"`)

// send sends a form as the page that has it would.
func (v *visitor) send(path string, form url.Values) (int, string) {
	v.t.Helper()
	_, body := v.get(Root)
	m := formToken.FindStringSubmatch(body)
	if m == nil {
		v.t.Fatalf("no form token in %s", body)
	}
	form.Set("form", m[1])
	return v.do(http.MethodPost, path, form, nil)
}
