package server

import (
	"errors"
	"net/http"
	"sync"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/loops"
)

// sessions are the sessions of clients that initialize (up to 2025-11-25), each with the owner that began it.
// To everybody else a session is one that does not exist: an id that leaked gives no access to its event
// stream, its questions to the user, or its end. What the library has for this accepts ids that were deleted,
// or keeps every id for ever.
type sessions struct {
	mu     sync.Mutex
	owners map[string]string // session id -> owner
}

func newSessions() *sessions { return &sessions{owners: map[string]string{}} }

// ResolveSessionIdManager implements the library's resolver. Without a request it is the library itself that
// asks, to end sessions that went idle.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return idleSessions{s}
	}
	return ownSessions{s, loops.OwnerOf(r.Context())}
}

func (s *sessions) begin(owner string) string {
	id := "mcp-session-" + uuid.NewString()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owners[id] = owner
	return id
}

func (s *sessions) isOf(id, owner string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	of, ok := s.owners[id]
	return ok && of == owner
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.owners, id)
}

// ownSessions are the sessions as one owner sees them.
type ownSessions struct {
	all   *sessions
	owner string
}

var errNoSession = errors.New("there is no session with this id")

func (s ownSessions) Generate() string { return s.all.begin(s.owner) }

func (s ownSessions) Validate(id string) (isTerminated bool, err error) {
	if !s.all.isOf(id, s.owner) {
		return false, errNoSession
	}
	return false, nil
}

func (s ownSessions) Terminate(id string) (isNotAllowed bool, err error) {
	if !s.all.isOf(id, s.owner) {
		return false, errNoSession
	}
	s.all.end(id)
	return false, nil
}

// idleSessions are the sessions as the library's sweeper sees them.
type idleSessions struct{ all *sessions }

func (s idleSessions) Generate() string { return "" }

func (s idleSessions) Validate(string) (isTerminated bool, err error) { return false, errNoSession }

func (s idleSessions) Terminate(id string) (isNotAllowed bool, err error) {
	s.all.end(id)
	return false, nil
}

// guard answers requests for the event stream or the end of a session that the caller does not have, as the
// library answers all others that name it. Left to itself, the library would open the stream of any id, and
// clear what it holds for any id. A request of 2026-07-28 has no session, whatever its header says.
func (s *sessions) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(server.HeaderKeySessionID)
		aboutSession := r.Method == http.MethodDelete || r.Method == http.MethodGet && id != ""
		if aboutSession && !modern(r) && !s.isOf(id, loops.OwnerOf(r.Context())) {
			http.Error(w, "Invalid session ID", http.StatusNotFound)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// modern reports whether a request says that it is of 2026-07-28 or later. A body that says otherwise is
// refused by the library.
func modern(r *http.Request) bool {
	return mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}
