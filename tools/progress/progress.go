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
	// firstBeat is when a call without a report sends one: people notice a delay after a second.
	firstBeat = 500 * time.Millisecond
	// nextBeat is the interval of further reports. Some hosts restart their timeout at each.
	nextBeat = 3 * time.Second
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

	mu     sync.Mutex
	done   int // steps
	total  int // of these; 0: unknown
	beats  int // since the last step
	told   bool
	last   time.Time // time of the last report
	ended  bool
	steps  *rate.Limiter
	ticker *time.Timer
}

func newProgress(send func(done float64, total int, message string), waiting func() int) *progress {
	p := &progress{send: send, waiting: waiting, steps: rate.NewLimiter(rate.Every(stepPause), stepsAtOnce)}
	p.mu.Lock() // the first beat must find the ticker
	defer p.mu.Unlock()
	p.ticker = time.AfterFunc(firstBeat, p.beat)
	return p
}

// Step reports a completed step of total, if the client requested progress.
func Step(ctx context.Context, total int, message string) {
	if p, ok := ctx.Value(progressKey{}).(*progress); ok {
		p.step(total, message)
	}
}

func (p *progress) step(total int, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.done++
	p.total = total
	if !p.steps.Allow() && p.done < total {
		return
	}
	p.beats = 0
	p.tell(float64(p.done), message)
}

// Note reports the state of the current step. It drops reports above the rate limit.
func Note(ctx context.Context, message string) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || !p.steps.Allow() {
		return
	}
	p.between(message)
}

// between reports a growing amount below that of the next step.
func (p *progress) between(message string) {
	p.beats++
	p.tell(float64(p.done)+float64(p.beats)/float64(p.beats+1), message)
}

// beat reports that the call is running.
func (p *progress) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	if silent := time.Since(p.last); p.told && silent < nextBeat {
		p.ticker.Reset(nextBeat - silent)
		return
	}
	p.between("under way")
	p.ticker.Reset(nextBeat)
}

func (p *progress) tell(done float64, message string) {
	p.told, p.last = true, time.Now()
	p.send(done, p.total, message)
}

// settle ends the reports and waits briefly until the last one is written.
func (p *progress) settle(ctx context.Context) {
	p.mu.Lock()
	p.ended = true
	p.ticker.Stop()
	told, since := p.told, time.Since(p.last)
	p.mu.Unlock()
	if !told || since > settleFor {
		return
	}
	limit := time.NewTimer(settleFor)
	defer limit.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for p.waiting() > 0 {
		select {
		case <-look.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
	select {
	case <-time.After(settleGrace):
	case <-ctx.Done():
	}
}
