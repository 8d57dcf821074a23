package access

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// Quota bounds what the requests of one owner and of all owners hold at the same time. Replicas count separately.
type Quota struct {
	each, all             int64  // 0: no limit
	ownerFull, serverFull string // the problems that it reports
	code, retry           string // of a refusal for an owner; seconds

	mu     sync.Mutex
	owners map[string]int64
	held   int64
}

// NewStreams limits the open event streams of one owner and of all; 0 is no limit. A stream holds a connection, a few
// goroutines and a watch on the store, and rate limits do not bound it.
func NewStreams(each, all int) *Quota {
	return &Quota{each: int64(each), all: int64(all), code: "too_many_streams", retry: "30",
		ownerFull:  fmt.Sprintf("too many event streams: you have %d open on this server, the limit of one owner; close one, or ask the operator to raise streams= in --limits", each),
		serverFull: fmt.Sprintf("too many event streams: %d are open on this server, its limit; try again later. Calls still work", all)}
}

// NewDecoding limits the memory of the requests being decoded, of one owner and of all, in bytes.
func NewDecoding(each, all int64) *Quota {
	return &Quota{each: each, all: all, code: "too_many_large_requests", retry: "2",
		ownerFull:  "too many large requests at the same time; retry when the others have ended. Nothing was done",
		serverFull: "the server is decoding too many large requests; retry later. Nothing was done"}
}

// CrowdedError rejects a request at the limit of a [Quota].
type CrowdedError struct {
	Problem string
	Server  bool // the limit of the server, not of the caller
}

func (e *CrowdedError) Error() string { return e.Problem }

// take counts n for an owner, or fails with a [CrowdedError] and changes nothing.
func (q *Quota) take(owner string, n int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.each > 0 && q.owners[owner]+n > q.each:
		return &CrowdedError{Problem: q.ownerFull}
	case q.all > 0 && q.held+n > q.all:
		return &CrowdedError{Problem: q.serverFull, Server: true}
	}
	if q.owners == nil {
		q.owners = map[string]int64{}
	}
	q.owners[owner] += n
	q.held += n
	return nil
}

// give returns n of an owner.
func (q *Quota) give(owner string, n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held -= n
	if q.owners[owner] -= n; q.owners[owner] == 0 {
		delete(q.owners, owner)
	}
}

// Held returns what all requests hold.
func (q *Quota) Held() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int(q.held)
}

// Share is what one request holds of a [Quota].
type Share struct {
	quota *Quota
	owner string
	taken int64
}

// Share returns an empty share for a request of an owner. It must be released after the request.
func (q *Quota) Share(owner string) *Share { return &Share{quota: q, owner: owner} }

// Grow raises the share to n, or fails with a [CrowdedError] and changes nothing.
func (s *Share) Grow(n int64) error {
	if n <= s.taken {
		return nil
	}
	if err := s.quota.take(s.owner, n-s.taken); err != nil {
		return err
	}
	s.taken = n
	return nil
}

// Release returns the share. It may be called again.
func (s *Share) Release() {
	s.quota.give(s.owner, s.taken)
	s.taken = 0
}

// Open takes one for a request that stays open, such as a stream; end must be called when it ends. A nil Quota has no limit.
func (q *Quota) Open(owner string) (end func(), err error) {
	if q == nil {
		return func() {}, nil
	}
	share := q.Share(owner)
	if err := share.Grow(1); err != nil {
		return nil, err
	}
	return sync.OnceFunc(share.Release), nil
}

// Refuse answers a request that got no share: 429 at the limit of the owner, 503 at the limit of the server.
func (q *Quota) Refuse(w http.ResponseWriter, err error) {
	status, code := http.StatusTooManyRequests, q.code
	if crowded, ok := errors.AsType[*CrowdedError](err); ok && crowded.Server {
		status, code = http.StatusServiceUnavailable, "crowded"
	}
	w.Header().Set("Retry-After", q.retry)
	refuse(w, status, "", code, err.Error())
}
