package textcheck

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
)

// Log reads the events and texts of loops; every loopstate.Store implements it.
type Log interface {
	Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error]
	Blob(ctx context.Context, h loopstate.Hash) ([]byte, error)
}

// ErrNoLoop reports a loop that does not exist or has another owner.
var ErrNoLoop = errors.New("unknown loop")

// Loop gives the sources of a loop and their texts.
type Loop struct {
	log   Log
	state *loopstate.State
}

// OpenLoop reads the log of a loop of the owner. An unknown loop is ErrNoLoop.
func OpenLoop(ctx context.Context, log Log, loop, owner string) (*Loop, error) {
	l := &Loop{log: log}
	for e, err := range log.Load(ctx, loop, 0) {
		if err != nil {
			return nil, fmt.Errorf("verify: reading loop %s: %w", loop, err)
		}
		if l.state, err = loopstate.Apply(l.state, e); err != nil {
			return nil, fmt.Errorf("verify: reading loop %s: %w", loop, err)
		}
	}
	if l.state == nil || l.state.Owner != owner {
		return nil, ErrNoLoop
	}
	return l, nil
}

func (l *Loop) text(ctx context.Context, sha256 string) (string, error) {
	h, err := loopstate.ParseHash(sha256)
	if err != nil {
		return "", err
	}
	b, err := l.log.Blob(ctx, h)
	return string(b), err
}
