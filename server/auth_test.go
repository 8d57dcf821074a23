package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/loops"
)

func TestWhoIsLetIn(t *testing.T) {
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	anna := tokenOf["anna"]
	handler := authenticate(tokens, slog.New(slog.DiscardHandler), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
		{"ben", []string{"Bearer " + tokenOf["ben"]}, "ben", ""},
		{"the scheme in small letters", []string{"bearer " + anna}, "anna", ""},
		{"two spaces", []string{"Bearer  " + anna}, "anna", ""},
		{"nothing", nil, "", plain},
		{"an empty header", []string{""}, "", plain},
		{"the scheme alone", []string{"Bearer"}, "", plain},
		{"the scheme and a space", []string{"Bearer "}, "", plain},
		{"no scheme", []string{anna}, "", plain},
		{"another scheme", []string{"Basic " + anna}, "", plain},
		{"two headers", []string{"Bearer " + anna, "Bearer " + anna}, "", plain},
		{"two tokens", []string{"Bearer " + anna + ", Bearer " + tokenOf["ben"]}, "", plain},
		{"something behind", []string{"Bearer " + anna + " x"}, "", plain},
		{"a tab", []string{"Bearer\t" + anna}, "", plain},
		{"quotes", []string{`Bearer "` + anna + `"`}, "", plain},
		{"an endless one", []string{"Bearer " + strings.Repeat("a", maxTokenChars+1)}, "", plain},
		{"not ASCII", []string{"Bearer ünknown"}, "", plain},
		{"an unknown one", []string{"Bearer citeloop_unknown"}, "", invalid},
		{"a part of one", []string{"Bearer " + anna[:len(anna)-1]}, "", invalid},
		{"one and more", []string{"Bearer " + anna + "A"}, "", invalid},
		{"in capitals", []string{"Bearer " + strings.ToUpper(anna)}, "", invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, Endpoint, nil)
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

// With tokens the whole endpoint asks for one, by whatever method; the health check does not.
func TestNothingWithoutAToken(t *testing.T) {
	h := newHouse(t)
	tokens, path, tokenOf := newTokens(t, "anna")
	url := h.serve(t, tokens).URL
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions, http.MethodHead} {
		if got := request(t, method, url, initialize, nil); got.Status != http.StatusUnauthorized || got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s without a token: %+v", method, got)
		}
	}
	if got := request(t, http.MethodPost, url+Endpoint+"?access_token="+tokenOf["anna"]+"#", initialize, nil); got.Status == 200 {
		t.Errorf("a token in the address is taken: %+v", got)
	}
	if resp, err := http.Get(url + "/healthz"); err != nil || resp.StatusCode != 200 {
		t.Errorf("the health check: %v, %v", resp, err)
	}
	if got := request(t, http.MethodPost, url, initialize, with(tokenOf["anna"], map[string]string{"Origin": "https://evil.example"})); got.Status != http.StatusForbidden {
		t.Errorf("a page of another site with a token: %+v", got)
	}
	if err := os.WriteFile(path, []byte("anna\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, _, _ := newTokens(t, "anna")
	damaged.path, damaged.checked = path, time.Time{}
	got := request(t, http.MethodPost, h.serve(t, damaged).URL, initialize, with(tokenOf["anna"], nil))
	if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, path) {
		t.Errorf("with a damaged file: %+v", got)
	}
}

// An event stream lasts as long as its token, and no longer.
func TestEventStreamsEndWithTheirToken(t *testing.T) {
	for name, ask := range map[string]func() *http.Request{
		"2025-11-25": func() *http.Request { return httptest.NewRequest(http.MethodGet, Endpoint, nil) },
		"2026-07-28": func() *http.Request {
			r := httptest.NewRequest(http.MethodPost, Endpoint, nil)
			r.Header.Set(mcp.HeaderMethod, string(mcp.MethodSubscriptionsListen))
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			tokens, path, tokenOf := newTokens(t, "anna", "ben")
			synctest.Test(t, func(t *testing.T) {
				open := authenticate(tokens, slog.New(slog.DiscardHandler), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
				ended := map[string]time.Duration{}
				var mu sync.Mutex
				var wg sync.WaitGroup
				began := time.Now()
				ctx, leave := context.WithCancel(t.Context())
				for owner, token := range tokenOf {
					wg.Go(func() {
						r := ask().WithContext(ctx)
						r.Header.Set("Authorization", "Bearer "+token)
						open.ServeHTTP(httptest.NewRecorder(), r)
						mu.Lock()
						defer mu.Unlock()
						ended[owner] = time.Since(began)
					})
				}
				time.Sleep(3*streamCheckEvery + 1) // of the bubble's time
				lines, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				_, bens, _ := strings.Cut(string(lines), "\n")
				if err := os.WriteFile(path, []byte(bens), 0o600); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * streamCheckEvery)
				mu.Lock()
				if len(ended) != 1 || ended["anna"] != 4*streamCheckEvery {
					t.Errorf("ended %v, want anna's alone after %v", ended, 4*streamCheckEvery)
				}
				mu.Unlock()
				leave()
				wg.Wait()
			})
		})
	}
}

// Owners call at once while the file changes under them: each sees their own, or is refused.
func TestOwnersAtOnce(t *testing.T) {
	h := newHouse(t)
	tokens, path, tokenOf := newTokens(t, "anna", "ben", "eve")
	url := h.serve(t, tokens).URL
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	loopOf := map[string]string{}
	for owner := range tokenOf {
		loopOf[owner] = h.loopAfter(t, loops.WithOwner(t.Context(), owner), 0)
	}
	var wg sync.WaitGroup
	for owner, token := range tokenOf {
		for range 3 {
			wg.Go(func() {
				for range 15 {
					for of, loop := range loopOf {
						status, text := modernPost(t, url, token, "tools/call", "loop_get_gaps", map[string]any{"name": "loop_get_gaps", "arguments": map[string]any{"state_id": loop}})
						if status == 200 && strings.Contains(text, `"isError":true`) == (of == owner) || status != 200 && owner != "eve" {
							t.Errorf("%s asks about %s's loop: %d %s", owner, of, status, text)
						}
					}
				}
			})
		}
	}
	wg.Go(func() {
		for i := range 20 { // eve comes and goes
			text := string(all)
			if i%2 == 0 {
				text = text[:strings.Index(text, "eve")]
			}
			if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
				t.Error(err)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Error(err)
			}
			tokens.mu.Lock()
			tokens.checked = time.Time{}
			tokens.mu.Unlock()
			if _, _, err := tokens.owner("x"); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
}
