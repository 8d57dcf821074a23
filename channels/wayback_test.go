package channels_test

import (
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/google/go-cmp/cmp"
)

func TestWayback(t *testing.T) {
	type evidence = channels.Evidence
	lines := answers()["wayback full"] + "\n"
	revisit := evidence{Title: "https://tides.example.org/mill as archived on 2020-06-12 01:40", URL: "https://web.archive.org/web/20200612014014/https://tides.example.org/mill", Snippet: "warc/revisit; status -", Source: "wayback", PublishedAt: "2020-06-12"}
	first := evidence{Title: "http://tides.example.org:80/mill as archived on 2001-04-10 21:39", URL: "https://web.archive.org/web/20010410213930/http://tides.example.org:80/mill", Snippet: "text/html; status 200", Source: "wayback", PublishedAt: "2001-04-10"}
	text := map[string]string{"Content-Type": "text/plain;charset=UTF-8"}
	html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
	tests := []struct {
		name, text string
		reply      reply
		status     channels.Status
		requests   int
		says       string
		want       []evidence
	}{
		{"lines, and a resume key after them", "tides.example.org/mill", reply{header: text, body: []byte(lines)}, channels.StatusOK, 1, "", []evidence{revisit, first}},
		{"an empty body", "tides.example.org", reply{header: text}, channels.StatusEmpty, 1, "", nil},
		{"an address among words", "what did https://tides.example.org/mill say", reply{header: text, body: []byte(lines)}, channels.StatusOK, 1, "", []evidence{revisit, first}},
		{"no address", "tidal mills of old", reply{header: text, body: []byte(lines)}, channels.StatusError, 0, "give it one", nil},
		{"a blocked site", "tides.example.org", reply{status: 403, header: text, body: []byte("org.archive.util.io.RuntimeIOException: org.archive.wayback.exception.AdministrativeAccessControlException: Blocked Site Error\n")}, channels.StatusBlocked, 1, "answered 403 Forbidden: Blocked Site Error", nil},
		{"something else", "tides.example.org", reply{header: text, body: []byte("Please come back later")}, channels.StatusMalformed, 1, "no list of captures", nil},
		{"a web page", "tides.example.org", reply{header: html, body: []byte(page)}, channels.StatusMalformed, 1, "a web page instead of", nil},
		{"a bot check", "tides.example.org", reply{header: html, body: []byte(challenge)}, channels.StatusBlocked, 1, "bot check", nil},
		{"200 with an error inside", "tides.example.org", reply{body: []byte(`{"message":"resting"}`)}, channels.StatusError, 1, "the source says: resting", nil},
		{"compressed without a request", "tides.example.org/mill", reply{header: map[string]string{"Content-Encoding": "gzip"}, body: gzipped(t, []byte(lines))}, channels.StatusOK, 1, "", []evidence{revisit, first}},
		{"not compressed despite its header", "tides.example.org", reply{header: map[string]string{"Content-Encoding": "gzip"}, body: []byte(lines)}, channels.StatusMalformed, 1, "invalid compression", nil},
		{"a huge body", "tides.example.org", reply{header: text, body: []byte(strings.Repeat("x", channels.MaxBodyBytes+1))}, channels.StatusMalformed, 1, "larger than 8 MB", nil},
		{"cut connection always", "tides.example.org", reply{header: text, body: []byte(lines), cut: true}, channels.StatusUnavailable, 3, "closed the connection", nil},
		{"500 always", "tides.example.org", reply{status: 500}, channels.StatusUnavailable, 3, "answered 500", nil},
		{"429 with seconds beyond the deadline", "tides.example.org", reply{status: 429, header: map[string]string{"Retry-After": "600"}}, channels.StatusRateLimited, 1, "answered 429", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := newFaultServer(t, "application/json", tt.reply)
			r := registry(t, newClock(), channels.Config{URLs: map[string]string{"wayback": server.URL}})
			out, found := one(t, r, "wayback", channels.Query{Text: tt.text})
			if out.Status != tt.status || len(server.requests()) != tt.requests || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v after %d requests, want %s after %d saying %q", out, len(server.requests()), tt.status, tt.requests, tt.says)
			}
			var got []evidence
			for _, f := range found {
				f.Score = 0
				got = append(got, f.Evidence)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("evidence (-want +got)\n%s", diff)
			}
		})
	}
}

func TestWaybackHangs(t *testing.T) {
	server := newFaultServer(t, "text/plain", reply{hang: true})
	r := registry(t, newClock(), channels.Config{URLs: map[string]string{"wayback": server.URL}, Timeout: 30 * time.Millisecond})
	if out, _ := one(t, r, "wayback", channels.Query{Text: "tides.example.org"}); out.Status != channels.StatusUnavailable || out.Message != "no answer before the deadline" {
		t.Errorf("%+v", out)
	}
}
