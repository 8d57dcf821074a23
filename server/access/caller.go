package access

import (
	"context"
	"errors"
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

// ReadOnly returns an authenticator whose callers may only read. It is nil if auth is.
func ReadOnly(auth Authenticator) Authenticator {
	if auth == nil {
		return nil
	}
	return readOnly{auth}
}

type readOnly struct{ Authenticator }

// Authenticate implements [Authenticator].
func (d readOnly) Authenticate(ctx context.Context, token string) (Caller, error) {
	caller, err := d.Authenticator.Authenticate(ctx, token)
	caller.Scopes &= Read
	return caller, err
}

// Authenticators tries several authenticators in order; the first that knows a token wins.
type Authenticators []Authenticator

// Authenticate implements [Authenticator]. A failing authenticator does not hide a token that another one knows.
func (d Authenticators) Authenticate(ctx context.Context, token string) (Caller, error) {
	var unable error
	refused := ErrUnknownToken
	for _, auth := range d {
		caller, err := auth.Authenticate(ctx, token)
		if err == nil {
			return caller, nil
		}
		if errors.Is(err, ErrUnknownToken) {
			refused = err
		} else {
			unable = err
		}
	}
	if unable != nil {
		return Caller{}, unable
	}
	return Caller{}, refused
}
