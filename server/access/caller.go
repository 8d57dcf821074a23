// Package access decides who may call a server on a network: bearer tokens from a file or an OAuth 2.1 authorization
// server, the accepted hosts and origins, and the limits of one owner.
//
// A request that passes carries its owner ([loops.OwnerOf]). A server without tokens is for one user on one machine: everybody who reaches
// it is the local owner, so it listens on loopback only.
package access

import (
	"context"
	"errors"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Authenticator maps tokens to owners. It is safe for concurrent use.
type Authenticator interface {
	// Authenticate returns the owner whose loops a token is for. It fails with [ErrUnknownToken] for an unknown or expired token, and
	// with any other error if authentication is unavailable.
	Authenticate(ctx context.Context, token string) (owner string, err error)
}

// ErrUnknownToken rejects a token. The exact reason is only logged, so that an attacker learns nothing.
var ErrUnknownToken = errors.New("access: unknown or expired token")

// clip shortens untrusted text in an error.
func clip(s string) string { return sanitize.Short(s, 80) }
