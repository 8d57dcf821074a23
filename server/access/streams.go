package access

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// Streams limits the open event streams, of each owner and in total. A stream holds a connection, a few goroutines and a
// watch on the store, and rate limits do not bound it. A nil Streams has no limit. Replicas count separately.
type Streams struct {
	each, all int

	mu     sync.Mutex
	owners map[string]int
	open   int
}

// NewStreams limits the open streams of one owner and of all; 0 is no limit.
func NewStreams(each, all int) *Streams {
	return &Streams{each: each, all: all, owners: map[string]int{}}
}

// CrowdedError rejects a stream or a large request.
type CrowdedError struct {
	Problem string
	Server  bool // the limit of the server, not of the caller
}

func (e *CrowdedError) Error() string { return e.Problem }

// Open counts a stream, or rejects it with a [CrowdedError]. end must be called when it ends.
func (s *Streams) Open(owner string) (end func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.each > 0 && s.owners[owner] >= s.each:
		return nil, &CrowdedError{Problem: fmt.Sprintf("too many event streams: you have %d open on this server, the limit of one owner; close one, or ask the operator to raise streams= in --limits", s.each)}
	case s.all > 0 && s.open >= s.all:
		return nil, &CrowdedError{Problem: fmt.Sprintf("too many event streams: %d are open on this server, its limit; try again later. Calls still work", s.all), Server: true}
	}
	s.owners[owner]++
	s.open++
	var once sync.Once
	return func() { once.Do(func() { s.close(owner) }) }, nil
}

func (s *Streams) close(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.owners[owner]--; s.owners[owner] == 0 {
		delete(s.owners, owner)
	}
}

// Count returns the number of open streams.
func (s *Streams) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// RefuseStream answers a rejected stream: 429 at the limit of the owner, 503 at the limit of the server.
func RefuseStream(w http.ResponseWriter, err error) { refuseCrowded(w, err, "too_many_streams", "30") }

func refuseCrowded(w http.ResponseWriter, err error, code, retry string) {
	status := http.StatusTooManyRequests
	if crowded, ok := errors.AsType[*CrowdedError](err); ok && crowded.Server {
		status, code = http.StatusServiceUnavailable, "crowded"
	}
	w.Header().Set("Retry-After", retry)
	refuse(w, status, "", code, err.Error())
}
