package loops

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxStateBytes bounds the folded states in memory. An evicted loop is loaded again from its snapshot and the end of its
	// log.
	maxStateBytes = 32 << 20
	// bytesPerJSON is the memory of a state and its draft for each byte of its snapshot, and bytesPerState that of an empty
	// one. Measured with hits, sources and claims, see TestStatesAreBounded.
	bytesPerJSON, bytesPerState = 6, 8 << 10
	// turnTimeout bounds the wait for other calls that change the same loop. A call ends within 25 s.
	turnTimeout = 20 * time.Second
)

// cachedLoop is a folded state in memory. One call at a time changes it; any number of calls read it at the same time. No
// lock is held across I/O.
//
// After an eviction, a loop may have two entries. They then behave like two processes: the store accepts one of two
// competing events.
type cachedLoop struct {
	id   string
	turn chan struct{} // has a token while a call changes the loop

	// Only the call that holds the turn uses these.
	draft    *loopstate.State // equal to state between writes, ahead of it during one; nil: copy state
	snapshot int64            // event of the last known snapshot
	json     int              // about the size of the state's snapshot in bytes

	mu    sync.RWMutex     // protects state, for in-memory work only; the holder of the turn reads without it
	state *loopstate.State // of events in the log; nil: not loaded
}

func newLRU[K comparable, V any](size int) *lru.Cache[K, V] {
	c, _ := lru.New[K, V](max(size, 1)) // its only error is a size below one
	return c
}

func newCachedLoop(id string) *cachedLoop { return &cachedLoop{id: id, turn: make(chan struct{}, 1)} }

// cached returns the loop's entry. A new entry is not cached until the loop is found, so that guessed ids do not evict
// loops.
func (s *Service) cached(id string) *cachedLoop {
	if l, ok := s.cache.get(id); ok {
		return l
	}
	return newCachedLoop(id)
}

// cacheState caches the entry of a loop that exists, by its present size. The caller holds the turn.
func (s *Service) cacheState(l *cachedLoop) { s.cache.keep(l.id, l, bytesPerState+bytesPerJSON*l.json) }

// begin waits for the turn to change the loop. Call end afterwards.
func (l *cachedLoop) begin(ctx context.Context) error {
	limit := time.NewTimer(turnTimeout)
	defer limit.Stop()
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-limit.C:
		return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: l.id}
	}
}

func (l *cachedLoop) end() { <-l.turn }

// publish sets the state for readers.
func (l *cachedLoop) publish(state *loopstate.State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
}

// advance applies events of the log to the published state.
func (l *cachedLoop) advance(events ...loopstate.Event) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range events {
		if l.state, err = loopstate.Apply(l.state, e); err != nil {
			l.state = nil
			return err
		}
	}
	return nil
}

// read calls look with the published state, if it is loaded.
func (l *cachedLoop) read(look func(*loopstate.State) error) (loaded bool, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.state == nil {
		return false, nil
	}
	return true, look(l.state)
}

// stateCopy returns a state that shares nothing with st.
func stateCopy(st *loopstate.State) (*loopstate.State, error) {
	if st == nil {
		return nil, nil
	}
	data, err := st.MarshalSnapshot()
	if err != nil {
		return nil, err
	}
	return loopstate.UnmarshalSnapshot(data)
}
