package research

import (
	"context"
	"sync"
	"time"
)

const (
	backoffBase = time.Second     // chosen: 1 s, 2 s, 4 s, 8 s, unless the endpoint says how long
	mostWait    = 2 * time.Minute // an endpoint that asks for more is given up, and the run can be resumed
)

// pace keeps all conversations back while the endpoint asks to be left alone.
type pace struct {
	mu   sync.Mutex
	wait time.Duration // asked for and not waited yet
	done chan struct{} // closed when the wait under way is over
}

// holdOff notes that the endpoint asked to be left alone for d.
func (p *pace) holdOff(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wait = max(p.wait, d)
}

// enter waits until the endpoint may be asked. One caller waits by the clock, the others for that one.
func (p *pace) enter(ctx context.Context, wait func(context.Context, time.Duration) error) error {
	for {
		p.mu.Lock()
		d, under := p.wait, p.done
		if d > 0 && under == nil {
			p.wait, p.done = 0, make(chan struct{})
		}
		p.mu.Unlock()
		switch {
		case under != nil:
			select {
			case <-under:
			case <-ctx.Done():
				return ctx.Err()
			}
		case d > 0:
			err := wait(ctx, d)
			p.mu.Lock()
			close(p.done)
			p.done = nil
			p.mu.Unlock()
			if err != nil {
				return err
			}
		default:
			return ctx.Err()
		}
	}
}

// wait is a pause by the clock.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
