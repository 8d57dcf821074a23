package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	// scopePrefix separates our scopes from those of other services of the authorization server.
	scopePrefix = "citeloop:"
	// keysFresh is how long signing keys are used before they are requested again. A revoked key stops working after it.
	keysFresh = 15 * time.Minute
	// keysPause is the mean time between two requests for keys, whatever tokens arrive with invented key ids.
	keysPause = 10 * time.Second
	// keysTimeout bounds one request, maxKeysBytes its answer. Sets of large providers have 10 kB.
	keysTimeout  = 5 * time.Second
	maxKeysBytes = 256 << 10
)

// OAuthConfig configures a server as an OAuth 2.1 resource. All fields are required, but Transport.
type OAuthConfig struct {
	Issuer    string // authorization server, the iss claim of its tokens; it has /.well-known/openid-configuration
	Resource  string // public address of this server, such as https://citeloop.example.org/mcp: the audience of its tokens
	Transport http.RoundTripper
	Now       func() time.Time
	Logger    *slog.Logger
}

// OAuth is an [Authenticator] for JSON web tokens that an authorization server signed for this server. It checks
// signature, type, issuer, audience and expiry.
//
// The owner is "oauth:" and the subject of the token. No owner in a token file can have such a name.
type OAuth struct {
	cfg  OAuthConfig
	keys keySet
}

// NewOAuth checks a configuration. It sends no request: the authorization server may start later.
func NewOAuth(cfg OAuthConfig) (*OAuth, error) {
	for _, setting := range []struct{ name, value string }{{"issuer", cfg.Issuer}, {"public address", cfg.Resource}} {
		if err := checkSecure(setting.value); err != nil {
			return nil, fmt.Errorf("OAuth %s %w", setting.name, err)
		}
	}
	if cfg.Transport == nil {
		cfg.Transport = http.DefaultTransport
	}
	bounded := &keyTransport{next: cfg.Transport, now: cfg.Now, pause: rate.NewLimiter(rate.Every(keysPause), 4)}
	return &OAuth{cfg: cfg, keys: keySet{issuer: cfg.Issuer, client: &http.Client{Transport: bounded, Timeout: keysTimeout}, now: cfg.Now}},
		nil
}

