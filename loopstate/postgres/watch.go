package postgres

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Watch sends the loop's last sequence number at once if it has events, then when it grows: within this
// store as soon as an Append is done, from other processes soon after their NOTIFY, and at the latest within
// Options.PollInterval. A receiver that is slow finds the newest number only. The channel is also closed by
// Close.
func (s *Store) Watch(ctx context.Context, loop string) <-chan int64 {
	return s.watches.add(ctx, loop)
}

// pollWatched looks for events of other processes, while anyone watches, until ctx ends.
func (s *Store) pollWatched(ctx context.Context) {
	timer := time.NewTimer(s.options.PollInterval)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.watches.look:
		case <-timer.C:
		}
		if loops := s.watches.loops(); len(loops) > 0 {
			s.poll(ctx, loops)
			timer.Reset(s.options.PollInterval)
		}
	}
}

// poll passes on where loops are now. An error is a hint lost: the next poll follows, and whoever loads
// sees the error.
func (s *Store) poll(ctx context.Context, loops []string) {
	_ = s.read(ctx, "watch", func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT loop, seq FROM citeloop_heads WHERE loop = ANY ($1)`, loops)
		if err != nil {
			return err
		}
		var loop string
		var seq int64
		_, err = pgx.ForEachRow(rows, []any{&loop, &seq}, func() error {
			s.watches.moved(loop, seq)
			return nil
		})
		return err
	})
}

// watches are the channels that Watch gave out.
type watches struct {
	look  chan struct{} // there may be something new; holds one
	began chan struct{} // closed by the first watch

	mu     sync.Mutex // protects what follows, and sending on and closing of every watch's channel
	closed bool
	any    bool // there was a watch
	byLoop map[string]map[*watch]struct{}
	ending sync.WaitGroup // functions that wait for a watch's context
}

type watch struct {
	last int64      // the last number sent
	ch   chan int64 // holds one, the newest
	stop func() bool
}

func newWatches() *watches {
	return &watches{look: make(chan struct{}, 1), began: make(chan struct{}), byLoop: map[string]map[*watch]struct{}{}}
}

func (ws *watches) add(ctx context.Context, loop string) <-chan int64 {
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
	if !ws.any {
		ws.any = true
		close(ws.began)
	}
	ws.wake()
	return w.ch
}

// wake makes the next poll come at once.
func (ws *watches) wake() {
	select {
	case ws.look <- struct{}{}:
	default: // the poll that is due sees this too
	}
}

func (ws *watches) watched(loop string) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return len(ws.byLoop[loop]) > 0
}

func (ws *watches) remove(loop string, w *watch) {
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

// moved tells the watches of a loop that its last event is seq.
func (ws *watches) moved(loop string, seq int64) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for w := range ws.byLoop[loop] {
		if seq <= w.last {
			continue
		}
		w.last = seq
		select {
		case <-w.ch: // an older number that nobody has taken
		default:
		}
		w.ch <- seq // there is room: only this function sends, and under the lock
	}
}

func (ws *watches) loops() []string {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return slices.DeleteFunc(slices.Collect(maps.Keys(ws.byLoop)), func(loop string) bool { return !loopstate.Keepable(loop) })
}

// close ends every watch and waits for what they started.
func (ws *watches) close() {
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
