package channels_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/resilience"
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
	first  string // the answer to the first of two steps, which is not counted
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
		if s := sourceNamed(name); s.empty != "" {
			all = append(all, s)
		}
	}
	return all
}

func sourceNamed(name string) webSource {
	a := answers()
	s := webSource{name: name, kind: "application/json", full: a[name+" full"], empty: a[name+" empty"], broken: a[name+" broken"],
		other: a[name+" other"], inside: a[name+" error"], first: a[name+" first"]}
	if strings.HasPrefix(s.empty, "<") {
		s.kind = "application/xml; charset=utf-8"
	}
	return s
}

// reply is one answer of a service.
type reply struct {
	status int // 0 = 200
	header map[string]string
	body   string
	cut    bool // the connection ends in the middle of the body
	hang   bool // no answer until the client gives up
}

// service sends its replies in turn, then repeats the last one, and counts the requests. It needs no socket.
type service struct {
	kind, first string // see webSource

	mu      sync.Mutex
	replies []reply
	asked   []*http.Request
	posted  string // the first body
}

func (s webSource) serve(replies ...reply) *service {
	return &service{kind: s.kind, first: s.first, replies: replies}
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.first != "" && strings.HasSuffix(r.URL.Path, "/esearch.fcgi") {
		return response(r, s.kind, reply{body: s.first}), nil
	}
	s.mu.Lock()
	s.asked = append(s.asked, r)
	now := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	if r.Body != nil {
		body, _ := io.ReadAll(r.Body)
		if s.posted = cmp.Or(s.posted, string(body)); s.posted != string(body) || !json.Valid(body) {
			now = reply{status: 599, body: "a retry must send the whole body again"}
		}
	}
	s.mu.Unlock()
	if now.hang {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return response(r, s.kind, now), nil
}

func response(r *http.Request, kind string, of reply) *http.Response {
	header := http.Header{"Content-Type": {kind}}
	for name, value := range of.header {
		header.Set(name, value)
	}
	var body io.Reader = strings.NewReader(of.body)
	if of.cut {
		body = io.MultiReader(body, failing{})
	}
	return &http.Response{StatusCode: max(of.status, 200), Header: header, Body: io.NopCloser(body), Request: r}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// requests returns how many requests were counted since the last answer.
func (s *service) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

func (s *service) answer(replies ...reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies, s.asked = replies, nil
}

// roundTrip is a service of one function.
type roundTrip func(*http.Request) reply

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := f(r)
	if answer.hang {
		return nil, errors.New("no answer")
	}
	return response(r, "application/json", answer), nil
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

// registry opens channels on a clock that never waits; nil = the whole catalog. The client of the configuration has the limits of
// the program's own, and the service as its transport.
func registry(t *testing.T, c *clock, cfg channels.Config, at http.RoundTripper, all ...channels.Channel) *channels.Registry {
	t.Helper()
	if all == nil {
		all = source.All(nil)
	}
	cfg.Now = c.Now
	cfg.Hosts = resilience.NewHosts(resilience.HostsConfig{Now: c.Now, Sleep: c.sleep, Random: func() float64 { return 0.5 }})
	if at != nil {
		cfg.Client = fetch.NewClient(fetch.ClientConfig{})
		cfg.Client.Transport = at
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

// ready configures keys, a contact, and the channels that are off by default or have no default address.
func ready() channels.Config {
	cfg := channels.Config{Contact: "me@example.org", Enable: source.Names(), Keys: map[string]string{}, URLs: map[string]string{
		"searxng": "http://127.0.0.1:8080", "kiwix": "http://127.0.0.1:8080", "zotero": "http://127.0.0.1:23119/api/users/0"}}
	for _, name := range source.Names() {
		cfg.Keys[name] = "a-key"
	}
	return cfg
}

// one searches a single channel and returns its outcome.
func one(t *testing.T, r *channels.Registry, name string, q channels.Query) (channels.Outcome, []channels.Ranked) {
	t.Helper()
	q.Text = cmp.Or(q.Text, "tidal mills")
	answer, err := r.Search(t.Context(), []string{name}, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Outcomes[0], answer.Evidence
}

// addresses returns the addresses of results.
func addresses(found []channels.Ranked) (all []string) {
	for _, f := range found {
		all = append(all, f.URL)
	}
	return all
}

func testHit(n string) channels.Result {
	return channels.Result{Evidence: channels.Evidence{Title: "T" + n, URL: "https://example.org/" + n}}
}

const (
	page      = `<!DOCTYPE html><html><head><title>Welcome</title></head><body>Hello</body></html>`
	challenge = `<html><head><title>Just a moment...</title></head><body>Please solve the CAPTCHA</body></html>`
)
