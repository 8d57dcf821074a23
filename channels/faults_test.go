package channels_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
)

// TestFaults checks the outcome and the number of requests for each kind of fault and each web channel.
func TestFaults(t *testing.T) {
	const ok, empty, malformed, unavailable = channels.StatusOK, channels.StatusEmpty, channels.StatusMalformed, channels.StatusUnavailable
	const limited, blocked, wrong = channels.StatusRateLimited, channels.StatusBlocked, channels.StatusError
	start := newClock().Now()
	date, now := start.Add(90*time.Second).Format(http.TimeFormat), start.Format(http.TimeFormat)
	html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
	header := func(pairs ...string) map[string]string {
		all := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return all
	}
	huge := strings.Repeat(" ", channels.MaxBodyBytes+1)
	type want struct {
		status   channels.Status
		requests int
		retry    time.Duration
		says     string
	}
	for nth, s := range webSources() {
		full := reply{body: s.full}
		tests := []struct {
			name    string
			replies []reply
			want    want
		}{
			{"nothing found", []reply{{body: s.empty}}, want{empty, 1, 0, ""}},
			{"429 with seconds, then success", []reply{{status: 429, header: header("Retry-After", "2")}, full}, want{ok, 2, 0, ""}},
			{"429 always", []reply{{status: 429, header: header("Retry-After", "2")}}, want{limited, 3, 2 * time.Second, "answered 429"}},
			{"429 with seconds beyond the deadline", []reply{{status: 429, header: header("Retry-After", "600")}},
				want{limited, 1, 600 * time.Second, "answered 429"}},
			{"429 with a date beyond the deadline", []reply{{status: 429, header: header("Retry-After", date, "Date", now)}},
				want{limited, 1, 90 * time.Second, "answered 429"}},
			{"429 with an invalid Retry-After", []reply{{status: 429, header: header("Retry-After", "soon")}, full}, want{ok, 2, 0, ""}},
			{"500 twice, then success", []reply{{status: 500}, {status: 503}, full}, want{ok, 3, 0, ""}},
			{"500 always", []reply{{status: 500}}, want{unavailable, 3, 0, "answered 500 Internal Server Error"}},
			{"504 as a web page", []reply{{status: 504, header: html, body: page}}, want{unavailable, 3, 0, "answered 504"}},
			{"503 as a challenge", []reply{{status: 503, header: html, body: challenge}}, want{blocked, 1, 0, "answered 503"}},
			{"404 as plain text", []reply{{status: 404, header: header("Content-Type", "text/plain"), body: "Resource not found."}},
				want{wrong, 1, 0, "answered 404 Not Found"}},
			{"401", []reply{{status: 401}}, want{channels.StatusAuthRequired, 1, 0, "answered 401"}},
			{"403", []reply{{status: 403}}, want{blocked, 1, 0, "answered 403"}},
			{"403 with Retry-After", []reply{{status: 403, header: header("Retry-After", "60")}},
				want{limited, 1, time.Minute, "answered 403"}},
			{"202 as a block", []reply{{status: 202, header: html, body: page}}, want{blocked, 1, 0, "answered 202"}},
			{"204", []reply{{status: 204}}, want{malformed, 1, 0, "answered 204"}},
			{"empty body", []reply{{}}, want{malformed, 1, 0, "something other"}},
			{"cut connection, then success", []reply{{body: s.full[:40], cut: true}, full}, want{ok, 2, 0, ""}},
			{"cut connection always", []reply{{body: s.full[:40], cut: true}}, want{unavailable, 3, 0, "closed the connection"}},
			{"truncated inside a record", []reply{{body: s.broken}}, want{malformed, 1, 0, "the answer is not"}},
			{"another answer", []reply{{body: s.other}}, want{malformed, 1, 0, ""}},
			{"a web page under the right type", []reply{{body: page}}, want{malformed, 1, 0, "a web page instead of"}},
			{"a bot check", []reply{{header: html, body: challenge}}, want{blocked, 1, 0, "bot check"}},
			{"a huge body", []reply{{body: s.empty[:1] + huge}}, want{malformed, 1, 0, "larger than 8 MB"}},
			{"the right body under another type", []reply{{header: header("Content-Type", "text/plain"), body: s.full}},
				want{ok, 1, 0, ""}},
			{"not compressed despite its header", []reply{{header: header("Content-Encoding", "gzip"), body: s.full}},
				want{ok, 1, 0, ""}},
			{"compressed", []reply{{header: header("Content-Encoding", "gzip"), body: gzipped(s.full)}}, want{ok, 1, 0, ""}},
			{"another charset than declared", []reply{{body: latin1(s.full)}}, want{s.latin1Status(), 1, 0, ""}},
			{"UTF-16", []reply{{body: utf16le(s.full)}}, want{malformed, 1, 0, ""}},
			{"500 with a huge page", []reply{{status: 500, header: html, body: huge}, full}, want{ok, 2, 0, ""}},
			{"a redirect loop", []reply{{status: 302, header: header("Location", "/again")}}, want{wrong, 11, 0, "too many redirects"}},
		}
		for row, tt := range tests {
			if testing.Short() && (nth+row)%4 != 0 { // each fault at every fourth source
				continue
			}
			t.Run(s.name+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				at, clock := s.serve(tt.replies...), newClock()
				cfg := channels.Config{URLs: map[string]string{s.name: "https://replay.example"}}
				out, found := one(t, registry(t, clock, cfg, at), s.name, channels.Query{Text: "tides"})
				got := want{out.Status, at.requests(), out.RetryAfter, tt.want.says}
				if !strings.Contains(out.Message, tt.want.says) {
					got.says = out.Message
				}
				if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(want{})); diff != "" {
					t.Errorf("outcome (-want +got)\n%s", diff)
				}
				if (out.Status == ok) != (len(found) > 0) || out.Count != len(found) {
					t.Errorf("%s with %d results, count %d", out.Status, len(found), out.Count)
				}
				if out.Status == ok && tt.want.requests > 1 && len(clock.slept) == 0 {
					t.Error("tried again without waiting")
				}
			})
		}
	}
}

