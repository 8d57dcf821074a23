package fetch

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Credentials for a service are not sent to the host that it redirects to.
func TestRedirectsKeepSecrets(t *testing.T) {
	var seen []string
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.RequestURI()+" "+r.Header.Get("X-Api-Key")+r.Header.Get("Authorization")+r.Header.Get(
			"Cookie")+r.Header.Get("Referer")+" "+r.Header.Get("Accept"))
	}
	other := httptest.NewServer(http.HandlerFunc(note))
	defer other.Close()
	home := httptest.NewServer(site{
		"/away": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/there?"+r.URL.RawQuery, http.StatusFound)
		},
		"/away-307": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/there", http.StatusTemporaryRedirect)
		},
		"/near": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/here?"+r.URL.RawQuery, http.StatusFound)
		},
		"/here": note,
	})
	defer home.Close()
	client := NewClient(ClientConfig{AllowPrivate: []string{hostOf(home), hostOf(other)}, Proxy: noProxy})
	defer client.CloseIdleConnections()
	send := func(method, at, body string) error {
		req, err := http.NewRequestWithContext(t.Context(), method, home.URL+at, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body == "" {
			req.Body = nil
		}
		req.Header.Set("X-Api-Key", "hidden")
		req.Header.Set("Authorization", "Bearer hidden")
		req.Header.Set("Cookie", "s=hidden")
		req.Header.Set("Accept", "application/json")
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	for _, tt := range []struct{ name, method, at, body, want string }{
		{"another host gets no credentials", "GET", "/away?q=tides&key=hidden", "", "/there?q=tides  application/json"},
		{"a parameter that is no secret stays", "GET", "/away?q=hidden", "", "/there?q=hidden  application/json"},
		{"the same host gets them, without the address before", "GET", "/near?key=hidden", "",
			"/here?key=hidden hiddenBearer hiddens=hidden application/json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen = nil
			if err := send(tt.method, tt.at, tt.body); err != nil || len(seen) != 1 || seen[0] != tt.want {
				t.Errorf("%v, %q, want %q", err, seen, tt.want)
			}
		})
	}
	seen = nil
	if err := send("POST", "/away-307", `{"api_key": "hidden"}`); !errors.Is(err, ErrRedirectedBody) || len(seen) > 0 {
		t.Errorf("a body with a key: %v, %q", err, seen)
	}
}
