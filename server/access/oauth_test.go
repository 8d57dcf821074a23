package access

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"log/slog"
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

// issuer is an authorization server with keys of each kind, as a resource server sees it.
type issuer struct {
	*httptest.Server
	asked atomic.Int64

	mu     sync.Mutex
	keys   map[string]crypto.Signer
	status int
	body   []byte // replaces the keys unless nil
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{keys: map[string]crypto.Signer{}, status: 200}
	i.add(t, "rsa", func() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 2048) })
	i.add(t, "ec", func() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) })
	i.add(t, "ed", func() (crypto.Signer, error) { _, k, err := ed25519.GenerateKey(rand.Reader); return k, err })
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/.well-known/openid-configuration" {
			w.WriteHeader(i.status)
			_ = json.NewEncoder(w).Encode(map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
			return
		}
		i.asked.Add(1)
		body := i.body
		if body == nil {
			set := jose.JSONWebKeySet{}
			for id, key := range i.keys {
				set.Keys = append(set.Keys, jose.JSONWebKey{Key: key.Public(), KeyID: id, Use: "sig"})
			}
			body, _ = json.Marshal(set)
			// The key sets of large providers contain keys of unknown kinds.
			body = bytes.Replace(body, []byte(`"keys":[`),
				[]byte(`"keys":[{"kty":"XYZ","kid":"new"},{"kty":"oct","k":"c2VjcmV0","kid":"secret"},`), 1)
		}
		w.WriteHeader(i.status)
		_, _ = w.Write(body)
	}))
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) add(t *testing.T, id string, make func() (crypto.Signer, error)) {
	t.Helper()
	key, err := make()
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys[id] = key
}

func (i *issuer) set(status int, body []byte) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.status, i.body = status, body
}

func (i *issuer) sign(t *testing.T, kid string, alg jose.SignatureAlgorithm, claims map[string]any) string {
	t.Helper()
	i.mu.Lock()
	key := i.keys[kid]
	i.mu.Unlock()
	return signed(t, alg, key, kid, claims)
}

func signed(t *testing.T, alg jose.SignatureAlgorithm, key any, kid string, claims map[string]any) string {
	t.Helper()
	return signedAs(t, "at+jwt", alg, key, kid, claims)
}

func signedAs(t *testing.T, typ jose.ContentType, alg jose.SignatureAlgorithm, key any, kid string, claims map[string]any) string {
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
	for k, v := range change {
		if v == nil {
			delete(all, k)
			continue
		}
		all[k] = v
	}
	return all
}

