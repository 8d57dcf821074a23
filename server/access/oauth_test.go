package access

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// issuer is an authorization server, as a resource server sees it.
type issuer struct {
	*httptest.Server
	asked atomic.Int64 // requests for its keys

	mu     sync.Mutex
	keys   map[string]crypto.Signer
	status int
	body   string // replaces the keys unless it is empty
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{status: http.StatusOK, keys: map[string]crypto.Signer{"ec": newKey(t), "ed": ed25519.NewKeyFromSeed(make([]byte, 32))}}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(i.status)
		if r.URL.Path == "/.well-known/openid-configuration" {
			_ = json.NewEncoder(w).Encode(map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
			return
		}
		i.asked.Add(1)
		// The key sets of large providers contain keys of unknown kinds.
		set := []any{map[string]string{"kty": "XYZ", "kid": "new"}, map[string]string{"kty": "oct", "k": "c2VjcmV0", "kid": "secret"}}
		for id, key := range i.keys {
			set = append(set, jose.JSONWebKey{Key: key.Public(), KeyID: id, Use: "sig"})
		}
		if _, err := io.WriteString(w, i.body); err == nil && i.body == "" {
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": set})
		}
	}))
	t.Cleanup(i.Close)
	return i
}

func newKey(t *testing.T) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// change does something to an issuer while it serves.
func (i *issuer) change(do func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	do()
}

