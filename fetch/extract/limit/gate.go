package limit

import (
	"context"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// QuickTime is the processor time after which a document counts as slow. It is longer than most documents take: papers in
// PDF need 0.1 to 0.5 s. On busy cores the same document takes longer by the clock, but is not slow.
const QuickTime = 1500 * time.Millisecond

// checkPause is the shortest time between two looks at the processor time of a document. Chosen.
const checkPause = 50 * time.Millisecond

// Gate bounds the number of documents that are parsed at a time, because each may take hundreds of megabytes. Documents
// made to take all of their time do not keep others waiting: after QuickTime a document leaves its place to the next one.
// It goes on in a place for slow documents if one is free, and else starts again when one is.
type Gate struct {
	quick, slow chan struct{}
	meter       func() (used func() time.Duration, release func()) // cputime.Thread; replaced in tests
}

// NewGate returns a gate with places for quick and for slow documents.
func NewGate(quick, slow int) Gate {
	return Gate{make(chan struct{}, quick), make(chan struct{}, slow), cputime.Thread}
}

// Run calls parse when a place is free. It calls it a second time if the first call was cancelled to free the place, and
// then the results of the first do not count. Only work in the calling goroutine counts as processor time.
func (g Gate) Run(ctx context.Context, parse func(context.Context) error) error {
	if err := enter(ctx, g.quick); err != nil {
		return err
	}
	left, err := g.try(ctx, parse)
	if !left || ctx.Err() != nil {
		return err
	}
	if err := enter(ctx, g.slow); err != nil {
		return err
	}
	defer leave(g.slow)
	return parse(ctx)
}

// try calls parse in a quick place. left reports whether parse was cancelled to free the place.
func (g Gate) try(ctx context.Context, parse func(context.Context) error) (left bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	used, release := g.meter()
	defer release()
	var (
		mu               sync.Mutex
		place            = g.quick
		cancelled, ended bool
		timer            *time.Timer
	)
	check := func() {
		mu.Lock()
		defer mu.Unlock()
		if ended {
			return
		}
		if rest := QuickTime - used(); rest > 0 {
			timer.Reset(max(rest, checkPause))
			return
		}
		select {
		case g.slow <- struct{}{}:
			leave(g.quick)
			place = g.slow
		default:
			cancelled = true
			cancel()
		}
	}
	mu.Lock()
	timer = time.AfterFunc(QuickTime, check)
	mu.Unlock()
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		ended, left = true, cancelled
		timer.Stop()
		leave(place)
	}()
	return false, parse(ctx)
}

func enter(ctx context.Context, places chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func leave(places chan struct{}) { <-places }
