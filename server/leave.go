package server

import (
	"sync"
	"time"
)

// leave is how the server ends: it says so to whoever asks whether it is ready, goes on answering until they know, and
// then ends its event streams.
type leave struct {
	ending chan struct{} // closed when event streams end

	mu      sync.Mutex
	leaving bool
	watched bool          // somebody asks whether the server is ready
	told    chan struct{} // closed when one of those was told that it is not
	once    sync.Once
}

func newLeave() *leave { return &leave{ending: make(chan struct{}), told: make(chan struct{})} }

// asked notes that somebody asks whether the server is ready, and reports whether it is leaving.
func (l *leave) asked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watched = true
	if l.leaving {
		l.once.Do(func() { close(l.told) })
	}
	return l.leaving
}

// say makes the server leave. Where somebody watches over it, it waits until they were told, within at most: a proxy
// then sends no more calls to a listener that is about to close.
func (l *leave) say(within time.Duration) {
	l.mu.Lock()
	l.leaving = true
	watched := l.watched
	l.mu.Unlock()
	if !watched {
		return
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-l.told:
	case <-timer.C:
	}
}

// endStreams ends the event streams. It is called once.
func (l *leave) endStreams() { close(l.ending) }
