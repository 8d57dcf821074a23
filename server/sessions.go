package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

// sessions manages the sessions of clients that initialize (up to 2025-11-25). An id is random and signed together with
// its owner. For other owners the session does not exist, so a leaked id gives no access to its event stream or its
// questions, and cannot end it. Every replica with the same key accepts an id, because all state lives in loops. The
// library's own managers accept deleted ids, or keep every id forever.
//
// Only the replica that received the end of a session knows of it. The others still answer its owner, who has the
// token anyway.
type sessions struct {
	key []byte

	mu    sync.Mutex
	ended map[string]bool
	order []string // ended sessions, oldest first
}

// maxEnded sessions are remembered, so that memory has a bound.
const maxEnded = 10_000

func newSessions(key []byte) *sessions { return &sessions{key: key, ended: map[string]bool{}} }

// ResolveSessionIdManager implements the library's resolver. The library passes nil when it drops idle sessions.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return idleSessions{}
	}
	return ownSessions{s, loops.OwnerOf(r.Context())}
}

const sessionPrefix = "mcp-session-"

func (s *sessions) begin(owner string) string {
	id := uuid.NewString()
	return sessionPrefix + id + "." + stateEncoding.EncodeToString(s.sign(id, owner))
}

func (s *sessions) sign(id, owner string) []byte {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "citeloop session %d:%s%s", len(id), id, owner)
	return mac.Sum(nil)
}

func (s *sessions) isOf(id, owner string) bool {
	random, signature, ok := strings.Cut(strings.TrimPrefix(id, sessionPrefix), ".")
	if !ok || len(id) > maxStateBytes {
		return false
	}
	given, err := stateEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(given, s.sign(random, owner)) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ended[random]
}

func (s *sessions) end(id string) {
	random, _, _ := strings.Cut(strings.TrimPrefix(id, sessionPrefix), ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended[random] {
		return
	}
	if len(s.order) == maxEnded {
		delete(s.ended, s.order[0])
		s.order = s.order[1:]
	}
	s.ended[random], s.order = true, append(s.order, random)
}

// ownSessions is one owner's view of the sessions.
type ownSessions struct {
	all   *sessions
	owner string
}

var errNoSession = errors.New("unknown session id")

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

// idleSessions is the view of the library's sweeper. It ends no session: an idle client may return at any time, and the
// library has already released the session's memory.
type idleSessions struct{}

func (idleSessions) Generate() string { return "" }

func (idleSessions) Validate(string) (isTerminated bool, err error) { return false, errNoSession }

func (idleSessions) Terminate(string) (isNotAllowed bool, err error) { return false, nil }

// guard rejects requests to open the event stream of another owner's session, or to end it, in the library's words. The
// library itself would accept any id. Requests of 2026-07-28 have no session, even if their header names one.
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

// modern reports whether a request's header names 2026-07-28 or later. The library rejects a body that contradicts the
// header.
func modern(r *http.Request) bool {
	return mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}
