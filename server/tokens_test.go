package server

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// With tokens, every method of the endpoint requires one. The health check does not.
func TestEndpointRequiresToken(t *testing.T) {
	h := newFixture(t)
	tokens, path, tokenOf := newTokens(t, "anna")
	url := h.serve(t, tokens).URL
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions, http.MethodHead} {
		if got := request(t, method, url, initialize, nil); got.Status != http.StatusUnauthorized || got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s without a token: %+v", method, got)
		}
	}
	if got := request(t, http.MethodPost, url+Endpoint+"?access_token="+tokenOf["anna"]+"#", initialize, nil); got.Status == 200 {
		t.Errorf("a token in the address is accepted: %+v", got)
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
	got := request(t, http.MethodPost, url, initialize, with(tokenOf["anna"], nil))
	if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, path) {
		t.Errorf("with a damaged file: %+v", got)
	}
}

// While the token file changes, concurrent callers see their own loops or are rejected.
func TestConcurrentOwners(t *testing.T) {
	h := newFixture(t)
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
		for i := range 20 { // eve's token is removed and added
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
			if _, err := tokens.Authenticate(t.Context(), "x"); !errors.Is(err, access.ErrUnknownToken) {
				t.Error(err)
			}
		}
	})
	wg.Wait()
}
