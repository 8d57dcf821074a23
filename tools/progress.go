package tools

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
	// firstBeat is when a call that has said nothing yet says that it is under way: people wonder after a second.
	firstBeat = 500 * time.Millisecond
	// nextBeat is the silence after which it says so again. Hosts that count time to a limit start over at each.
	nextBeat = 3 * time.Second
	// stepsAtOnce and stepPause bound how many steps are told: so many at once, then one in a pause, and the last
	// one always. The library queues 100 notifications and drops what is more.
	stepsAtOnce = 25
	stepPause   = 100 * time.Millisecond
	// settleFor bounds the wait for the last notification to be put into JSON, and settleGrace follows it: the
	// library writes answers and notifications by two goroutines, and what is not written when the answer is made is
	// lost or comes too late. Over HTTP it is written under the lock that it is put into JSON under; over stdio a
	// moment later, and the TypeScript SDK loses a notification that it reads at one go with the answer, so the two are
	// kept apart a little. Without any wait all of 200 last notifications were late; with one that ended when the
	// notification was taken from its queue, 2 of 100 on a busy machine.
	settleFor   = 500 * time.Millisecond
	settleGrace = 10 * time.Millisecond
)

// figure is how much is done. It notes when it is put into JSON, which the library does as it writes.
type figure struct {
	done    float64
	written func()
	once    sync.Once
}

// MarshalJSON implements json.Marshaler.
func (f *figure) MarshalJSON() ([]byte, error) {
	f.once.Do(f.written)
	return json.Marshal(f.done)
}

type progressKey struct{}

// withProgress lets handlers report progress when the client asked for it. settle must be called when the
// handler has returned, before the answer is.
func withProgress(ctx context.Context, req mcp.CallToolRequest) (_ context.Context, settle func()) {
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
		params := map[string]any{"progressToken": req.Params.Meta.ProgressToken, "progress": &figure{done: done, written: func() { waiting.Add(-1) }}, "message": message}
		if total > 0 {
			params["total"] = total
		}
		waiting.Add(1)
		if err := srv.SendNotificationToClient(ctx, "notifications/progress", params); err != nil {
			waiting.Add(-1) // a client that does not take it misses a line of progress, nothing else
		}
	}, func() int { return int(waiting.Load()) })
	return context.WithValue(ctx, progressKey{}, p), func() { p.settle(ctx) }
}

// progress counts what is done and tells the client. The figures that a client sees only grow, as MCP demands.
type progress struct {
	send    func(done float64, total int, message string)
	waiting func() int // notifications that were not written yet

	mu     sync.Mutex
	done   int // steps
	total  int // of these; 0: not known
	beats  int // since the last step
	told   bool
	last   time.Time // when something was told
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

// stepped reports that one more of total is done. Without a client that asked, it does nothing.
func stepped(ctx context.Context, total int, message string) {
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

// noted says how far the step that is under way is. What comes too fast is left out.
func noted(ctx context.Context, message string) {
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

// between tells a figure that grows and stays under that of the next step.
func (p *progress) between(message string) {
	p.beats++
	p.tell(float64(p.done)+float64(p.beats)/float64(p.beats+1), message)
}

// beat says that the call goes on.
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

// settle ends the reports and waits, briefly, until the last of them is on its way.
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
