package server

import (
	"context"
	"crypto/hmac"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"
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
	ended *recent
	held  map[string]*recent // by owner: the sessions that the library holds in memory

	// forget makes the library release the memory of a session, which stays valid.
	forget func(owner, id string)
}

// maxEnded sessions are remembered, so that memory has a bound.
const maxEnded = 10_000

// maxHeld is how many sessions of one owner the library holds in memory. Each has some 18 kB and the names that its client
// gave, of at most maxMetaBytes. The least recently used one is forgotten, as after sessionIdle.
const maxHeld = 100

// recent is a set of the ids that were added last.
type recent = simplelru.LRU[string, struct{}]

func newRecent(size int) *recent {
	set, _ := simplelru.NewLRU[string, struct{}](size, nil) // its only error is a size below one
	return set
}

func newSessions(key []byte) *sessions {
	return &sessions{key: key, ended: newRecent(maxEnded), held: map[string]*recent{}}
}

// ResolveSessionIdManager implements the library's resolver. The library passes nil when it drops idle sessions, which ends
// none: an idle client may return at any time, and the library has already released the session's memory.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return ownSessions{all: s, forget: true}
	}
	forgetting, _ := r.Context().Value(forgetKey{}).(bool)
	return ownSessions{s, loops.OwnerOf(r.Context()), forgetting}
}

const sessionPrefix = "mcp-session-"

func (s *sessions) begin(owner string) string {
	random := uuid.NewString()
	id := sessionPrefix + random + "." + stateEncoding.EncodeToString(s.sign(random, owner))
	s.hold(owner, id)
	return id
}

// hold notes that a session is used, and makes the library forget another one if the owner has too many.
func (s *sessions) hold(owner, id string) {
	if oldest := s.overflow(owner, id); oldest != "" && s.forget != nil {
		s.forget(owner, oldest)
	}
}

func (s *sessions) overflow(owner, id string) (oldest string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.held[owner]
	if own == nil {
		own = newRecent(maxHeld + 1)
		s.held[owner] = own
	}
	if own.Add(id, struct{}{}); own.Len() > maxHeld {
		oldest, _, _ = own.RemoveOldest()
	}
	return oldest
}

type forgetKey struct{}

// forgetIn returns what makes the library forget a session: the request to end it, which [ownSessions.Terminate] recognises.
func forgetIn(library http.Handler) func(owner, id string) {
	return func(owner, id string) {
		ctx := context.WithValue(loops.WithOwner(context.Background(), owner), forgetKey{}, true)
		r, err := http.NewRequestWithContext(ctx, http.MethodDelete, Endpoint, http.NoBody)
		if err != nil {
			return
		}
		r.Header.Set(server.HeaderKeySessionID, id)
		library.ServeHTTP(discarded{}, r)
	}
}

// discarded is the answer to a request that nobody sent.
type discarded struct{}

func (discarded) Header() http.Header         { return http.Header{} }
func (discarded) Write(p []byte) (int, error) { return len(p), nil }
func (discarded) WriteHeader(int)             {}

func (s *sessions) sign(id, owner string) []byte {
	return signature(s.key, "citeloop session", id, owner)
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
	return !s.ended.Contains(random)
}

func (s *sessions) end(id string) {
	random, _, _ := strings.Cut(strings.TrimPrefix(id, sessionPrefix), ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, own := range s.held {
		own.Remove(id)
	}
	s.ended.Add(random, struct{}{})
}

// ownSessions is one owner's view of the sessions.
type ownSessions struct {
	all    *sessions
	owner  string
	forget bool // Terminate ends nothing
}

var errNoSession = errors.New("unknown session id")

func (s ownSessions) Generate() string { return s.all.begin(s.owner) }

func (s ownSessions) Validate(id string) (isTerminated bool, err error) {
	if !s.all.isOf(id, s.owner) {
		return false, errNoSession
	}
	s.all.hold(s.owner, id)
	return false, nil
}

func (s ownSessions) Terminate(id string) (isNotAllowed bool, err error) {
	if s.forget {
		return false, nil
	}
	if !s.all.isOf(id, s.owner) {
		return false, errNoSession
	}
	s.all.end(id)
	return false, nil
}

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
		if r.Method == http.MethodGet && id != "" && !modern(r) {
			s.hold(loops.OwnerOf(r.Context()), id)
		}
		next.ServeHTTP(w, r)
	})
}

// modern reports whether a request's header names 2026-07-28 or later. The library rejects a body that contradicts the
// header.
func modern(r *http.Request) bool {
	return mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}
