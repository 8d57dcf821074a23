// Package progress reports how far a tool call is, to clients that ask for it.
package progress

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/time/rate"
)

const (
	// stepsAtOnce and stepPause limit the reported steps: a burst, then one per pause, and always the last. The library
	// queues 100 notifications and drops further ones.
	stepsAtOnce = 25
	stepPause   = 100 * time.Millisecond
	// settleFor bounds the wait until the last notification is marshalled, and settleGrace follows it. The library writes
	// results and notifications in two goroutines; a notification that is not written before the result is lost or late.
	// Over HTTP it is written under the lock that marshals it; over stdio a moment later. The TypeScript SDK loses a
	// notification that it reads together with the result, so the two are kept apart. Without a wait all of 200 last
	// notifications were late; with a wait until the notification left its queue, 2 of 100 on a busy machine.
	settleFor   = 500 * time.Millisecond
	settleGrace = 10 * time.Millisecond
)

// amount is the progress in a notification. It calls written when it is marshalled, which the library does as it writes.
type amount struct {
	done    float64
	written func()
	once    sync.Once
}

// MarshalJSON implements json.Marshaler.
func (f *amount) MarshalJSON() ([]byte, error) {
	f.once.Do(f.written)
	return json.Marshal(f.done)
}

type progressKey struct{}

// Start returns a context in which handlers report progress if the client requested it. settle must be called after the handler
// and before the result is returned.
func Start(ctx context.Context, req mcp.CallToolRequest) (_ context.Context, settle func()) {
	nothing := func() {}
	if req.Params.Meta == nil || req.Params.Meta.ProgressToken == nil {
		return ctx, nothing
	}
	srv := server.ServerFromContext(ctx)
	if srv == nil || server.ClientSessionFromContext(ctx) == nil {
		return ctx, nothing
	}
	var waiting atomic.Int64
	p := newProgress(func(done float64, total int, message string) {
		params := map[string]any{"progressToken": req.Params.Meta.ProgressToken,
			"progress": &amount{done: done, written: func() { waiting.Add(-1) }}, "message": message}
		if total > 0 {
			params["total"] = total
		}
		waiting.Add(1)
		if err := srv.SendNotificationToClient(ctx, "notifications/progress", params); err != nil {
			waiting.Add(-1) // the client misses one report
		}
	}, func() int { return int(waiting.Load()) })
	return with(ctx, p), func() { p.settle(ctx) }
}

func with(ctx context.Context, p *progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// To returns a context in which handlers report to a function.
func To(ctx context.Context, send func(done float64, total int, message string)) context.Context {
	return with(ctx, newProgress(send, func() int { return 0 }))
}

// progress reports to the client. The reported amounts only grow, as MCP requires.
type progress struct {
	send    func(done float64, total int, message string)
	waiting func() int // unwritten notifications
	rate    *rate.Limiter

	mu    sync.Mutex
	done  int       // steps
	last  time.Time // of the last report; zero: there was none
	ended bool
}

func newProgress(send func(done float64, total int, message string), waiting func() int) *progress {
	return &progress{send: send, waiting: waiting, rate: rate.NewLimiter(rate.Every(stepPause), stepsAtOnce)}
}

// Step reports a completed step of total, if the client requested progress and the rate allows it. The last step is always reported.
func Step(ctx context.Context, total int, message string) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if last := p.done >= total; !p.ended && (p.rate.Allow() || last) {
		p.last = time.Now()
		p.send(float64(p.done), total, message)
	}
}

// settle ends the reports and waits briefly until the last one is written.
func (p *progress) settle(ctx context.Context) {
	p.mu.Lock()
	p.ended = true
	since := time.Since(p.last)
	p.mu.Unlock()
	if since > settleFor {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for p.waiting() > 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
	select {
	case <-time.After(settleGrace):
	case <-ctx.Done():
	}
}
