package channels_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestFaults checks the outcome and the number of requests for each kind of fault and each web channel.
func TestFaults(t *testing.T) {
	type want struct {
		status   channels.Status
		requests int
		retry    time.Duration
		says     string
	}
	for nth, s := range webSources() {
		ok := reply{body: s.body(t)}
		date := newClock().Now().Add(90 * time.Second).Format(http.TimeFormat)
		now := newClock().Now().Format(http.TimeFormat)
		html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
		tests := []struct {
			name    string
			replies []reply
			want    want
		}{
			{"nothing found", []reply{{body: []byte(s.empty)}}, want{channels.StatusEmpty, 1, 0, ""}},
			{"429 with seconds, then success", []reply{{status: 429, header: map[string]string{"Retry-After": "2"}}, ok},
				want{channels.StatusOK, 2, 0, ""}},
			{"429 without Retry-After, then success", []reply{{status: 429}, ok}, want{channels.StatusOK, 2, 0, ""}},
			{"429 always", []reply{{status: 429, header: map[string]string{"Retry-After": "2"}}},
				want{channels.StatusRateLimited, 3, 2 * time.Second, "answered 429"}},
			{"429 with seconds beyond the deadline", []reply{{status: 429, header: map[string]string{"Retry-After": "600"}}},
				want{channels.StatusRateLimited, 1, 600 * time.Second, "answered 429"}},
			{"429 with a date beyond the deadline", []reply{{status: 429, header: map[string]string{"Retry-After": date, "Date": now}}},
				want{channels.StatusRateLimited, 1, 90 * time.Second, "answered 429"}},
			{"429 with an invalid Retry-After", []reply{{status: 429, header: map[string]string{"Retry-After": "soon"}}, ok},
				want{channels.StatusOK, 2, 0, ""}},
			{"500, then success", []reply{{status: 500}, ok}, want{channels.StatusOK, 2, 0, ""}},
			{"500 twice, then success", []reply{{status: 500}, {status: 503}, ok}, want{channels.StatusOK, 3, 0, ""}},
			{"500 always", []reply{{status: 500}}, want{channels.StatusUnavailable, 3, 0, "answered 500 Internal Server Error"}},
			{"504 as a web page", []reply{{status: 504, header: html, body: []byte(page)}},
				want{channels.StatusUnavailable, 3, 0, "answered 504 Gateway Timeout"}},
			{"503 as a challenge", []reply{{status: 503, header: html, body: []byte(challenge)}},
				want{channels.StatusBlocked, 1, 0, "answered 503"}},
			{"400", []reply{{status: 400}}, want{channels.StatusError, 1, 0, "answered 400 Bad Request"}},
			{"404 as plain text", []reply{{status: 404, header: map[string]string{"Content-Type": "text/plain"},
				body: []byte("Resource not found.")}}, want{channels.StatusError, 1, 0, "answered 404 Not Found"}},
			{"401", []reply{{status: 401}}, want{channels.StatusAuthRequired, 1, 0, "answered 401"}},
			{"403", []reply{{status: 403}}, want{channels.StatusBlocked, 1, 0, "answered 403"}},
			{"403 with Retry-After", []reply{{status: 403, header: map[string]string{"Retry-After": "60"}}},
				want{channels.StatusRateLimited, 1, time.Minute, "answered 403"}},
			{"202 as a block", []reply{{status: 202, header: html, body: []byte(page)}},
				want{channels.StatusBlocked, 1, 0, "answered 202"}},
			{"204", []reply{{status: 204}}, want{channels.StatusMalformed, 1, 0, "answered 204"}},
			{"empty body", []reply{{}}, want{channels.StatusMalformed, 1, 0, "something other"}},
			{"cut connection, then success", []reply{{body: ok.body[:40], cut: true}, ok}, want{channels.StatusOK, 2, 0, ""}},
			{"cut connection always", []reply{{body: ok.body[:40], cut: true}},
				want{channels.StatusUnavailable, 3, 0, "closed the connection"}},
			{"truncated inside a record", []reply{{body: []byte(s.broken)}}, want{channels.StatusMalformed, 1, 0, "the answer is not"}},
			{"another answer", []reply{{body: []byte(s.other)}}, want{channels.StatusMalformed, 1, 0, ""}},
			{"a web page", []reply{{header: html, body: []byte(page)}}, want{channels.StatusMalformed, 1, 0, "a web page instead of"}},
			{"a web page under the right type", []reply{{body: []byte(page)}},
				want{channels.StatusMalformed, 1, 0, "a web page instead of"}},
			{"a bot check", []reply{{header: html, body: []byte(challenge)}}, want{channels.StatusBlocked, 1, 0, "bot check"}},
			{"a huge body", []reply{{body: append([]byte(s.empty[:1]), bytes.Repeat([]byte(" "), channels.MaxBodyBytes+1)...)}},
				want{channels.StatusMalformed, 1, 0, "larger than 8 MB"}},
			{"the right body under another type", []reply{{header: map[string]string{"Content-Type": "text/plain"}, body: ok.body}},
				want{channels.StatusOK, 1, 0, ""}},
			{"not compressed despite its header", []reply{{header: map[string]string{"Content-Encoding": "gzip"}, body: ok.body}},
				want{channels.StatusOK, 1, 0, ""}},
			{"another charset than declared", []reply{{body: latin1(ok.body)}}, want{s.latin1Status(), 1, 0, ""}},
			{"UTF-16", []reply{{body: utf16le(ok.body)}}, want{channels.StatusMalformed, 1, 0, ""}},
			{"500 with a huge page", []reply{{status: 500, header: html, body: bytes.Repeat([]byte(" "), channels.MaxBodyBytes+1)}, ok},
				want{channels.StatusOK, 2, 0, ""}},
			{"a redirect loop", []reply{{status: 302, header: map[string]string{"Location": "/again"}}},
				want{channels.StatusError, 11, 0, "too many redirects"}},
			{"compressed without a request", []reply{{header: map[string]string{"Content-Encoding": "gzip"}, body: gzipped(t, ok.body)}},
				want{channels.StatusOK, 1, 0, ""}},
		}
		for row, tt := range tests {
			if testing.Short() && (nth+row)%4 != 0 { // each fault at every fourth source
				continue
			}
			t.Run(s.name+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				server := s.serve(t, tt.replies...)
				clock := newClock()
				client := fetch.NewClient(fetch.ClientConfig{AllowPrivate: []string{strings.TrimPrefix(server.URL, "http://")}})
				t.Cleanup(client.CloseIdleConnections)
				r := registry(t, clock, channels.Config{URLs: map[string]string{s.name: server.URL}, Client: client})
				out, found := one(t, r, s.name, channels.Query{})
				got := want{out.Status, len(server.requests()), out.RetryAfter, tt.want.says}
				if !strings.Contains(out.Message, tt.want.says) {
					got.says = out.Message
				}
				if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(want{})); diff != "" {
					t.Errorf("outcome (-want +got)\n%s", diff)
				}
				if (out.Status == channels.StatusOK) != (len(found) > 0) || out.Count != len(found) {
					t.Errorf("%s with %d results, count %d", out.Status, len(found), out.Count)
				}
				if out.Status == channels.StatusOK && tt.want.requests > 1 && len(clock.slept) == 0 {
					t.Error("tried again without waiting")
				}
			})
		}
	}
}

