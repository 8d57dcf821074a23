package access

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
)

func TestBearerHeaders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	anna, err := AddToken(path, "anna", noon)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := OpenTokens(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	handler := Bearer(tokens, "", slog.New(slog.DiscardHandler), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(loops.OwnerOf(r.Context())))
	}))
	const plain, invalid = `Bearer realm="citeloop"`, `Bearer realm="citeloop", error="invalid_token"`
	for _, tt := range []struct {
		name      string
		header    []string
		owner     string
		challenge string
	}{
		{"anna", []string{"Bearer " + anna}, "anna", ""},
		{"the scheme in small letters", []string{"bearer " + anna}, "anna", ""},
		{"two spaces", []string{"Bearer  " + anna}, "anna", ""},
		{"nothing", nil, "", plain},
		{"no scheme", []string{anna}, "", plain},
		{"another scheme", []string{"Basic " + anna}, "", plain},
		{"two headers", []string{"Bearer " + anna, "Bearer " + anna}, "", plain},
		{"no token", []string{"Bearer "}, "", plain},
		{"an unknown one", []string{"Bearer citeloop_unknown"}, "", invalid},
		{"a part of one", []string{"Bearer " + anna[:len(anna)-1]}, "", invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
			r.Header["Authorization"] = tt.header
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if tt.owner != "" {
				if w.Code != 200 || w.Body.String() != tt.owner {
					t.Errorf("%d %s, want %s", w.Code, w.Body, tt.owner)
				}
				return
			}
			var body struct{ Error, Message string }
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Error != "unauthorized" || body.Message == "" {
				t.Errorf("body %s, %v", w.Body, err)
			}
			if got := w.Header().Get("WWW-Authenticate"); w.Code != http.StatusUnauthorized || got != tt.challenge {
				t.Errorf("%d, WWW-Authenticate %q; want 401, %q", w.Code, got, tt.challenge)
			}
			if strings.Contains(w.Body.String(), anna) {
				t.Errorf("the answer repeats a token: %s", w.Body)
			}
		})
	}
}
