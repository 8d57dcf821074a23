package channels_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
)

// The files of testdata: answers.txtar has the answers of each service, the other three what the channels make of them.
// With -update the tests write those three; read the difference before you commit it.
const (
	resultsFile  = "testdata/results.txt"
	requestsFile = "testdata/requests.txt"
	recordedFile = "testdata/recorded.txt"
)

// golden compares a text with a file, or writes the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

// shown writes an outcome and results with their fields that are not empty.
func shown(out channels.Outcome, found []channels.Ranked) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %s\n", out.Status, out.Count, out.Message)
	for _, f := range found {
		f.Score = 0
		for _, field := range []struct {
			name  string
			value any
		}{
			{"-", f.Title}, {"url", f.URL}, {"snippet", f.Snippet}, {"type", f.SourceType}, {"date", f.PublishedAt},
			{"by", strings.Join(f.Authors, "; ")},
			{"doi", f.DOI}, {"language", f.Language}, {"ids", strings.Join(f.IDs, " ")}, {"related", strings.Join(f.Related, " ")},
		} {
			if field.value != "" {
				fmt.Fprintf(&b, "  %s %s\n", field.name, field.value)
			}
		}
	}
	return b.String()
}

// Each source gives the results of its full answer in testdata, and for its other answers an outcome.
func TestAnswers(t *testing.T) {
	var all strings.Builder
	for _, s := range webSources() {
		for _, answer := range []struct{ name, body string }{{"full", s.full}, {"empty", s.empty}, {"broken", s.broken}, {"other", s.other},
			{"error", s.inside}} {
			out, found := s.answered(t, 200, answer.body, "tidal mills")
			if (answer.name == "empty") != (out.Status == channels.StatusEmpty) ||
				(answer.name == "full") != (out.Status == channels.StatusOK) {
				t.Errorf("%s: %s for its %s answer", s.name, out.Status, answer.name)
			}
			fmt.Fprintf(&all, "%s %s: %s", s.name, answer.name, shown(out, found))
		}
	}
	out, found := sourceNamed("wayback").answered(t, 200, answers()["wayback full"]+"\n", "tides.example.org/mill")
	fmt.Fprintf(&all, "wayback full: %s", shown(out, found))
	golden(t, resultsFile, all.String())
}

// answered searches a channel whose service answers every request with a body, and returns the outcome and the results.
func (s webSource) answered(t *testing.T, code int, body, text string) (channels.Outcome, []channels.Ranked) {
	t.Helper()
	r := registry(t, newClock(), ready(), s.serve(reply{status: code, body: body}))
	return one(t, r, s.name, channels.Query{Text: text, Limit: channels.MaxLimit})
}

// Each source makes the request that its documentation describes. In the file, a line is a channel, a limit, dates, a
// language and the words, and below it are the requests; services answer that they have nothing.
func TestRequests(t *testing.T) {
	raw, err := os.ReadFile(requestsFile)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for line := range strings.Lines(string(raw)) {
		if line[0] == '\t' {
			continue
		}
		all.WriteString(line)
		fields := strings.SplitN(strings.TrimSpace(line), " ", 6)
		if len(fields) != 6 {
			t.Fatalf("invalid line %q", line)
		}
		dash := func(s string) string { return strings.TrimPrefix(s, "-") }
		q := channels.Query{Text: fields[5], Since: dash(fields[2]), Until: dash(fields[3]), Language: dash(fields[4])}
		if q.Limit, err = strconv.Atoi(fields[1]); err != nil {
			t.Fatal(err)
		}
		at := roundTrip(func(r *http.Request) reply {
			query, err := url.QueryUnescape(r.URL.RawQuery)
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(&all, "\t%s %s://%s%s?%s", r.Method, r.URL.Scheme, r.URL.Host, r.URL.EscapedPath(), query)
			if r.Body != nil {
				body, _ := io.ReadAll(r.Body)
				fmt.Fprintf(&all, " %s", body)
			}
			for name, values := range r.Header {
				if strings.Contains(strings.Join(values, " "), "a-key") {
					fmt.Fprintf(&all, " %s: %s", name, values[0])
				}
			}
			if agent := r.Header.Get("User-Agent"); !strings.Contains(agent, "me@example.org") || r.Header.Get("Accept") == "" {
				t.Errorf("%s: User-Agent %q, or nothing accepted", line, agent)
			}
			all.WriteString("\n")
			return reply{header: untyped, body: answers()[fields[0]+" empty"]}
		})
		cfg := ready()
		delete(cfg.URLs, "zotero")
		one(t, registry(t, newClock(), cfg, at), fields[0], q)
	}
	golden(t, requestsFile, all.String())
}

