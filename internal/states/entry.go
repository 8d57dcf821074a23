package states

import (
	"context"
	"sync"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// turnTimeout bounds the wait for other calls that change the same loop. A call ends within 25 s.
const turnTimeout = 20 * time.Second

// entry is a folded state in memory. One call at a time changes it; any number of calls read it at the same time. No
// lock is held across I/O.
//
// After an eviction, a loop may have two entries. They then behave like two processes: the store accepts one of two
// competing events.
type entry struct {
	id   string
	turn chan struct{} // has a token while a call changes the loop

	// Only the call that holds the turn uses these.
	draft    *loopstate.State // equal to state between writes, ahead of it during one; nil: copy state
	snapshot int64            // event of the last known snapshot
	json     int              // about the size of the state's snapshot in bytes

	mu    sync.RWMutex     // protects state, for in-memory work only; the holder of the turn reads without it
	state *loopstate.State // of events in the log; nil: not loaded
}

func newEntry(id string) *entry { return &entry{id: id, turn: make(chan struct{}, 1)} }

// begin waits for the turn to change the loop. Call end afterwards.
func (l *entry) begin(ctx context.Context) error {
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

func (l *entry) end() { <-l.turn }

// publish sets the state for readers.
func (l *entry) publish(state *loopstate.State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
}

// advance applies events of the log to the published state.
func (l *entry) advance(events ...loopstate.Event) (err error) {
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
func (l *entry) read(look func(*loopstate.State) error) (loaded bool, err error) {
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
