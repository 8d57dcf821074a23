package channels_test

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
)

// The key is sent in a header, so that no log or address contains it.
func TestSemanticScholarKey(t *testing.T) {
	s := webSources()[3]
	for _, key := range []string{"", "secret-key"} {
		server := s.serve(t, reply{body: s.body(t)})
		cfg := channels.Config{URLs: map[string]string{s.name: server.URL}}
		if key != "" {
			cfg.Keys = map[string]string{s.name: key}
		}
		one(t, registry(t, newClock(), cfg), s.name, channels.Query{})
		asked := server.requests()
		if len(asked) != 1 || asked[0].Header.Get("x-api-key") != key || strings.Contains(asked[0].URL.String(), "secret") {
			t.Errorf("key %q: asked %s with x-api-key %q", key, asked[0].URL, asked[0].Header.Get("x-api-key"))
		}
	}
}

func TestSemanticScholarRefusals(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		want   channels.Status
		words  string
	}{
		{"a bad key", 403, `{"message":"Forbidden"}`, channels.StatusAuthRequired, "its key is not accepted"},
		{"the shared pool is full", 429, `{"message":"Too Many Requests. Please wait and try again.","code":"429"}`, channels.StatusRateLimited, ""},
		{"a bad query", 400, `{"error":"Unacceptable query params"}`, channels.StatusError, "Unacceptable query params"},
	}
	s := webSources()[3]
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := s.serve(t, reply{status: tt.status, body: []byte(tt.body)})
			out, _ := one(t, registry(t, newClock(), channels.Config{URLs: map[string]string{s.name: server.URL}}), s.name, channels.Query{})
			if out.Status != tt.want || !strings.Contains(out.Message, tt.words) {
				t.Errorf("%s (%s), want %s (%s)", out.Status, out.Message, tt.want, tt.words)
			}
		})
	}
}
