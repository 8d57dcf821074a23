package channels_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
)

// Each kind of fault has its outcome and number of requests, for a source of JSON and one of XML.
func TestFaults(t *testing.T) {
	const ok, malformed, unavailable = channels.StatusOK, channels.StatusMalformed, channels.StatusUnavailable
	const limited, blocked, wrong = channels.StatusRateLimited, channels.StatusBlocked, channels.StatusError
	html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
	later := func(value string) map[string]string { return map[string]string{"Retry-After": value} }
	huge := strings.Repeat(" ", channels.MaxBodyBytes+1)
	type want struct {
		status   channels.Status
		requests int
		retry    time.Duration
		says     string
	}
	for _, s := range []webSource{sourceNamed("crossref"), sourceNamed("arxiv")} {
		full := reply{body: s.full}
		for _, tt := range []struct {
			name    string
			replies []reply
			want    want
		}{
			{"429, then success", []reply{{status: 429, header: later("2")}, full}, want{ok, 2, 0, ""}},
			{"429 always", []reply{{status: 429, header: later("2")}}, want{limited, 3, 2 * time.Second, "answered 429"}},
			{"429 beyond the deadline", []reply{{status: 429, header: later("600")}}, want{limited, 1, 10 * time.Minute, "answered 429"}},
			{"500 twice, then success", []reply{{status: 500}, {status: 503}, full}, want{ok, 3, 0, ""}},
			{"504 as a web page", []reply{{status: 504, header: html, body: page}}, want{unavailable, 3, 0, "answered 504"}},
			{"503 as a challenge", []reply{{status: 503, header: html, body: challenge}}, want{blocked, 1, 0, "answered 503"}},
			{"404 as plain text", []reply{{status: 404, body: "Resource not found."}}, want{wrong, 1, 0, "answered 404 Not Found"}},
			{"401", []reply{{status: 401}}, want{channels.StatusAuthRequired, 1, 0, "answered 401"}},
			{"403", []reply{{status: 403}}, want{blocked, 1, 0, "answered 403"}},
			{"403 with Retry-After", []reply{{status: 403, header: later("60")}}, want{limited, 1, time.Minute, "answered 403"}},
			{"202 as a block", []reply{{status: 202, header: html, body: page}}, want{blocked, 1, 0, "answered 202"}},
			{"204", []reply{{status: 204}}, want{malformed, 1, 0, "answered 204"}},
			{"empty body", []reply{{}}, want{malformed, 1, 0, "something other"}},
			{"cut connection, then success", []reply{{body: s.full[:40], cut: true}, full}, want{ok, 2, 0, ""}},
			{"cut connection always", []reply{{body: s.full[:40], cut: true}}, want{unavailable, 3, 0, "closed the connection"}},
			{"a web page under the right type", []reply{{body: page}}, want{malformed, 1, 0, "a web page instead of"}},
			{"a bot check", []reply{{header: html, body: challenge}}, want{blocked, 1, 0, "bot check"}},
			{"a huge body", []reply{{body: s.empty[:1] + huge}}, want{malformed, 1, 0, "larger than 8 MB"}},
			{"under another type", []reply{{header: map[string]string{"Content-Type": "text/plain"}, body: s.full}}, want{ok, 1, 0, ""}},
			{"a redirect loop", []reply{{status: 302, header: map[string]string{"Location": "/again"}}},
				want{wrong, 11, 0, "too many redirects"}},
		} {
			t.Run(s.name+"/"+tt.name, func(t *testing.T) {
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

// A circuit opens after failures in a row, not after cancelled searches, and closes after a search that succeeds.
func TestCircuitOpensAndCloses(t *testing.T) {
	s, clock := sourceNamed("crossref"), newClock()
	at := s.serve(reply{hang: true})
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
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range channels.CircuitFailures {
		if _, err := r.Search(cancelled, []string{s.name}, channels.Query{Text: "tides"}, nil); err != nil {
			t.Error(err)
		}
	}
	at.answer(reply{status: 500})
	for range channels.CircuitFailures {
		if out, _ := one(t, r, s.name, channels.Query{}); !strings.HasPrefix(out.Message, "answered 500") {
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