func TestOAuthAuthenticates(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	o := newOAuth(t, i, &hand{at: noon})
	type change = map[string]any
	secret := []byte(strings.Repeat("s", 64))
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := json.Marshal(jose.JSONWebKey{Key: i.keys["rsa"].Public()})
	if err != nil {
		t.Fatal(err)
	}
	good := i.sign(t, "rsa", jose.RS256, i.claims(nil))
	head, rest, _ := strings.Cut(good, ".")
	body, _, _ := strings.Cut(rest, ".")
	for _, tt := range []struct {
		name, token string
		want        string
	}{
		{"RS256", good, "oauth:anna|7"},
		{"ES256", i.sign(t, "ec", jose.ES256, i.claims(nil)), "oauth:anna|7"},
		{"EdDSA", i.sign(t, "ed", jose.EdDSA, i.claims(nil)), "oauth:anna|7"},
		{"no key id", signed(t, jose.RS256, i.keys["rsa"], "", i.claims(nil)), "oauth:anna|7"},
		{"type JWT", signedAs(t, "JWT", jose.RS256, i.keys["rsa"], "rsa", i.claims(nil)), "oauth:anna|7"},
		{"an ID token", signedAs(t, "JWT", jose.RS256, i.keys["rsa"], "rsa", i.claims(change{"scope": nil})), ""},
		{"an ID token with a nonce", signedAs(t, "JWT", jose.RS256, i.keys["rsa"], "rsa", i.claims(change{"nonce": "n"})), ""},
		{"a logout token", signedAs(t, "logout+jwt", jose.RS256, i.keys["rsa"], "rsa", i.claims(nil)), ""},
		{"several audiences", i.sign(t, "rsa", jose.RS256, i.claims(change{"aud": []string{"https://other.example", resource}})),
			"oauth:anna|7"},
		{"scopes as a list", i.sign(t, "rsa", jose.RS256, i.claims(change{"scope": nil, "scp": []string{"citeloop"}})),
			"oauth:anna|7"},
		{"no scope of ours", i.sign(t, "rsa", jose.RS256, i.claims(change{"scope": "read write citeloop:read"})), ""},
		{"expired", i.sign(t, "rsa", jose.RS256, i.claims(change{"exp": noon.Add(-time.Second).Unix()})), ""},
		{"no exp claim", i.sign(t, "rsa", jose.RS256, i.claims(change{"exp": nil})), ""},
		{"before nbf", i.sign(t, "rsa", jose.RS256, i.claims(change{"nbf": noon.Add(6 * time.Minute).Unix()})), ""},
		{"for another server", i.sign(t, "rsa", jose.RS256, i.claims(change{"aud": "https://other.example/mcp"})), ""},
		{"another issuer", i.sign(t, "rsa", jose.RS256, i.claims(change{"iss": "https://evil.example"})), ""},
		{"no subject", i.sign(t, "rsa", jose.RS256, i.claims(change{"sub": nil})), ""},
		{"a subject with control characters", i.sign(t, "rsa", jose.RS256, i.claims(change{"sub": "anna\nben"})), ""},
		{"another's key under our id", signed(t, jose.RS256, rsaKey, "rsa", i.claims(nil)), ""},
		{"a secret for a signature", signed(t, jose.HS256, secret, "rsa", i.claims(nil)), ""},
		{"the public key as a secret", signed(t, jose.HS256, public, "rsa", i.claims(nil)), ""},
		{"no algorithm", "eyJhbGciOiJub25lIn0." + body + ".", ""},
		{"another body", head + "." + strings.ToLower(body) + good[strings.LastIndex(good, "."):], ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := o.Authenticate(t.Context(), tt.token)
			if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, ErrUnknownToken) {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// The keys may change, and no token causes frequent requests for them.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	i, clock := newIssuer(t), &hand{at: noon}
	o := newOAuth(t, i, clock)
	check := func(name, token string, want bool) {
		t.Helper()
		if _, err := o.Authenticate(t.Context(), token); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := map[string]any{"exp": noon.Add(48 * time.Hour).Unix()}
	old := i.sign(t, "rsa", jose.RS256, i.claims(long))
	for range 20 {
		check("the old key", old, true)
	}
	if n := i.asked.Load(); n != 1 {
		t.Errorf("%d requests for the first key", n)
	}
	i.add(t, "next", func() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P384(), rand.Reader) })
	next := i.sign(t, "next", jose.ES384, i.claims(long))
	check("a new key", next, true)
	clock.forward(time.Minute)
	before := i.asked.Load()
	for range 50 {
		check("an unknown key id", signed(t, jose.ES384, i.keys["next"], "made-up", i.claims(nil)), false)
		clock.forward(time.Second)
	}
	if n := i.asked.Load() - before; n > 9 {
		t.Errorf("%d requests in 50 seconds for unknown key ids", n)
	}
	check("a known key at that time", next, true)

	i.mu.Lock()
	delete(i.keys, "rsa")
	i.mu.Unlock()
	clock.forward(keysFresh)
	check("a removed key", old, false)
	check("the other key", next, true)

	for _, set := range []struct {
		status int
		body   string
	}{{503, ""}, {200, " "}, {200, "<html>"}, {200, `{"keys":"` + strings.Repeat("a", maxKeysBytes)}} {
		i.set(set.status, []byte(set.body))
		clock.forward(keysFresh)
		if _, err := o.Authenticate(t.Context(), next); err == nil || errors.Is(err, ErrUnknownToken) {
			t.Errorf("with the key set %d %.9s: %v; want that authentication is unavailable", set.status, set.body, err)
		}
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

// answer is an [Authenticator] with a fixed answer.
type answer struct {
	owner string
	err   error
}

func (a answer) Authenticate(context.Context, string) (string, error) { return a.owner, a.err }

func TestAuthenticatorOrder(t *testing.T) {
	t.Parallel()
	anna, unknown, broken := answer{owner: "anna"}, answer{err: ErrUnknownToken}, answer{err: errors.New("damaged")}
	if got, err := (Authenticators{broken, unknown, anna}).Authenticate(t.Context(), "x"); got != "anna" || err != nil {
		t.Errorf("a token that the last one knows: %s, %v", got, err)
	}
	if _, err := (Authenticators{unknown, unknown}).Authenticate(t.Context(), "x"); !errors.Is(err, ErrUnknownToken) {
		t.Errorf("a token that none knows: %v", err)
	}
	if _, err := (Authenticators{broken, unknown}).Authenticate(t.Context(), "x"); err == nil || errors.Is(err, ErrUnknownToken) {
		t.Errorf("a token that one cannot know: %v", err)
	}
}
