package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
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
	"golang.org/x/time/rate"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	// Scope is what the authorization server must grant: a token without it is for other services of the same audience, or no access token.
	Scope = "citeloop"

	keysFresh    = 15 * time.Minute // until signing keys are requested again: a revoked key stops working after it
	keysPause    = 10 * time.Second // mean time between two requests for keys, whatever key ids the tokens invent
	keysTimeout  = 5 * time.Second  // of one request
	maxKeysBytes = 256 << 10        // of its answer. Sets of large providers have 10 kB
)

// OAuthConfig configures a server as an OAuth 2.1 resource. All fields are required.
type OAuthConfig struct {
	Issuer   string // authorization server, the iss claim of its tokens; it has /.well-known/openid-configuration
	Resource string // public address of this server, such as https://citeloop.example.org/mcp: the audience of its tokens
	Now      func() time.Time
	Logger   *slog.Logger
}

// OAuth is an [Authenticator] for JSON web tokens that an authorization server signed for this server. It checks
// signature, type, issuer, audience and expiry.
//
// The owner is "oauth:" and the subject of the token. No owner in a token file can have such a name.
type OAuth struct {
	cfg    OAuthConfig
	client *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier // with the keys of the issuer
	made     time.Time
}

// NewOAuth checks a configuration. It sends no request: the authorization server may start later.
func NewOAuth(cfg OAuthConfig) (*OAuth, error) {
	if err := checkSecure(cfg.Issuer); err != nil {
		return nil, fmt.Errorf("OAuth issuer %w", err)
	}
	if err := checkSecure(cfg.Resource); err != nil {
		return nil, fmt.Errorf("OAuth public address %w", err)
	}
	bounded := &keyTransport{cfg.Now, rate.NewLimiter(rate.Every(keysPause), 4)}
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
	case u.Scheme == "https" || u.Scheme == "http" && Loopback(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%q is not https; plain http is allowed for loopback addresses only", clip(address))
}

// algorithms are asymmetric: a public key must not be usable as a secret.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512,
	oidc.EdDSA}

// Authenticate implements [Authenticator].
func (o *OAuth) Authenticate(ctx context.Context, token string) (string, error) {
	verifier, err := o.current()
	if err != nil {
		return "", fmt.Errorf("access: signing keys of %s: %s", o.cfg.Issuer, clip(err.Error()))
	}
	subject, err := check(ctx, verifier, token)
	switch {
	case err == nil:
		return "oauth:" + subject, nil
	case strings.HasPrefix(err.Error(), "failed to verify signature: fetching keys"): // the library drops the types of errors
		return "", fmt.Errorf("access: signing keys of %s: %s", o.cfg.Issuer, clip(err.Error()))
	}
	o.cfg.Logger.InfoContext(ctx, "OAuth token rejected", "error", clip(err.Error()))
	return "", ErrUnknownToken
}

// check rejects tokens for other purposes (RFC 8725, 3.11): an access token has the type at+jwt (RFC 9068), JWT or none, and
// names [Scope]. A subject has at most 255 printable ASCII characters (OpenID Connect Core 1.0).
func check(ctx context.Context, verifier *oidc.IDTokenVerifier, token string) (string, error) {
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		return "", err
	}
	var header struct {
		Type string `json:"typ"`
	}
	var claims struct {
		Scope  string   `json:"scope"` // RFC 9068
		Scopes []string `json:"scp"`   // as some servers have it
		Nonce  string   `json:"nonce"` // ID tokens have one
	}
	encoded, _, _ := strings.Cut(token, ".")
	head, err := base64.RawURLEncoding.DecodeString(encoded)
	if err = errors.Join(err, json.Unmarshal(head, &header), verified.Claims(&claims)); err != nil {
		return "", err
	}
	switch typ := strings.TrimPrefix(strings.ToLower(header.Type), "application/"); {
	case typ != "at+jwt" && typ != "jwt" && typ != "", typ != "at+jwt" && claims.Nonce != "",
		!slices.Contains(append(strings.Fields(claims.Scope), claims.Scopes...), Scope):
		return "", errors.New("not an access token")
	case !subject.MatchString(verified.Subject):
		return "", errors.New("invalid subject")
	}
	return verified.Subject, nil
}

var subject = lazyregexp.New(`^[ -~]{1,255}$`)

// current returns a verifier with keys of the issuer that are fresh.
func (o *OAuth) current() (*oidc.IDTokenVerifier, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.cfg.Now()
	if o.verifier != nil && now.Sub(o.made) < keysFresh {
		return o.verifier, nil
	}
	provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), o.client), o.cfg.Issuer)
	if err != nil {
		return nil, err
	}
	o.made = now
	o.verifier = provider.Verifier(&oidc.Config{ClientID: o.cfg.Resource, Now: o.cfg.Now, SupportedSigningAlgs: algorithms})
	return o.verifier, nil
}

// keyTransport bounds the requests to the issuer and their answers. The address of the keys is what the issuer says, so it is checked
// like that of the issuer.
type keyTransport struct {
	now   func() time.Time
	pause *rate.Limiter
}

// RoundTrip implements [http.RoundTripper].
func (t *keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := checkSecure(r.URL.String()); err != nil {
		return nil, fmt.Errorf("the address %w", err)
	}
	if !t.pause.AllowN(t.now(), 1) {
		return nil, fmt.Errorf("asked less than %s ago", keysPause)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxKeysBytes)
	}
	return resp, err
}
