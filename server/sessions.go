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

// sessions are the sessions of clients that initialize (up to 2025-11-25). An id is random, with a signature
// over it and the owner that began it: to everybody else the session is one that does not exist, so an id that
// leaked gives no access to its event stream, its questions to the user, or its end; and every replica with the
// same key takes it, because all state lives in loops. What the library has for this accepts ids that were
// deleted, or keeps every id for ever.
//
// Only the replica that was told of a session's end knows of it. The others would go on answering its owner,
// who has the token anyway.
type sessions struct {
	key []byte

	mu    sync.Mutex
	ended map[string]bool
	order []string // the ended, oldest first
}

// maxEnded sessions are remembered, so that memory has a bound.
const maxEnded = 10_000

func newSessions(key []byte) *sessions { return &sessions{key: key, ended: map[string]bool{}} }

// ResolveSessionIdManager implements the library's resolver. Without a request it is the library itself that
// asks, to end sessions that went idle.
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

// idleSessions are the sessions as the library's sweeper sees them. That it drops what it holds of an idle one is
// enough: its client may come back any time.
type idleSessions struct{}

func (idleSessions) Generate() string { return "" }

func (idleSessions) Validate(string) (isTerminated bool, err error) { return false, errNoSession }

func (idleSessions) Terminate(string) (isNotAllowed bool, err error) { return false, nil }

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
