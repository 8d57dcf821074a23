package storage

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Watches implements Store.Watch for a store: it sends the newest sequence numbers to the watchers of a loop, and polls
// for them while there are any. Its methods are safe for concurrent use.
type Watches struct {
	look  chan struct{} // something may be new; capacity one
	began chan struct{} // closed by the first watch

	mu     sync.Mutex // protects what follows, and sending on and closing of every watch's channel
	closed bool
	any    bool // there was a watch before
	byLoop map[string]map[*watch]struct{}
	polls  int            // polls started
	ending sync.WaitGroup // functions waiting for a watch's context
}

type watch struct {
	last  int64      // the last number sent
	told  int        // polls started when it was sent
	since int        // polls started when the watch was added, or its loop deleted
	ch    chan int64 // capacity one: the newest
	stop  func() bool
}

// send replaces an older number that was not received. It never blocks, because all senders hold the lock.
func (w *watch) send(seq int64, polls int) {
	select {
	case <-w.ch:
	default:
	}
	w.ch <- seq
	w.last, w.told = seq, polls
}

// NewWatches makes an empty set of watches.
func NewWatches() *Watches {
	return &Watches{look: make(chan struct{}, 1), began: make(chan struct{}), byLoop: map[string]map[*watch]struct{}{}}
}

// Add returns a new channel. It is closed when ctx ends, and by Close.
func (ws *Watches) Add(ctx context.Context, loop string) <-chan int64 {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	w := &watch{ch: make(chan int64, 1), since: ws.polls}
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
	if !ws.any {
		ws.any = true
		close(ws.began)
	}
	ws.Wake()
	return w.ch
}

// Started returns a channel that is closed by the first watch.
func (ws *Watches) Started() <-chan struct{} { return ws.began }

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
		if loops := ws.begin(); len(loops) > 0 {
			if seqs, err := ask(ctx, loops); err == nil {
				ws.settle(loops, seqs)
			}
			timer.Reset(interval)
		}
	}
}

// Wake makes the next poll come at once.
func (ws *Watches) Wake() {
	select {
	case ws.look <- struct{}{}:
	default: // the pending poll sees this too
	}
}

// Watched reports whether a loop has a watch.
func (ws *Watches) Watched(loop string) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return len(ws.byLoop[loop]) > 0
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

// Appended notifies the watches of a loop that its last event is seq.
func (ws *Watches) Appended(loop string, seq int64) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for w := range ws.byLoop[loop] {
		if seq > w.last { // two appends may call in either order
			w.send(seq, ws.polls)
		}
	}
}

// Deleted notifies the watches of a loop that it was deleted. They get 0, and then the numbers of a new loop with the same
// id.
func (ws *Watches) Deleted(loop string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for w := range ws.byLoop[loop] {
		w.since = ws.polls
		if w.last > 0 {
			w.send(0, ws.polls)
		}
	}
	ws.Wake() // the result of the current poll is ignored
}

// begin starts a poll: it returns the watched loops.
func (ws *Watches) begin() []string {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.polls++
	return slices.Collect(maps.Keys(ws.byLoop))
}

// settle sends the result of a poll to the watches that existed when it started. A lower number means that the loop was
// deleted, unless a higher one was sent during the poll.
func (ws *Watches) settle(loops []string, seqs map[string]int64) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, loop := range loops {
		seq := seqs[loop]
		for w := range ws.byLoop[loop] {
			if w.since < ws.polls && (seq > w.last || seq < w.last && w.told < ws.polls) {
				w.send(seq, ws.polls)
			}
		}
	}
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
