package server

import (
	"sync"
	"time"
)

// shutdown coordinates the end of the server: it first fails readiness probes, continues to answer until a probe has
// failed, and then ends the event streams.
type shutdown struct {
	ending chan struct{} // closed when event streams end
	atEnd  func()        // releases the resources of the streams; may be nil

	mu      sync.Mutex
	begun   bool
	watched bool          // readiness was probed
	seen    chan struct{} // closed when a probe failed
	once    sync.Once
}

func newShutdown() *shutdown {
	return &shutdown{ending: make(chan struct{}), seen: make(chan struct{})}
}

// probed notes a readiness probe, and reports whether the server is shutting down.
func (s *shutdown) probed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watched = true
	if s.begun {
		s.once.Do(func() { close(s.seen) })
	}
	return s.begun
}

// begin fails readiness probes from now on. If there were any before, it waits for the next, at most the given time:
// a proxy then sends no more calls to a listener that is about to close.
func (s *shutdown) begin(wait time.Duration) {
	s.mu.Lock()
	s.begun = true
	watched := s.watched
	s.mu.Unlock()
	if !watched {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-s.seen:
	case <-timer.C:
	}
}

// endStreams ends the event streams. It is called once.
func (s *shutdown) endStreams() {
	close(s.ending)
	if s.atEnd != nil {
		s.atEnd()
	}
}
