package access

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// BusyError rejects a request at a limit, for now.
type BusyError struct {
	Problem string        // and what to do
	Wait    time.Duration // until a retry makes sense
	code    string
	status  int // 429 at the limit of the owner, 503 at that of the server
}

func (e *BusyError) Error() string { return e.Problem }

// Refuse answers a request that a limit rejected.
func Refuse(w http.ResponseWriter, err error) {
	busy, ok := errors.AsType[*BusyError](err)
	if !ok {
		busy = &BusyError{Problem: err.Error(), Wait: time.Second, code: "crowded", status: http.StatusServiceUnavailable}
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(busy.Wait.Seconds())))
	refuse(w, busy.status, "", busy.code, busy.Problem)
}

// Quota bounds what the requests of one owner and of all owners hold at the same time. Replicas count separately.
type Quota struct {
	each, all             int64 // 0: no limit
	ownerFull, serverFull BusyError

	mu     sync.Mutex
	owners map[string]int64
	held   int64
}

// NewStreams limits the open event streams of one owner and of all; 0 is no limit. A stream holds a connection, a few
// goroutines and a watch on the store, and rate limits do not bound it.
func NewStreams(each, all int) *Quota {
	return newQuota(int64(each), int64(all), 30*time.Second, "too_many_streams",
		fmt.Sprintf("too many event streams: you have %d open on this server, the limit of one owner; close one, or ask the operator to raise streams= in --limits", each),
		fmt.Sprintf("too many event streams: %d are open on this server, its limit; try again later. Calls still work", all))
}

// NewDecoding limits the memory of the requests being decoded, of one owner and of all, in bytes.
func NewDecoding(each, all int64) *Quota {
	return newQuota(each, all, 2*time.Second, "too_many_large_requests", "too many large requests at the same time; retry when the others have ended. Nothing was done",
		"the server is decoding too many large requests; retry later. Nothing was done")
}

func newQuota(each, all int64, wait time.Duration, code, ownerFull, serverFull string) *Quota {
	return &Quota{each: each, all: all, ownerFull: BusyError{ownerFull, wait, code, http.StatusTooManyRequests}, serverFull: BusyError{serverFull, wait, "crowded", http.StatusServiceUnavailable}}
}

// take counts n for an owner, or fails with a [BusyError] and changes nothing.
func (q *Quota) take(owner string, n int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.each > 0 && q.owners[owner]+n > q.each:
		return &q.ownerFull
	case q.all > 0 && q.held+n > q.all:
		return &q.serverFull
	}
	if q.owners == nil {
		q.owners = map[string]int64{}
	}
	q.owners[owner] += n
	q.held += n
	return nil
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

// Grow raises the share to n, or fails with a [BusyError] and changes nothing.
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
	q := s.quota
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held -= s.taken
	if q.owners[s.owner] -= s.taken; q.owners[s.owner] == 0 {
		delete(q.owners, s.owner)
	}
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