// latin1 writes each character outside ASCII as one byte that is not UTF-8.
func latin1(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		if r > 127 {
			r = 0xe9
		}
		out = append(out, byte(r))
	}
	return append(out, '\n')
}

func utf16le(body []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(string(body))) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

// latin1Status returns the outcome for a wrong charset: the JSON decoder replaces the bytes by U+FFFD, the XML decoder
// fails.
func (s webSource) latin1Status() channels.Status {
	if strings.Contains(s.kind, "xml") {
		return channels.StatusMalformed
	}
	return channels.StatusOK
}

func gzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSlowAnswer(t *testing.T) {
	for _, s := range webSources() {
		if s.aside != nil {
			continue // its second request has to wait for its turn
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			server := s.serve(t, reply{hang: true})
			r := registry(t, newClock(), channels.Config{URLs: map[string]string{s.name: server.URL}, Timeout: 100 * time.Millisecond})
			out, _ := one(t, r, s.name, channels.Query{})
			want := channels.Outcome{Name: s.name, Status: channels.StatusUnavailable, Message: "no answer before the deadline"}
			if diff := cmp.Diff(want, out, cmpopts.IgnoreFields(channels.Outcome{}, "Took")); diff != "" {
				t.Errorf("outcome (-want +got)\n%s", diff)
			}
		})
	}
}

