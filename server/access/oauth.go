package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/time/rate"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	scopePrefix  = "citeloop:"      // separates our scopes from those of other services of the authorization server
	keysFresh    = 15 * time.Minute // until signing keys are requested again: a revoked key stops working after it
	keysPause    = 10 * time.Second // mean time between two requests for keys, whatever key ids the tokens invent
	keysTimeout  = 5 * time.Second  // of one request
	maxKeysBytes = 256 << 10        // of its answer. Sets of large providers have 10 kB
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
	cfg    OAuthConfig
	client *http.Client

	mu   sync.Mutex
	keys *oidc.RemoteKeySet
	made time.Time
}

// NewOAuth checks a configuration. It sends no request: the authorization server may start later.
func NewOAuth(cfg OAuthConfig) (*OAuth, error) {
	if err := checkSecure(cfg.Issuer); err != nil {
		return nil, fmt.Errorf("OAuth issuer %w", err)
	}
	if err := checkSecure(cfg.Resource); err != nil {
		return nil, fmt.Errorf("OAuth public address %w", err)
	}
	if cfg.Transport == nil {
		cfg.Transport = http.DefaultTransport
	}
	bounded := &keyTransport{cfg.Transport, cfg.Now, rate.NewLimiter(rate.Every(keysPause), 4)}
	return &OAuth{cfg: cfg, client: &http.Client{Transport: bounded, Timeout: keysTimeout}}, nil
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

// algorithms are asymmetric: a public key must not be usable as a secret.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384,
	jose.ES512, jose.EdDSA}

// Authenticate implements [Authenticator].
func (o *OAuth) Authenticate(ctx context.Context, token string) (Caller, error) {
	caller, err := o.check(ctx, token)
	if unavailable, ok := errors.AsType[*keysError](err); ok {
		return Caller{}, fmt.Errorf("access: signing keys of %s: %s", o.cfg.Issuer, clip(unavailable.Error()))
	}
	if err != nil {
		o.cfg.Logger.InfoContext(ctx, "OAuth token rejected", "error", clip(err.Error()))
		return Caller{}, ErrUnknownToken
	}
	return caller, nil
}

// check rejects tokens for other purposes (RFC 8725, 3.11): an access token has the type at+jwt (RFC 9068), JWT or none, and
// names scopes. A subject has at most 255 printable ASCII characters (OpenID Connect Core 1.0).
func (o *OAuth) check(ctx context.Context, token string) (Caller, error) {
	parsed, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return Caller{}, err
	}
	keys, err := o.currentKeys()
	if err != nil {
		return Caller{}, &keysError{err}
	}
	signed := signature{keys: keys}
	config := oidc.Config{ClientID: o.cfg.Resource, Now: o.cfg.Now}
	for _, a := range algorithms {
		config.SupportedSigningAlgs = append(config.SupportedSigningAlgs, string(a))
	}
	verified, err := oidc.NewVerifier(o.cfg.Issuer, &signed, &config).Verify(ctx, token)
	if err != nil {
		return Caller{}, errors.Join(err, signed.err)
	}
	var claims struct {
		Scope  string   `json:"scope"` // RFC 9068
		Scopes []string `json:"scp"`   // as some servers have it
		Nonce  string   `json:"nonce"` // ID tokens have one
	}
	if err := verified.Claims(&claims); err != nil {
		return Caller{}, err
	}
	typ, _ := parsed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType].(string)
	switch typ = strings.TrimPrefix(strings.ToLower(typ), "application/"); {
	case typ != "at+jwt" && typ != "jwt" && typ != "", typ != "at+jwt" && claims.Nonce != "", claims.Scope == "" && claims.Scopes == nil:
		return Caller{}, errors.New("not an access token")
	case !subject.MatchString(verified.Subject):
		return Caller{}, errors.New("invalid subject")
	}
	caller := Caller{Owner: "oauth:" + verified.Subject}
	for _, word := range append(strings.Fields(claims.Scope), claims.Scopes...) {
		if name, ours := strings.CutPrefix(word, scopePrefix); ours && slices.Contains(ScopeNames(), name) {
			one, _ := ParseScopes(name)
			caller.Scopes |= one
		}
	}
	return caller, nil
}

var subject = lazyregexp.New(`^[ -~]{1,255}$`)

// currentKeys returns the public keys of the issuer.
func (o *OAuth) currentKeys() (*oidc.RemoteKeySet, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.cfg.Now()
	if o.keys != nil && now.Sub(o.made) < keysFresh {
		return o.keys, nil
	}
	ctx := oidc.ClientContext(context.Background(), o.client)
	provider, err := oidc.NewProvider(ctx, o.cfg.Issuer)
	if err != nil {
		return nil, err
	}
	var metadata struct {
		Keys string `json:"jwks_uri"`
	}
	if err = provider.Claims(&metadata); err == nil {
		err = checkSecure(metadata.Keys)
	}
	if err != nil {
		return nil, fmt.Errorf("jwks_uri: %w", err)
	}
	o.keys, o.made = oidc.NewRemoteKeySet(ctx, metadata.Keys), now
	return o.keys, nil
}

// keysError says that the keys could not be requested.
type keysError struct{ error }

// signature is the key set for one token. The library's verifier drops the types of errors, so it keeps its own.
type signature struct {
	keys *oidc.RemoteKeySet
	err  error
}

// VerifySignature implements [oidc.KeySet].
func (s *signature) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	if payload, err = s.keys.VerifySignature(ctx, token); err != nil && strings.HasPrefix(err.Error(), "fetching keys") {
		s.err = &keysError{err}
	}
	return payload, err
}

// keyTransport bounds the requests to the issuer and their answers.
type keyTransport struct {
	next  http.RoundTripper
	now   func() time.Time
	pause *rate.Limiter
}

// RoundTrip implements [http.RoundTripper].
func (t *keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.pause.AllowN(t.now(), 1) {
		return nil, fmt.Errorf("asked less than %s ago", keysPause)
	}
	resp, err := t.next.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxKeysBytes)
	}
	return resp, err
}