func signed(t *testing.T, typ jose.ContentType, alg jose.SignatureAlgorithm, key any, kid string, claims map[string]any) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithType(typ)
	if kid != "" {
		options = options.WithHeader("kid", kid)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

const resource = "https://citeloop.example.org/mcp"

func newOAuth(t *testing.T, i *issuer, clock *hand) *OAuth {
	t.Helper()
	o, err := NewOAuth(OAuthConfig{Issuer: i.URL, Resource: resource, Now: clock.now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (i *issuer) claims(change map[string]any) map[string]any {
	all := map[string]any{"iss": i.URL, "aud": resource, "sub": "anna|7", "exp": noon.Add(time.Hour).Unix(), "iat": noon.Unix(),
		"scope": "openid citeloop"}
	maps.Copy(all, change)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

func TestOAuthAuthenticates(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	o := newOAuth(t, i, &hand{at: noon})
	type change = map[string]any
	public, err := json.Marshal(jose.JSONWebKey{Key: i.keys["ec"].Public()})
	if err != nil {
		t.Fatal(err)
	}
	typed := func(typ jose.ContentType, c change) string {
		return signed(t, typ, jose.ES256, i.keys["ec"], "ec", i.claims(c))
	}
	access := func(c change) string { return typed("at+jwt", c) }
	good := access(nil)
	head, rest, _ := strings.Cut(good, ".")
	body, _, _ := strings.Cut(rest, ".")
	for name, token := range map[string]string{
		"ES256": good, "EdDSA": signed(t, "at+jwt", jose.EdDSA, i.keys["ed"], "ed", i.claims(nil)), "type JWT": typed("JWT", nil),
		"no key id":         signed(t, "at+jwt", jose.ES256, i.keys["ec"], "", i.claims(nil)),
		"several audiences": access(change{"aud": []string{"https://other.example", resource}}),
		"scopes as a list":  access(change{"scope": nil, "scp": []string{"citeloop"}}),
	} {
		if got, err := o.Authenticate(t.Context(), token); got != "oauth:anna|7" || err != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for name, token := range map[string]string{
		"an ID token": typed("JWT", change{"scope": nil}), "an ID token with a nonce": typed("JWT", change{"nonce": "n"}),
		"a logout token": typed("logout+jwt", nil), "no scope of ours": access(change{"scope": "read write citeloop:read"}),
		"expired": access(change{"exp": noon.Add(-time.Second).Unix()}), "no exp claim": access(change{"exp": nil}),
		"before nbf":         access(change{"nbf": noon.Add(6 * time.Minute).Unix()}),
		"for another server": access(change{"aud": "https://other.example/mcp"}),
		"another issuer":     access(change{"iss": "https://evil.example"}), "no subject": access(change{"sub": nil}),
		"a subject with control characters": access(change{"sub": "anna\nben"}),
		"another's key under our id":        signed(t, "at+jwt", jose.ES256, newKey(t), "ec", i.claims(nil)),
		"a secret for a signature":          signed(t, "at+jwt", jose.HS256, []byte(strings.Repeat("s", 64)), "ec", i.claims(nil)),
		"the public key as a secret":        signed(t, "at+jwt", jose.HS256, public, "ec", i.claims(nil)),
		"no algorithm":                      "eyJhbGciOiJub25lIn0." + body + ".",
		"another body":                      head + "." + strings.ToLower(body) + good[strings.LastIndex(good, "."):],
	} {
		if got, err := o.Authenticate(t.Context(), token); !errors.Is(err, ErrUnknownToken) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// The keys may change, and no token causes frequent requests for them.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	i, clock := newIssuer(t), &hand{at: noon}
	o := newOAuth(t, i, clock)
	check := func(name, kid string, key any, want bool) {
		t.Helper()
		token := signed(t, "at+jwt", jose.ES256, key, kid, i.claims(map[string]any{"exp": noon.Add(48 * time.Hour).Unix()}))
		if _, err := o.Authenticate(t.Context(), token); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	old, next := i.keys["ec"], newKey(t)
	for range 20 {
		check("the old key", "ec", old, true)
	}
	if n := i.asked.Load(); n != 1 {
		t.Errorf("%d requests for the first key", n)
	}
	i.change(func() { i.keys["next"] = next })
	check("a new key", "next", next, true)
	clock.forward(time.Minute)
	before := i.asked.Load()
	for range 50 {
		check("an unknown key id", "made-up", next, false)
		clock.forward(time.Second)
	}
	if n := i.asked.Load() - before; n > 9 {
		t.Errorf("%d requests in 50 seconds for unknown key ids", n)
	}
	check("a known key at that time", "next", next, true)
	i.change(func() { delete(i.keys, "ec") })
	clock.forward(keysFresh)
	check("a removed key", "ec", old, false)
	for body, status := range map[string]int{"down": http.StatusServiceUnavailable, " ": http.StatusOK, "<html>": http.StatusOK,
		`{"keys":"` + strings.Repeat("a", maxKeysBytes): http.StatusOK} {
		i.change(func() { i.status, i.body = status, body })
		clock.forward(keysFresh)
		if _, err := o.Authenticate(t.Context(), signed(t, "at+jwt", jose.ES256, next, "next", i.claims(nil))); err == nil ||
			errors.Is(err, ErrUnknownToken) {
			t.Errorf("with the key set %.9s: %v; want that authentication is unavailable", body, err)
		}
	}
	clock.forward(keysFresh)
	if _, err := o.client.Get("http://keys.example.org/keys"); err == nil || !strings.Contains(err.Error(), "is not https") {
		t.Errorf("keys over plain http: %v", err)
	}
}

func TestOAuthSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, issuer, resource, err string }{
		{"all over https", "https://login.example.org", resource, ""},
		{"on this machine", "http://127.0.0.1:9000", "http://127.0.0.1:8080/mcp", ""},
		{"no issuer", "", resource, "OAuth issuer is missing"},
		{"plain http", "http://login.example.org", resource, "is not https"},
		{"a public address without scheme", "https://login.example.org", "citeloop.example.org", "OAuth public address"},
		{"secrets in it", "https://me:secret@login.example.org", resource, "is not a valid address"},
	} {
		_, err := NewOAuth(OAuthConfig{Issuer: tt.issuer, Resource: tt.resource})
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %v, want one with %q", tt.name, err, tt.err)
		}
	}
}
