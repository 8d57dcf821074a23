package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	// clockSkew tolerated between the authorization server and this one.
	clockSkew = time.Minute
	// maxSubjectBytes bounds an owner's name: OpenID Connect Core 1.0 allows a subject 255 ASCII characters.
	maxSubjectBytes = 255
	// scopePrefix separates our scopes from those of other services of the authorization server.
	scopePrefix = "citeloop:"
)

// signatures returns the accepted algorithms. None is symmetric: a public key must not be usable as a secret.
func signatures() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}
}

// OAuthConfig configures a server as an OAuth 2.1 resource. All fields but Client, Now and Logger are required.
type OAuthConfig struct {
	Issuer   string // issuer identifier of the authorization server, the iss claim of its tokens
	JWKS     string // address of its keys: https, or http on loopback
	Resource string // public address of this server, such as https://citeloop.example.org/mcp: the audience of its tokens
	Client   *http.Client
	Now      func() time.Time
	Logger   *slog.Logger
}

// OAuth is an [Authenticator] for JSON web tokens that an authorization server signed for this server. It checks
// signature, type, issuer, audience and expiry.
//
// The owner is "oauth:" and the subject of the token. No owner in a token file can have such a name.
type OAuth struct {
	cfg  OAuthConfig
	keys *keySet
}

// NewOAuth checks a configuration. It sends no request: the authorization server may start later.
func NewOAuth(cfg OAuthConfig) (*OAuth, error) {
	for _, setting := range []struct{ name, value string }{{"issuer", cfg.Issuer}, {"JWKS address", cfg.JWKS}, {"public address", cfg.Resource}} {
		if err := checkSecure(setting.value); err != nil {
			return nil, fmt.Errorf("OAuth %s %w", setting.name, err)
		}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Client == nil {
		cfg.Client = &http.Client{}
	}
	return &OAuth{cfg: cfg, keys: &keySet{address: cfg.JWKS, client: cfg.Client, now: cfg.Now}}, nil
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
	parsed, err := jwt.ParseSigned(token, signatures())
	if err != nil {
		return Caller{}, o.refused(ctx, "invalid or unsupported token", err)
	}
	if !accessTokenType(parsed.Headers[0]) {
		return Caller{}, o.refused(ctx, "not an access token: unexpected typ header", nil)
	}
	var claims struct {
		jwt.Claims
		Scope  string   `json:"scope"` // RFC 9068
		Scopes []string `json:"scp"`   // as some servers have it

		Client     string          `json:"client_id"` // RFC 9068
		Nonce      json.RawMessage `json:"nonce"`     // nonce and the hashes: OpenID Connect ID tokens
		AccessHash json.RawMessage `json:"at_hash"`
		CodeHash   json.RawMessage `json:"c_hash"`
	}
	kid := parsed.Headers[0].KeyID
	keys, err := o.keys.find(ctx, kid)
	if err != nil {
		return Caller{}, fmt.Errorf("access: signing keys of %s: %w", o.cfg.Issuer, err)
	}
	err = errors.New("unknown key id")
	for _, key := range keys {
		if err = parsed.Claims(key, &claims); err == nil {
			break
		}
	}
	if err != nil {
		return Caller{}, o.refused(ctx, "invalid signature", err)
	}
	if !declaredAccessToken(parsed.Headers[0]) {
		access := claims.Scope != "" || len(claims.Scopes) > 0 || claims.Client != ""
		if id := claims.Nonce != nil || claims.AccessHash != nil || claims.CodeHash != nil; id || !access {
			return Caller{}, o.refused(ctx, "not evidently an access token", nil)
		}
	}
	if claims.Expiry == nil { // the library accepts a token without one
		return Caller{}, o.refused(ctx, "missing exp claim", nil)
	}
	expected := jwt.Expected{Issuer: o.cfg.Issuer, AnyAudience: jwt.Audience{o.cfg.Resource}, Time: o.cfg.Now()}
	if err := claims.ValidateWithLeeway(expected, clockSkew); err != nil {
		return Caller{}, o.refused(ctx, "invalid claims", err)
	}
	if !goodSubject(claims.Subject) {
		return Caller{}, o.refused(ctx, "invalid subject", nil)
	}
	return Caller{Owner: "oauth:" + claims.Subject, Scopes: grantedScopes(append(strings.Fields(claims.Scope), claims.Scopes...))}, nil
}

// accessTokenType reports whether a token may be an access token: typ is at+jwt (RFC 9068), JWT or absent. Tokens for
// other purposes, such as logout+jwt, have another type (RFC 8725, 3.11).
func accessTokenType(h jose.Header) bool {
	typ := tokenType(h)
	return typ == "" || typ == "jwt" || declaredAccessToken(h)
}

// declaredAccessToken reports whether typ says that a token is an access token. ID tokens have the typ JWT, as access
// tokens of servers without RFC 9068 do; then the claims must tell them apart.
func declaredAccessToken(h jose.Header) bool { return tokenType(h) == "at+jwt" }

func tokenType(h jose.Header) string {
	typ, _ := h.ExtraHeaders[jose.HeaderType].(string)
	return strings.TrimPrefix(strings.ToLower(typ), "application/")
}

// refused logs why a token is rejected. Its sender only learns that it is.
func (o *OAuth) refused(ctx context.Context, why string, err error) error {
	o.cfg.Logger.InfoContext(ctx, "OAuth token rejected: "+why, "error", err)
	return ErrUnknownToken
}

func goodSubject(s string) bool {
	return s != "" && len(s) <= maxSubjectBytes && strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) < 0
}

// grantedScopes returns our scopes among those of a token. A token without any grants nothing.
func grantedScopes(words []string) Scopes {
	var s Scopes
	for _, word := range words {
		if name, ours := strings.CutPrefix(word, scopePrefix); ours {
			if one, err := ParseScopes(name); err == nil {
				s |= one
			}
		}
	}
	return s
}
