package access

import (
	"fmt"
	"net/http"
	"sync"
)

// Streams limits the open event streams, of each owner and in total. A stream holds a connection, a few goroutines and a
// watch on the store, and rate limits do not bound it. A nil Streams has no limit. Replicas count separately.
type Streams struct{ open quota }

// NewStreams limits the open streams of one owner and of all; 0 is no limit.
func NewStreams(each, all int) *Streams {
	return &Streams{quota{each: int64(each), all: int64(all),
		ownerFull:  fmt.Sprintf("too many event streams: you have %d open on this server, the limit of one owner; close one, or ask the operator to raise streams= in --limits", each),
		serverFull: fmt.Sprintf("too many event streams: %d are open on this server, its limit; try again later. Calls still work", all)}}
}

// Open counts a stream, or rejects it with a [CrowdedError]. end must be called when it ends.
func (s *Streams) Open(owner string) (end func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	if err := s.open.take(owner, 1); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { s.open.give(owner, 1) }), nil
}

// Count returns the number of open streams.
func (s *Streams) Count() int { return int(s.open.total()) }

// RefuseStream answers a rejected stream: 429 at the limit of the owner, 503 at the limit of the server.
func RefuseStream(w http.ResponseWriter, err error) { refuseCrowded(w, err, "too_many_streams", "30") }
