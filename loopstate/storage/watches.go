package storage

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Watches implements Store.Watch for a store: while there are watches, one goroutine asks for the last numbers of their
// loops, every interval and at once after a change by this process. Its methods are safe for concurrent use.
type Watches struct {
	look chan struct{} // something may be new; capacity one

	mu     sync.Mutex // protects what follows, and sending on and closing of every watch's channel
	closed bool
	byLoop map[string]map[*watch]struct{}
	ending sync.WaitGroup // functions waiting for a watch's context
}

type watch struct {
	last int64      // the last number sent
	ch   chan int64 // capacity one: the newest
	stop func() bool
}

// NewWatches makes an empty set of watches.
func NewWatches() *Watches {
	return &Watches{look: make(chan struct{}, 1), byLoop: map[string]map[*watch]struct{}{}}
}

// Add returns a new channel. It is closed when ctx ends, and by Close.
func (ws *Watches) Add(ctx context.Context, loop string) <-chan int64 {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	w := &watch{ch: make(chan int64, 1)}
	if ws.closed || ctx.Err() != nil {
		close(w.ch)
		return w.ch
	}
	if ws.byLoop[loop] == nil {
		ws.byLoop[loop] = map[*watch]struct{}{}
	}
	ws.byLoop[loop][w] = struct{}{}
	ws.ending.Add(1)
	w.stop = context.AfterFunc(ctx, func() {
		defer ws.ending.Done()
		ws.remove(loop, w)
	})
	ws.Wake()
	return w.ch
}

// Poll calls ask with the watched loops until ctx ends: every interval, and at once after Add and Wake. It does not call
// ask while there are no watches. ask returns the number of the last event of each loop that has one. After an error,
// the next poll follows.
func (ws *Watches) Poll(ctx context.Context, interval time.Duration, ask func(ctx context.Context, loops []string) (map[string]int64, error)) {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ws.look:
		case <-timer.C:
		}
		if loops := ws.loops(); len(loops) > 0 {
			if seqs, err := ask(ctx, loops); err == nil {
				ws.send(loops, seqs)
			}
			timer.Reset(interval)
		}
	}
}

// Wake makes the next poll come at once. A store calls it after each change.
func (ws *Watches) Wake() {
	select {
	case ws.look <- struct{}{}:
	default: // the pending poll sees this too
	}
}

func (ws *Watches) loops() []string {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return slices.Collect(maps.Keys(ws.byLoop))
}

// send sends the result of a poll, which is 0 for a deleted loop. It replaces an older number that was not received, and
// never blocks, because no one else sends.
func (ws *Watches) send(loops []string, seqs map[string]int64) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, loop := range loops {
		for w := range ws.byLoop[loop] {
			if seqs[loop] == w.last {
				continue
			}
			select {
			case <-w.ch:
			default:
			}
			w.last = seqs[loop]
			w.ch <- w.last
		}
	}
}

func (ws *Watches) remove(loop string, w *watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if _, ok := ws.byLoop[loop][w]; !ok {
		return // Close was first
	}
	delete(ws.byLoop[loop], w)
	if len(ws.byLoop[loop]) == 0 {
		delete(ws.byLoop, loop)
	}
	close(w.ch)
}

// Close ends every watch and waits for its goroutines.
func (ws *Watches) Close() {
	ws.mu.Lock()
	ws.closed = true
	for _, ofLoop := range ws.byLoop {
		for w := range ofLoop {
			close(w.ch)
			if w.stop() {
				ws.ending.Done() // its function does not run
			}
		}
	}
	clear(ws.byLoop)
	ws.mu.Unlock()
	ws.ending.Wait()
}
