// Package progress reports how far a tool call is, to clients that ask for it.
package progress

import (
	"context"
	"sync"
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
	// grace is kept between the last report and the result. The library writes them in two goroutines, and a report that it has not written
	// before the result is lost or late: without a pause all of 200 were.
	grace = 10 * time.Millisecond
)

type progressKey struct{}

// progress reports to the client. The reported amounts only grow, as MCP requires.
type progress struct {
	send func(done float64, total int, message string)
	rate *rate.Limiter

	mu   sync.Mutex
	done int       // steps
	last time.Time // of the last report
}

// Start returns a context in which handlers report progress if the client requested it. settle must be called after the handler
// and before the result is returned.
func Start(ctx context.Context, req mcp.CallToolRequest) (_ context.Context, settle func()) {
	srv := server.ServerFromContext(ctx)
	if req.Params.Meta == nil || req.Params.Meta.ProgressToken == nil || srv == nil {
		return ctx, func() {}
	}
	return To(ctx, func(done float64, total int, message string) {
		_ = srv.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": req.Params.Meta.ProgressToken,
			"progress": done, "total": total, "message": message}) // if it fails, the client misses one report
	})
}

// To returns a context in which handlers report to a function.
func To(ctx context.Context, send func(done float64, total int, message string)) (_ context.Context, settle func()) {
	p := &progress{send: send, rate: rate.NewLimiter(rate.Every(stepPause), stepsAtOnce)}
	return context.WithValue(ctx, progressKey{}, p), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		time.Sleep(grace - time.Since(p.last))
	}
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
	if p.rate.Allow() || p.done >= total {
		p.last = time.Now()
		p.send(float64(p.done), total, message)
	}
}
