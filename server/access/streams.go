package access

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// Streams counts the event streams that are open on this server, of each owner and of all. A stream costs a
// connection, a few goroutines and a watch on the store for as long as its client likes, so that calls by the minute
// do not bound them. A nil Streams counts nothing. Replicas count for themselves.
type Streams struct {
	each, all int

	mu     sync.Mutex
	owners map[string]int
	open   int
}

// NewStreams bounds the open streams of one owner and of all together; 0 is no limit.
func NewStreams(each, all int) *Streams {
	return &Streams{each: each, all: all, owners: map[string]int{}}
}

// CrowdedError refuses a stream.
type CrowdedError struct {
	Problem string
	Server  bool // it is the server that has too many, not the caller
}

func (e *CrowdedError) Error() string { return e.Problem }

// Open counts a stream, or refuses it with a [CrowdedError]. end must be called when it ended.
func (s *Streams) Open(owner string) (end func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.each > 0 && s.owners[owner] >= s.each:
		return nil, &CrowdedError{Problem: fmt.Sprintf("%d of your event streams are open on this server, as many as one owner may have; close one, or ask whoever runs the server to raise streams= of --limits", s.each)}
	case s.all > 0 && s.open >= s.all:
		return nil, &CrowdedError{Problem: fmt.Sprintf("%d event streams are open on this server, as many as it may have; try again in a while. Calls are answered all the same", s.all), Server: true}
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

// Count is how many streams are open.
func (s *Streams) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// RefuseStream answers a request for a stream that Open refused: 429 where the caller has too many, 503 where the
// server has.
func RefuseStream(w http.ResponseWriter, err error) {
	status, code := http.StatusTooManyRequests, "too_many_streams"
	if crowded, ok := errors.AsType[*CrowdedError](err); ok && crowded.Server {
		status, code = http.StatusServiceUnavailable, "crowded"
	}
	w.Header().Set("Retry-After", "30")
	refuse(w, status, "", code, err.Error())
}
