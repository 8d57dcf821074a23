package access

import (
	"errors"
	"net/http"
	"sync"
)

// CrowdedError rejects a stream or a large request.
type CrowdedError struct {
	Problem string
	Server  bool // the limit of the server, not of the caller
}

func (e *CrowdedError) Error() string { return e.Problem }

// quota bounds what the requests of one owner and of all owners hold. A limit of 0 is none.
type quota struct {
	each, all             int64
	ownerFull, serverFull string // the problems that it reports

	mu     sync.Mutex
	owners map[string]int64
	held   int64
}

// take counts n for an owner, or fails with a [CrowdedError] and changes nothing.
func (q *quota) take(owner string, n int64) error {
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
func (q *quota) give(owner string, n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held -= n
	if q.owners[owner] -= n; q.owners[owner] == 0 {
		delete(q.owners, owner)
	}
}

func (q *quota) total() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.held
}

// refuseCrowded answers 429 at the limit of the owner, 503 at the limit of the server. retry is in seconds.
func refuseCrowded(w http.ResponseWriter, err error, code, retry string) {
	status := http.StatusTooManyRequests
	if crowded, ok := errors.AsType[*CrowdedError](err); ok && crowded.Server {
		status, code = http.StatusServiceUnavailable, "crowded"
	}
	w.Header().Set("Retry-After", retry)
	refuse(w, status, "", code, err.Error())
}
