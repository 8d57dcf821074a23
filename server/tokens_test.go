package server

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// With tokens, every method of the endpoint requires one. The health check does not.
func TestEndpointRequiresToken(t *testing.T) {
	h := newFixture(t)
	tokens, path, tokenOf := newTokens(t, "anna")
	url := h.serve(t, tokens).URL
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions,
		http.MethodHead} {
		if got := request(t, method, url, initialize, nil); got.Status != http.StatusUnauthorized ||
			got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s without a token: %+v", method, got)
		}
	}
	if got := request(t, http.MethodPost, url+Endpoint+"?access_token="+tokenOf["anna"]+"#", initialize, nil); got.Status == 200 {
		t.Errorf("a token in the address is accepted: %+v", got)
	}
	if resp, err := http.Get(url + "/healthz"); err != nil || resp.StatusCode != 200 {
		t.Errorf("the health check: %v, %v", resp, err)
	}
	if got := request(t, http.MethodPost, url, initialize,
		with(tokenOf["anna"], map[string]string{"Origin": "https://evil.example"})); got.Status != http.StatusForbidden {
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
