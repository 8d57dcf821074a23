// Package access decides who may call a server on a network: bearer tokens from a file or an OAuth 2.1 authorization
// server, the scopes of a token, the accepted hosts and origins, and the limits of one owner.
//
// A request that passes carries its owner ([loops.OwnerOf]) and its scopes ([ScopesOf]). A server without tokens is for
// one user on one machine: everybody who reaches it is the local owner with all scopes, so it listens on loopback only.
package access

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Caller is the owner and the scopes of a token.
type Caller struct {
	Owner  string // whose loops it sees
	Scopes Scopes
}

// Authenticator maps tokens to callers. It is safe for concurrent use.
type Authenticator interface {
	// Authenticate returns the caller of a token. It fails with [ErrUnknownToken] for an unknown or expired token, and
	// with any other error if authentication is unavailable.
	Authenticate(ctx context.Context, token string) (Caller, error)
}

// ErrUnknownToken rejects a token. The exact reason is only logged, so that an attacker learns nothing.
var ErrUnknownToken = errors.New("access: unknown or expired token")

// Authenticators tries several authenticators in order; the first that knows a token wins.
type Authenticators []Authenticator

// Authenticate implements [Authenticator]. A failing authenticator does not hide a token that another one knows.
func (d Authenticators) Authenticate(ctx context.Context, token string) (Caller, error) {
	failed := ErrUnknownToken
	for _, auth := range d {
		caller, err := auth.Authenticate(ctx, token)
		if err == nil {
			return caller, nil
		}
		if !errors.Is(err, ErrUnknownToken) {
			failed = err
		}
	}
	return Caller{}, failed
}

// ReadOnly returns an authenticator whose callers may only read.
func ReadOnly(auth Authenticator) Authenticator { return readOnly{auth} }

type readOnly struct{ Authenticator }

// Authenticate implements [Authenticator].
func (d readOnly) Authenticate(ctx context.Context, token string) (Caller, error) {
	caller, err := d.Authenticator.Authenticate(ctx, token)
	caller.Scopes &= Read
	return caller, err
}

// Scopes are the permissions of a token.
type Scopes uint8

// The scopes.
const (
	// Read lets a caller see the loops of its owner.
	Read Scopes = 1 << iota
	// Write lets a caller start and change them.
	Write
	// Web lets a caller search channels and read addresses: the server then sends requests to others.
	Web

	// All are the scopes of a token that names none.
	All = Read | Write | Web
)

// ScopeNames returns the names of the scopes in the order of their bits.
func ScopeNames() []string { return []string{"read", "write", "web"} }

// String returns the names of the scopes, joined by commas.
func (s Scopes) String() string {
	var names []string
	for i, name := range ScopeNames() {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseScopes parses the format of String. Read is always included.
func ParseScopes(list string) (Scopes, error) {
	s := Read
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(ScopeNames(), strings.TrimSpace(name))
		if i < 0 {
			return 0, fmt.Errorf("unknown scope %q: use %s", clip(name), strings.Join(ScopeNames(), ", "))
		}
		s |= 1 << i
	}
	return s, nil
}

type scopesKey struct{}

// WithScopes sets the scopes of the caller. Calls without the write scope leave no trace in a loop.
func WithScopes(ctx context.Context, s Scopes) context.Context {
	if s&Write == 0 {
		ctx = loops.AsOnlooker(ctx)
	}
	return context.WithValue(ctx, scopesKey{}, s)
}

// ScopesOf returns the scopes set by WithScopes. A call over stdio, or without tokens, has all scopes.
func ScopesOf(ctx context.Context) Scopes {
	if s, ok := ctx.Value(scopesKey{}).(Scopes); ok {
		return s
	}
	return All
}

// clip shortens untrusted text in an error.
func clip(s string) string { return sanitize.Short(s, 80) }
