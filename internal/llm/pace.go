package judge

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	maxRetries  = 2                      // after the first attempt
	backoffBase = 500 * time.Millisecond // chosen: 0.5 s, then 1 s, unless the endpoint asks for more
	// mostHoldOff is the longest that one Retry-After keeps the endpoint from being asked: one that says a year
	// is asked again after a minute.
	mostHoldOff = time.Minute
	// leastTime must be left for a request to be worth its cost.
	leastTime = 500 * time.Millisecond
)

// pace keeps requests back while the endpoint asks to be left alone. All calls share it.
type pace struct {
	mu    sync.Mutex
	until time.Time
}

func (p *pace) holdOff(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(min(d, mostHoldOff)); until.After(p.until) {
		p.until = until
	}
}

// enter waits until the endpoint may be asked. It answers at once why not, where that would be too late.
func (p *pace) enter(ctx context.Context) (late string) {
	for {
		p.mu.Lock()
		wait := time.Until(p.until)
		p.mu.Unlock()
		if !roomFor(ctx, max(wait, 0)) {
			if wait > 0 {
				return fmt.Sprintf("the endpoint asked to be left alone for %s", wait.Round(time.Second))
			}
			return timeIsUp
		}
		if wait <= 0 {
			return ""
		}
		if sleep(ctx, wait) != nil {
			return timeIsUp
		}
	}
}

const timeIsUp = "the time for judging was up"

// roomFor reports whether after a wait of d enough time is left for a request.
func roomFor(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	deadline, ok := ctx.Deadline()
	return !ok || d+leastTime <= time.Until(deadline)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
