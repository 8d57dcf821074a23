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

// Door turns tokens into callers. It is safe for concurrent use.
type Door interface {
	// Caller says who sent a token: [ErrUnknownToken] when it is nobody's, or nobody's any more, and any other
	// error when that cannot be told at the moment.
	Caller(ctx context.Context, token string) (Caller, error)
}

// ErrUnknownToken refuses a token. What is wrong with it in particular is for the log: whoever made it up
// learns nothing.
var ErrUnknownToken = errors.New("access: this token lets nobody in")

// Doors asks several doors in turn; the first that knows a token counts.
type Doors []Door

// Caller implements [Door]. While one door cannot tell, a token that no other knows may still be good.
func (d Doors) Caller(ctx context.Context, token string) (Caller, error) {
	var unable error
	refused := ErrUnknownToken
	for _, door := range d {
		caller, err := door.Caller(ctx, token)
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
