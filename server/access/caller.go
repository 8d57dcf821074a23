package access

import (
	"context"
	"errors"
)

// Caller is whom a token stands for.
type Caller struct {
	Owner  string // whose loops it sees
	Scopes Scopes
}

// Authenticator turns tokens into callers. It is safe for concurrent use.
type Authenticator interface {
	// Caller says who sent a token: [ErrUnknownToken] when it is nobody's, or nobody's any more, and any other
	// error when that cannot be told at the moment.
	Authenticate(ctx context.Context, token string) (Caller, error)
}

// ErrUnknownToken refuses a token. What is wrong with it in particular is for the log: whoever made it up
// learns nothing.
var ErrUnknownToken = errors.New("access: this token lets nobody in")

// Authenticators asks several list in turn; the first that knows a token counts.
type Authenticators []Authenticator

// Caller implements [Authenticator]. While one auth cannot tell, a token that no other knows may still be good.
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
