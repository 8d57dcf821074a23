package channels_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
)

// webSource describes a web channel for the tests of fixtures, faults and rates.
type webSource struct {
	name    string
	fixture string          // a full answer, in testdata
	kind    string          // its Content-Type
	empty   string          // an answer without results
	broken  string          // a truncated answer
	other   string          // well-formed, but not in the source's documented form
	inside  string          // 200 with an error inside
	insideS channels.Status // its status
	// aside has the answers by the end of the path that are not counted: the first of two steps.
	aside   map[string]string
	folder  string                  // of its recordings, if it is not the name without hyphens
	count   func(body []byte) int   // the number of results in a recorded body, without the channel's code; -1 = not the answer of a search
	want    []channels.Result       // the results of the fixture
	refused map[int]channels.Status // the status of HTTP codes in recordings, if not StatusError
}

// serve starts a fault server for the source.
func (s webSource) serve(t *testing.T, replies ...reply) *faultServer {
	t.Helper()
	f := newFaultServer(t, s.kind, replies...)
	f.aside = s.aside
	return f
}

// webSources returns all web channels: the first four, which the registry's tests use, and then each family from its
// file.
func webSources() []webSource {
	return slices.Concat(firstSources(), scholarlySources(), generalSources())
}

func firstSources() []webSource {
	return []webSource{
		{
			name: "wikipedia", fixture: "wikipedia.json", kind: "application/json; charset=utf-8",
			empty:  `{"batchcomplete":"","query":{"searchinfo":{"totalhits":0},"search":[]}}`,
			broken: `{"query":{"search":[{"title":"Ti`, other: `{"query":{"pages":{}}}`,
			inside:  `{"error":{"code":"srsearch-error","info":"The query <b>cannot</b> be parsed","*":"See the manual"}}`,
			insideS: channels.StatusError,
		},
		{
			name: "crossref", fixture: "crossref.json", kind: "application/json",
			empty:  `{"status":"ok","message-type":"work-list","message":{"total-results":0,"items":[]}}`,
			broken: `{"status":"ok","message":{"items":[`, other: `{"status":"ok","message":{"DOI":"10.5555/one"}}`,
			inside:  `{"status":"failed","message-type":"validation-failure","message":[{"type":"x","value":"y","message":"no such filter"}]}`,
			insideS: channels.StatusError,
		},
		{
			name: "arxiv", fixture: "arxiv.xml", kind: "application/atom+xml; charset=utf-8",
			empty:  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>none</title></feed>`,
			broken: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Ti`, other: `<rss version="2.0"><channel/></rss>`,
			inside:  `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>sortBy must be one of three</summary></entry></feed>`,
			insideS: channels.StatusError,
		},
		{
			name: "semantic-scholar", fixture: "semanticscholar.json", kind: "application/json",
			empty:  `{"total":0,"offset":0}`,
			broken: `{"total":4,"data":[{"title":`, other: `{"paperId":"1","title":"One paper"}`,
			inside:  `{"error":"Unrecognized or unsupported fields: [titel]"}`,
			insideS: channels.StatusError,
		},
	}
}

func (s webSource) body(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", s.fixture))
	if err != nil {
		t.Fatal(err)
	}
	return b
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
	kind  string
	aside map[string]string

	mu      sync.Mutex
	replies []reply
	asked   []*http.Request
}

func newFaultServer(t *testing.T, kind string, replies ...reply) *faultServer {
	t.Helper()
	f := &faultServer{kind: kind, replies: replies}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *faultServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a server notices a disconnect only after reading the body
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
	cfg.Now, cfg.Rand, cfg.Sleep = c.Now, func() float64 { return 0.5 }, c.sleep
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
