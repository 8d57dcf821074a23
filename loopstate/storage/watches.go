// Package watching is the part of Store.Watch that does not depend on the store: it hands numbers on to those
// who watch a loop, newest only, and polls for them while anyone does.
package watching

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Watches are the channels that a store has given out. Its methods are safe for concurrent use.
type Watches struct {
	look  chan struct{} // there may be something new; holds one
	began chan struct{} // closed by the first watch

	mu     sync.Mutex // protects what follows, and sending on and closing of every watch's channel
	closed bool
	any    bool // there was a watch
	byLoop map[string]map[*watch]struct{}
	polls  int            // polls that began
	ending sync.WaitGroup // functions that wait for a watch's context
}

type watch struct {
	last  int64      // the last number sent
	told  int        // how many polls had begun when it was sent
	since int        // how many polls had begun when the watch did, or when its loop was deleted
	ch    chan int64 // holds one, the newest
	stop  func() bool
}

// send replaces an older number that nobody has taken. There is room then: all who send hold the lock.
func (w *watch) send(seq int64, polls int) {
	select {
	case <-w.ch:
	default:
	}
	w.ch <- seq
	w.last, w.told = seq, polls
}

// New makes watches that nobody watches yet.
func New() *Watches {
	return &Watches{look: make(chan struct{}, 1), began: make(chan struct{}), byLoop: map[string]map[*watch]struct{}{}}
}

// Add gives out a channel. It is closed when ctx ends, and by Close.
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

// Began is closed when the first watch begins.
func (ws *Watches) Began() <-chan struct{} { return ws.began }

// Poll calls ask with the loops that are watched, until ctx ends: every interval, and at once after Add and
// Wake. It asks nothing while nobody watches. ask answers with the numbers of the last events of those of
// the loops that have any; its error is a hint lost, and the next poll follows.
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
	default: // the poll that is due sees this too
	}
}

// Watched reports whether anyone watches a loop.
func (ws *Watches) Watched(loop string) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return len(ws.byLoop[loop]) > 0
}

func (ws *Watches) remove(loop string, w *watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if _, ok := ws.byLoop[loop][w]; !ok {
		return // close was first
	}
	delete(ws.byLoop[loop], w)
	if len(ws.byLoop[loop]) == 0 {
		delete(ws.byLoop, loop)
	}
	close(w.ch)
}

// Moved tells the watches of a loop that its last event is seq.
func (ws *Watches) Moved(loop string, seq int64) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for w := range ws.byLoop[loop] {
		if seq > w.last { // two appends may come to tell in either order
			w.send(seq, ws.polls)
		}
	}
}

// Gone tells the watches of a loop that it has no events any more. They get 0, and then the numbers of a
// loop that begins again under this id.
func (ws *Watches) Gone(loop string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for w := range ws.byLoop[loop] {
		w.since = ws.polls
		if w.last > 0 {
			w.send(0, ws.polls)
		}
	}
	ws.Wake() // what the poll under way brings does not count
}

// begin begins a poll: it returns the loops that are watched.
func (ws *Watches) begin() []string {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.polls++
	return slices.Collect(maps.Keys(ws.byLoop))
}

// settle passes on what a poll has found, to the watches that were there when it began. A number that went down
// is that of a loop which was deleted, unless a higher one came while the poll was under way.
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

// Close ends every watch and waits for what they started.
func (ws *Watches) Close() {
	ws.mu.Lock()
	ws.closed = true
	for _, ofLoop := range ws.byLoop {
		for w := range ofLoop {
			close(w.ch)
			if w.stop() {
				ws.ending.Done() // its function will not run
			}
		}
	}
	clear(ws.byLoop)
	ws.mu.Unlock()
	ws.ending.Wait()
}
