package channels_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/resilience"
	"golang.org/x/tools/txtar"
)

// webSource is a web channel with the answers of its service, for the tests of all sources.
type webSource struct {
	name   string
	kind   string // the Content-Type of its answers
	full   string // an answer with results, one without a title, and the known irregular forms
	empty  string // an answer without results
	broken string // a truncated answer
	other  string // well-formed, but not in the source's documented form
	inside string // 200 with an error inside
	// aside has the answers by the end of the path that are not counted: the first of two steps.
	aside map[string]string
}

// answers are written by hand from the documented formats, with invented content: "NAME full", "NAME empty" and so on.
var answers = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	archive, err := txtar.ParseFile("testdata/answers.txtar")
	if err != nil {
		panic(err)
	}
	for _, f := range archive.Files {
		all[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
	}
	return all
})

// webSources returns all web channels. The Wayback Machine has its own tests: it searches by address, and its empty
// answer is an empty body.
func webSources() (all []webSource) {
	for _, name := range source.Names() {
		a := answers()
		s := webSource{name: name, kind: "application/json", full: a[name+" full"], empty: a[name+" empty"], broken: a[name+" broken"],
			other: a[name+" other"], inside: a[name+" error"]}
		if s.empty == "" {
			continue
		}
		switch {
		case strings.HasPrefix(s.empty, "<html"):
			s.kind = "text/html; charset=UTF-8"
		case s.empty[0] == '<':
			s.kind = "application/xml; charset=utf-8"
		}
		if first := a[name+" first"]; first != "" {
			s.aside = map[string]string{"/esearch.fcgi": first}
		}
		all = append(all, s)
	}
	return all
}

func sourceNamed(t testing.TB, name string) webSource {
	t.Helper()
	for _, s := range webSources() {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no source %s", name)
	return webSource{}
}

func (s webSource) body(testing.TB) []byte { return []byte(s.full) }

// serve starts a fault server for the source.
func (s webSource) serve(t *testing.T, replies ...reply) *faultServer {
	t.Helper()
	f := newFaultServer(t, s.kind, replies...)
	f.aside = s.aside
	return f
}

// reply is one answer of a fault server.
type reply struct {
	status int // 0 = 200
	header map[string]string
	body   []byte
	cut    bool // the connection ends in the middle of the body
	hang   bool // no answer until the client disconnects
}

// faultServer sends its replies in turn, then repeats the last one, and counts the requests.
type faultServer struct {
	*httptest.Server
	t     *testing.T
	kind  string
	aside map[string]string

	mu      sync.Mutex
	replies []reply
	asked   []*http.Request
	posted  string // the first body
}

func newFaultServer(t *testing.T, kind string, replies ...reply) *faultServer {
	t.Helper()
	f := &faultServer{t: t, kind: kind, replies: replies}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *faultServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // a server notices a disconnect only after reading the body
	for suffix, body := range f.aside {
		if strings.HasSuffix(r.URL.Path, suffix) {
			w.Header().Set("Connection", "close") // so that each request has its own connection
			w.Header().Set("Content-Type", f.kind)
			_, _ = io.WriteString(w, body)
			return
		}
	}
	f.mu.Lock()
	f.asked = append(f.asked, r.Clone(context.Background()))
	if f.posted = cmp.Or(f.posted, string(body)); r.Method == http.MethodPost && (string(body) != f.posted || !json.Valid(body)) {
		f.t.Errorf("a body of %q, after %q", body, f.posted) // a retry sends the whole body again
	}
	now := f.replies[0]
	if len(f.replies) > 1 {
		f.replies = f.replies[1:]
	}
	f.mu.Unlock()
	if now.hang {
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", f.kind)
	for k, v := range now.header {
		w.Header().Set(k, v)
	}
	if now.cut {
		w.Header().Set("Content-Length", fmt.Sprint(len(now.body)+1000))
	}
	w.WriteHeader(max(now.status, 200))
	_, _ = w.Write(now.body) // the client may have disconnected
	if now.cut {
		panic(http.ErrAbortHandler)
	}
}

func (f *faultServer) requests() []*http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

func (f *faultServer) answer(replies ...reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.replies, f.asked = replies, nil
}

// clock advances only when a goroutine waits on it.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

func (c *clock) pass(d time.Duration) { _ = c.sleep(context.Background(), d) }

// registry opens the whole catalog on a clock that never waits, with a client that may dial the test's servers.
func registry(t *testing.T, c *clock, cfg channels.Config) *channels.Registry {
	t.Helper()
	return opened(t, c, cfg, source.All(nil))
}

// opened opens channels on a clock that never waits.
func opened(t *testing.T, c *clock, cfg channels.Config, all []channels.Channel) *channels.Registry {
	t.Helper()
	cfg.Now = c.Now
	cfg.Hosts = resilience.NewHosts(resilience.HostsConfig{Now: c.Now, Sleep: c.sleep, Random: func() float64 { return 0.5 }})
	if cfg.Client == nil {
		cfg.Client = http.DefaultClient
	}
	r, err := channels.New(cfg, all)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// one searches a single channel and returns its outcome.
func one(t *testing.T, r *channels.Registry, name string, q channels.Query) (channels.Outcome, []channels.Ranked) {
	t.Helper()
	if q.Text == "" {
		q.Text = "tidal mills"
	}
	answer, err := r.Search(t.Context(), []string{name}, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Outcomes[0], answer.Evidence
}

func testHit(n string) channels.Result {
	return channels.Result{Evidence: channels.Evidence{Title: "T" + n, URL: "https://example.org/" + n}}
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func response(status int, kind string, body []byte) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body))}
}

const (
	page      = `<!DOCTYPE html><html><head><title>Welcome</title></head><body>Hello</body></html>`
	challenge = `<html><head><title>Just a moment...</title></head><body>Please solve the CAPTCHA</body></html>`
)