// latin1 writes each character outside ASCII as one byte that is not UTF-8.
func latin1(body string) string {
	var out []byte
	for _, r := range body {
		if r > 127 {
			r = 0xe9
		}
		out = append(out, byte(r))
	}
	return string(out) + "\n"
}

func utf16le(body string) string {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(body)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

// latin1Status returns the outcome for a wrong charset: the JSON decoder replaces the bytes by U+FFFD, the XML decoder
// fails.
func (s webSource) latin1Status() channels.Status {
	if strings.Contains(s.kind, "xml") {
		return channels.StatusMalformed
	}
	return channels.StatusOK
}

func gzipped(body string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(body)) // into memory
	_ = z.Close()
	return b.String()
}

func TestNoAnswer(t *testing.T) {
	for _, s := range webSources() {
		if s.first != "" {
			continue // its second request has to wait for its turn
		}
		synctest.Test(t, func(t *testing.T) {
			at := s.serve(reply{hang: true})
			cfg := channels.Config{URLs: map[string]string{s.name: "https://replay.example"}}
			out, _ := one(t, registry(t, newClock(), cfg, at), s.name, channels.Query{})
			if out.Status != channels.StatusUnavailable || out.Message != "no answer before the deadline" || at.requests() != 1 {
				t.Errorf("%s: %+v after %d requests", s.name, out, at.requests())
			}
		})
	}
}

// The guarded client dials private addresses only if they are allowed; a refusal does not count against the source.
func TestPrivateAddressIsRefused(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte(answers()["arxiv full"]))
	}))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	cfg := channels.Config{URLs: map[string]string{"arxiv": server.URL}, Client: fetch.NewClient(fetch.ClientConfig{})}
	closed := registry(t, newClock(), cfg, nil)
	for range channels.CircuitFailures + 1 {
		out, _ := one(t, closed, "arxiv", channels.Query{})
		if out.Status != channels.StatusUnavailable || !strings.Contains(out.Message, "add "+address+" to CITELOOP_ALLOW_PRIVATE") {
			t.Errorf("%+v", out)
		}
	}
	if asked > 0 {
		t.Errorf("%d requests went out", asked)
	}
	cfg.Client = fetch.NewClient(fetch.ClientConfig{AllowPrivate: []string{address}})
	if out, _ := one(t, registry(t, newClock(), cfg, nil), "arxiv", channels.Query{}); out.Status != channels.StatusOK {
		t.Errorf("allowed: %+v", out)
	}
}

// A circuit opens after failures in a row, and closes after a search that succeeds.
func TestCircuitOpensAndCloses(t *testing.T) {
	s := sourceNamed("crossref")
	at, clock := s.serve(reply{status: 500}), newClock()
	r := registry(t, clock, channels.Config{}, at)
	health := func(want string) {
		t.Helper()
		for _, info := range r.List() {
			if info.Name == s.name && !strings.HasPrefix(info.Health, want) {
				t.Errorf("health %q, want %q", info.Health, want)
			}
		}
	}
	health("untried")
	for range channels.CircuitFailures {
		if out, _ := one(t, r, s.name, channels.Query{}); out.Status != channels.StatusUnavailable {
			t.Errorf("%+v", out)
		}
	}
	at.answer(reply{body: s.full})
	out, _ := one(t, r, s.name, channels.Query{})
	if out.Status != channels.StatusUnavailable || at.requests() > 0 || !strings.Contains(out.Message, "circuit open until") ||
		out.RetryAfter <= 0 || out.RetryAfter > channels.CircuitOpenFor {
		t.Errorf("while open: %+v, %d requests", out, at.requests())
	}
	health("circuit open until ")
	clock.pass(channels.CircuitOpenFor)
	if out, _ := one(t, r, s.name, channels.Query{}); out.Status != channels.StatusOK || at.requests() != 1 {
		t.Errorf("afterwards: %+v, %d requests", out, at.requests())
	}
	health("ok")
}
