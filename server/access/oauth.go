package access

import (
	"context"
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
	// clockSkew between the authorization server and this one; five minutes are customary, one is enough for
	// clocks that are kept.
	clockSkew = time.Minute
	// maxSubjectBytes bounds an owner's name: OpenID Connect Core 1.0 allows a subject 255 ASCII characters.
	maxSubjectBytes = 255
	// scopePrefix tells our scopes from those of other services that one authorization server knows.
	scopePrefix = "citeloop:"
)

// signatures that are taken. None of them is symmetric: a public key must not be usable as a secret.
func signatures() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}
}

// OAuthConfig is a server as a resource of OAuth 2.1: whose tokens it takes. All fields but Client, Now and
// Logger are required.
type OAuthConfig struct {
	Issuer   string // the authorization server's issuer identifier, as its tokens have it in iss
	JWKS     string // address of its keys: https, or http on loopback
	Resource string // this server's public address, such as https://citeloop.example.org/mcp: the audience of its tokens
	Client   *http.Client
	Now      func() time.Time
	Logger   *slog.Logger
}

// OAuth is a [Authenticator] for JSON web tokens that an authorization server signed for this server. A token counts
// when its signature is by one of the server's keys, issuer and audience are as configured, it has an expiry
// that lies ahead, and its scope has at least citeloop:read, citeloop:write or citeloop:web.
//
// Its owner is "oauth:" and the token's subject, which no owner of a file of tokens can be called.
type OAuth struct {
	cfg  OAuthConfig
	keys *keySet
}

// NewOAuth checks a configuration. It asks nobody yet: an authorization server that starts later is no fault.
func NewOAuth(cfg OAuthConfig) (*OAuth, error) {
	for _, setting := range []struct{ name, value string }{{"issuer", cfg.Issuer}, {"JWKS address", cfg.JWKS}, {"public address", cfg.Resource}} {
		if err := checkSecure(setting.value); err != nil {
			return nil, fmt.Errorf("the %s of OAuth %w", setting.name, err)
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

// checkSecure: who may come in must not be decided by what anybody on the way can change.
func checkSecure(address string) error {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return errors.New("is missing")
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return fmt.Errorf("%q is not an address like https://example.org/path", clip(address))
	case u.Scheme == "https" || u.Scheme == "http" && loopbackHost(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%q is not https; plain http is for loopback addresses", clip(address))
}

// Caller implements [Authenticator].
func (o *OAuth) Authenticate(ctx context.Context, token string) (Caller, error) {
	if strings.Count(token, ".") != 2 {
		return Caller{}, ErrUnknownToken
	}
	parsed, err := jwt.ParseSigned(token, signatures())
	if err != nil {
		return Caller{}, o.refused(ctx, "it is not a signed token of a known kind", err)
	}
	if !accessTokenType(parsed.Headers[0]) {
		return Caller{}, o.refused(ctx, "not an access token: unexpected typ header", nil)
	}
	var claims struct {
		jwt.Claims
		Scope  string   `json:"scope"` // RFC 9068
		Scopes []string `json:"scp"`   // as some servers have it
	}
	kid := parsed.Headers[0].KeyID
	keys, err := o.keys.find(ctx, kid)
	if err != nil {
		return Caller{}, fmt.Errorf("access: the keys of %s: %w", o.cfg.Issuer, err)
	}
	err = errors.New("none of the issuer's keys has its id")
	for _, key := range keys {
		if err = parsed.Claims(key, &claims); err == nil {
			break
		}
	}
	if err != nil {
		return Caller{}, o.refused(ctx, "its signature does not hold", err)
	}
	if claims.Expiry == nil { // the library takes a token without one for one that never ends
		return Caller{}, o.refused(ctx, "it never ends", nil)
	}
	expected := jwt.Expected{Issuer: o.cfg.Issuer, AnyAudience: jwt.Audience{o.cfg.Resource}, Time: o.cfg.Now()}
	if err := claims.ValidateWithLeeway(expected, clockSkew); err != nil {
		return Caller{}, o.refused(ctx, "its claims do not hold", err)
	}
	if !goodSubject(claims.Subject) {
		return Caller{}, o.refused(ctx, "its subject cannot be the name of an owner", nil)
	}
	return Caller{Owner: "oauth:" + claims.Subject, Scopes: grantedScopes(append(strings.Fields(claims.Scope), claims.Scopes...))}, nil
}

// accessTokenType reports whether a token may be an access token: typ is at+jwt (RFC 9068), JWT or absent. Tokens for
// other purposes, such as logout+jwt, have a type of their own (RFC 8725, 3.11).
func accessTokenType(h jose.Header) bool {
	typ, _ := h.ExtraHeaders[jose.HeaderType].(string)
	typ = strings.TrimPrefix(strings.ToLower(typ), "application/")
	return typ == "" || typ == "jwt" || typ == "at+jwt"
}

// refused says in the log why a token is not taken, and to its sender only that it is not.
func (o *OAuth) refused(ctx context.Context, why string, err error) error {
	o.cfg.Logger.InfoContext(ctx, "a token of OAuth is refused: "+why, "error", err)
	return ErrUnknownToken
}

func goodSubject(s string) bool {
	return s != "" && len(s) <= maxSubjectBytes && strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) < 0
}

// grantedScopes are those of ours among a token's. None at all lets nobody do anything: the token was made for
// something else.
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