// A configured host without a path serves the documented paths; an address with a path replaces them. Path elements are
// appended to both.
func TestBaseAddress(t *testing.T) {
	tests := []struct{ channel, base, query, want string }{
		{"crossref", "http://replay.example", "tides", "/works"},
		{"crossref", "http://replay.example/", "10.5555/x", "/works/10.5555%2Fx"},
		{"crossref", "http://replay.example/mirror?token=t", "10.5555/x", "/mirror/10.5555%2Fx"},
		{"wikipedia", "http://{lang}.replay.example", "tides", "/w/api.php"},
		{"pubmed", "http://replay.example/e/", "tides", "/e/esearch.fcgi"},
		{"unpaywall", "http://replay.example", "tides", "/v2/search"},
	}
	for _, tt := range tests {
		at := &service{replies: []reply{{status: 404}}}
		one(t, registry(t, newClock(), channels.Config{URLs: map[string]string{tt.channel: tt.base}}, at), tt.channel,
			channels.Query{Text: tt.query})
		if path := at.asked[0].URL.EscapedPath(); path != tt.want {
			t.Errorf("%s %s: asked for %s, want %s", tt.channel, tt.base, path, tt.want)
		}
	}
}

// recordings are folders of recorded responses by channel, if the collection is on this machine. It is not part of this
// project.
var recordings = map[string][]string{
	"edgar": {"sec_edgar"}, "federalregister": {"federal_register"},
	"feeds":      {"google_news_rss", "rss_atom"},
	"hackernews": {"hackernews_algolia"}, "huggingface": {"huggingface_hub"}, "kiwix": {"kiwix_serve"}, "searxng": {"searxng_json"},
	"youtube": {"youtube_api"},
}

// Every recorded response gives what it gave: its status, the number of results, and a hash of them.
func TestRecorded(t *testing.T) {
	collection := filepath.Join("..", "..", "shared", "data", "channels")
	if _, err := os.Stat(collection); err != nil {
		t.Skip("no recordings on this machine")
	}
	var all strings.Builder
	for _, name := range source.Names() {
		folders := recordings[name]
		if folders == nil {
			folders = []string{strings.ReplaceAll(name, "-", "")}
		}
		for _, folder := range folders {
			metas, err := filepath.Glob(filepath.Join(collection, folder, "*.meta.json"))
			if err != nil {
				t.Fatal(err)
			}
			for _, meta := range metas {
				out, found := replayed(t, name, meta)
				if out.Status != channels.StatusOK && out.Status != channels.StatusEmpty && out.Message == "" {
					t.Errorf("%s: a failure without a message", meta)
				}
				sum := sha256.Sum256([]byte(shown(out, found)))
				fmt.Fprintf(&all, "%s %s %s %d %x\n", name, strings.TrimSuffix(filepath.Base(meta), ".meta.json"), out.Status, out.Count,
					sum[:4])
			}
		}
	}
	golden(t, recordedFile, all.String())
}

// replayed searches a channel whose service answers with a recording. A recorded redirect is not followed: it would lead
// to itself.
func replayed(t *testing.T, name, meta string) (channels.Outcome, []channels.Ranked) {
	t.Helper()
	var recorded struct {
		Request  struct{ URL string }
		Response struct {
			Status  int
			Headers map[string]string
		}
	}
	raw, err := os.ReadFile(meta)
	if err == nil {
		err = json.Unmarshal(raw, &recorded)
	}
	if err != nil {
		t.Fatalf("%s: %v", meta, err)
	}
	bodies, err := filepath.Glob(strings.TrimSuffix(meta, ".meta.json") + ".*")
	if err != nil {
		t.Fatal(err)
	}
	answer := reply{status: recorded.Response.Status, header: recorded.Response.Headers}
	for _, file := range bodies {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file != meta {
			answer.body = string(body)
		}
	}
	at := roundTrip(func(r *http.Request) reply {
		switch { // of PubMed's two steps, a recording is one
		case strings.HasSuffix(r.URL.Path, "/esearch.fcgi") && !strings.Contains(meta, "esearch"):
			return reply{header: untyped, body: answers()["pubmed first"]}
		case strings.HasSuffix(r.URL.Path, "/esummary.fcgi") && strings.Contains(meta, "esearch"):
			return reply{header: untyped, body: answers()["pubmed full"]}
		}
		return answer
	})
	q := channels.Query{Text: "tidal mills", Limit: channels.MaxLimit}
	switch {
	case strings.Contains(meta, "rss_atom"):
		q.Text = "https://feed.example.org/rss"
	case name == "wayback":
		q.Text = "tides.example.org"
	}
	cfg := ready()
	delete(cfg.URLs, "zotero")
	cfg.Client = &http.Client{Transport: at, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return one(t, registry(t, newClock(), cfg, nil), name, q)
}

// untyped replaces the usual Content-Type.
var untyped = map[string]string{"Content-Type": ""}