// checkSecure requires https, so that nobody on the network path can change who has access.
func checkSecure(address string) error {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return errors.New("is missing")
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return fmt.Errorf("%q is not a valid address; use one like https://example.org/path", clip(address))
	case u.Scheme == "https" || u.Scheme == "http" && loopbackHost(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%q is not https; plain http is allowed for loopback addresses only", clip(address))
}

// Authenticate implements [Authenticator].
func (o *OAuth) Authenticate(ctx context.Context, token string) (Caller, error) {
	if strings.Count(token, ".") != 2 {
		return Caller{}, ErrUnknownToken
	}
	signed := signature{keys: &o.keys}
	// No algorithm is symmetric: a public key must not be usable as a secret.
	verified, err := oidc.NewVerifier(o.cfg.Issuer, &signed, &oidc.Config{ClientID: o.cfg.Resource, Now: o.cfg.Now,
		SupportedSigningAlgs: []string{
			oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512,
			oidc.EdDSA}}).Verify(
		ctx, token)
	if signed.unavailable != nil {
		return Caller{}, fmt.Errorf("access: signing keys of %s: %w", o.cfg.Issuer, signed.unavailable)
	}
	var claims claims
	if err == nil {
		if err = verified.Claims(&claims); err == nil {
			err = claims.check(token)
		}
	}
	if err != nil {
		o.cfg.Logger.InfoContext(ctx, "OAuth token rejected", "error", clip(err.Error()))
		return Caller{}, ErrUnknownToken
	}
	return Caller{Owner: "oauth:" + claims.Subject, Scopes: grantedScopes(append(strings.Fields(claims.Scope), claims.Scopes...))}, nil
}

// claims are those that the library does not check.
type claims struct {
	Subject string   `json:"sub"`
	Scope   string   `json:"scope"` // RFC 9068
	Scopes  []string `json:"scp"`   // as some servers have it
	Nonce   string   `json:"nonce"` // ID tokens have one
}

// check rejects tokens for other purposes (RFC 8725, 3.11): an access token has the type at+jwt (RFC 9068), JWT or none, and
// names scopes. A subject has at most 255 printable ASCII characters (OpenID Connect Core 1.0).
func (c claims) check(token string) error {
	var header struct {
		Type string `json:"typ"`
	}
	encoded, _, _ := strings.Cut(token, ".")
	raw, _ := base64.RawURLEncoding.DecodeString(encoded)
	_ = json.Unmarshal(raw, &header) // the library has decoded it
	switch typ := strings.TrimPrefix(strings.ToLower(header.Type), "application/"); {
	case typ != "at+jwt" && typ != "jwt" && typ != "", typ != "at+jwt" && c.Nonce != "", c.Scope == "" && c.Scopes == nil:
		return errors.New("not an access token")
	case !subject.MatchString(c.Subject):
		return errors.New("invalid subject")
	}
	return nil
}

var subject = lazyregexp.New(`^[ -~]{1,255}$`)

// grantedScopes returns our scopes among those of a token. A token without any grants nothing.
func grantedScopes(words []string) Scopes {
	var s Scopes
	for _, word := range words {
		name, ours := strings.CutPrefix(word, scopePrefix)
		if ours && slices.Contains(ScopeNames(), name) {
			one, _ := ParseScopes(name)
			s |= one
		}
	}
	return s
}

// keySet has the public keys of an issuer.
type keySet struct {
	issuer string
	client *http.Client
	now    func() time.Time

	mu   sync.Mutex
	keys *oidc.RemoteKeySet
	made time.Time
}

func (k *keySet) current() (*oidc.RemoteKeySet, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	if k.keys != nil && now.Sub(k.made) < keysFresh {
		return k.keys, nil
	}
	ctx := oidc.ClientContext(context.Background(), k.client)
	provider, err := oidc.NewProvider(ctx, k.issuer)
	if err != nil {
		return nil, &keysError{err}
	}
	var metadata struct {
		Keys string `json:"jwks_uri"`
	}
	if err = provider.Claims(&metadata); err == nil {
		err = checkSecure(metadata.Keys)
	}
	if err != nil {
		return nil, &keysError{fmt.Errorf("jwks_uri: %w", err)}
	}
	k.keys, k.made = oidc.NewRemoteKeySet(ctx, metadata.Keys), now
	return k.keys, nil
}

// signature verifies that of one token. It tells missing keys from an invalid token, which the library's errors do not.
type signature struct {
	keys        *keySet
	unavailable error
}

// VerifySignature implements [oidc.KeySet].
func (s *signature) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	keys, err := s.keys.current()
	if err == nil {
		payload, err = keys.VerifySignature(ctx, token)
	}
	if failed, ok := errors.AsType[*keysError](err); ok {
		s.unavailable = failed
	}
	return payload, err
}

// keysError says that the keys could not be requested.
type keysError struct{ error }

// keyTransport bounds the requests to the issuer and their answers.
type keyTransport struct {
	next  http.RoundTripper
	now   func() time.Time
	pause *rate.Limiter
}

// RoundTrip implements [http.RoundTripper]. Every error is a keysError.
func (t *keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.pause.AllowN(t.now(), 1) {
		return nil, &keysError{fmt.Errorf("asked less than %s ago", keysPause)}
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, &keysError{err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeysBytes+1))
	switch {
	case err != nil:
		return nil, &keysError{err}
	case resp.StatusCode != http.StatusOK:
		return nil, &keysError{fmt.Errorf("%s answered %s", r.URL.Redacted(), resp.Status)}
	case len(body) > maxKeysBytes || !json.Valid(body):
		return nil, &keysError{fmt.Errorf("%s answered no JSON of at most %d bytes", r.URL.Redacted(), maxKeysBytes)}
	}
	resp.Body = io.NopCloser(strings.NewReader(string(body)))
	return resp, nil
}
