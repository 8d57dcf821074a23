package limit

import (
	"context"
	"time"
)

// QuickTime is how long a document is parsed before it counts as slow. It is longer than most documents take: papers in PDF
// need 0.1 to 0.5 s.
const QuickTime = 1500 * time.Millisecond

// Gate bounds the number of documents that are parsed at a time, because each may take hundreds of megabytes. Documents
// made to take all of their time do not keep others waiting: after QuickTime a document leaves its place to the next one.
// It goes on in a place for slow documents if one is free, and else starts again when one is.
type Gate struct{ quick, slow chan struct{} }

// NewGate returns a gate with places for quick and for slow documents.
func NewGate(quick, slow int) Gate {
	return Gate{make(chan struct{}, quick), make(chan struct{}, slow)}
}

// Run calls parse when a place is free. It calls it a second time if the first call was cancelled to free the place, and
// then the results of the first do not count.
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
	place, cancelled := g.quick, false
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	decided := make(chan struct{})
	timer := time.AfterFunc(QuickTime, func() {
		defer close(decided)
		select {
		case g.slow <- struct{}{}:
			leave(g.quick)
			place = g.slow
		default:
			cancelled = true
			cancel()
		}
	})
	defer func() {
		if !timer.Stop() {
			<-decided
		}
		left = cancelled
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