// The guarded client dials private addresses only if they are allowed; a refusal does not count against the source.
func TestPrivateAddressIsRefused(t *testing.T) {
	s := sourceNamed(t, "arxiv")
	server := s.serve(t, reply{body: s.body(t)})
	address := strings.TrimPrefix(server.URL, "http://")
	urls := map[string]string{s.name: server.URL}
	closed := registry(t, newClock(), channels.Config{URLs: urls, Client: fetch.NewClient(fetch.ClientConfig{UserAgent: "citeloop"})})
	for range channels.CircuitFailures + 1 {
		out, _ := one(t, closed, s.name, channels.Query{})
		if out.Status != channels.StatusUnavailable || !strings.Contains(out.Message, "add "+address+" to CITELOOP_ALLOW_PRIVATE") {
			t.Errorf("%+v", out)
		}
	}
	if n := len(server.requests()); n > 0 {
		t.Errorf("%d requests went out", n)
	}
	opened := registry(t, newClock(), channels.Config{URLs: urls,
		Client: fetch.NewClient(fetch.ClientConfig{AllowPrivate: []string{address}})})
	if out, _ := one(t, opened, s.name, channels.Query{}); out.Status != channels.StatusOK {
		t.Errorf("allowed: %+v", out)
	}
}

// A temporary error of MediaWiki is retried although its status is 200.
func TestMaxlagIsRetried(t *testing.T) {
	s := sourceNamed(t, "wikipedia")
	lag := reply{header: map[string]string{"Retry-After": "5"},
		body: []byte(`{"error":{"code":"maxlag","info":"Waiting for db: 7 seconds lagged"}}`)}
	server := s.serve(t, lag, reply{body: s.body(t)})
	clock := newClock()
	out, _ := one(t, registry(t, clock, channels.Config{URLs: map[string]string{s.name: server.URL}}), s.name, channels.Query{})
	if out.Status != channels.StatusOK || len(server.requests()) != 2 || clock.slept[0] < 5*time.Second {
		t.Errorf("%+v after %d requests, slept %v", out, len(server.requests()), clock.slept)
	}
}

// No search asks a host before its Retry-After has passed, or while its allowance is used up; the failure has the wait.
func TestHostsAreHeld(t *testing.T) {
	for name, refused := range map[string]reply{
		"Retry-After":  {status: 429, header: map[string]string{"Retry-After": "600"}},
		"an allowance": {status: 403, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "600"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := sourceNamed(t, "crossref")
			server := s.serve(t, refused)
			clock := newClock()
			r := registry(t, clock, channels.Config{URLs: map[string]string{s.name: server.URL}})
			for _, wait := range []time.Duration{10 * time.Minute, 9 * time.Minute} {
				if out, _ := one(t, r, s.name, channels.Query{}); out.Status != channels.StatusRateLimited || out.RetryAfter != wait {
					t.Errorf("%+v, want a wait of %s", out, wait)
				}
				clock.pass(time.Minute)
			}
			if n := len(server.requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
			clock.pass(8 * time.Minute)
			server.answer(reply{body: s.body(t)})
			if out, _ := one(t, r, s.name, channels.Query{}); out.Status != channels.StatusOK {
				t.Errorf("afterwards: %+v", out)
			}
		})
	}
}

func TestCircuitOpensAndCloses(t *testing.T) {
	s, other := sourceNamed(t, "crossref"), sourceNamed(t, "wikipedia")
	bad := s.serve(t, reply{status: 500})
	clock := newClock()
	r := registry(t, clock, channels.Config{URLs: map[string]string{s.name: bad.URL,
		other.name: other.serve(t, reply{body: other.body(t)}).URL}})
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
		answer, err := r.Search(t.Context(), []string{s.name, other.name}, channels.Query{Text: "tides"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.Outcomes; got[0].Status != channels.StatusUnavailable || got[1].Status != channels.StatusOK {
			t.Errorf("%+v", got)
		}
	}
	bad.answer(reply{body: s.body(t)})
	out, _ := one(t, r, s.name, channels.Query{})
	if out.Status != channels.StatusUnavailable || len(bad.requests()) != 0 || !strings.Contains(out.Message, "circuit open until") ||
		out.RetryAfter <= 0 || out.RetryAfter > channels.CircuitOpenFor {
		t.Errorf("while open: %+v, %d requests", out, len(bad.requests()))
	}
	health("circuit open until ")
	clock.pass(channels.CircuitOpenFor)
	if out, _ := one(t, r, s.name, channels.Query{}); out.Status != channels.StatusOK || len(bad.requests()) != 1 {
		t.Errorf("after a minute: %+v, %d requests", out, len(bad.requests()))
	}
	health("ok")
}
