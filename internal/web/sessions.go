package web

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

const (
	// sessionLife is how long a session lasts at most, and sessionIdle without a request: a working day.
	sessionLife = 12 * time.Hour
	sessionIdle = 4 * time.Hour
	// maxSessions bounds all sessions, and maxOwnSessions those of one owner; the least recently used ones end first.
	maxSessions    = 2_000
	maxOwnSessions = 32
	// recheckEvery is how often the token of a session is checked again: a revoked token ends the session.
	recheckEvery = 10 * time.Second
	// cookieName holds a session's random id and nothing else.
	cookieName = "citeloop_session"
)

// session is a logged-in visitor. It is kept in memory only, so a restart ends it.
type session struct {
	id     string
	owner  string
	scopes access.Scopes
	form   string // token of every form of this session
	token  string // used to log in; empty for a one-time link. It is never sent

	begun           time.Time
	used, rechecked time.Time // under sessions.mu
}

func (v *session) sentForm(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(v.form)) == 1
}

// sessions has the logged-in visitors.
type sessions struct {
	now func() time.Time

	mu   sync.Mutex
	byID map[string]*session
}

func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, byID: map[string]*session{}}
}

// begin returns a new session.
func (s *sessions) begin(caller access.Caller, token string) *session {
	now := s.now()
	v := &session{id: rand.Text() + rand.Text(), owner: caller.Owner, scopes: caller.Scopes, form: rand.Text(), token: token,
		begun: now, used: now, rechecked: now}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	s.makeRoom(v.owner)
	s.byID[v.id] = v
	return v
}

func (s *sessions) sweep(now time.Time) {
	for id, v := range s.byID {
		if s.over(v, now) {
			delete(s.byID, id)
		}
	}
}

func (s *sessions) over(v *session, now time.Time) bool {
	return now.Sub(v.begun) >= sessionLife || now.Sub(v.used) >= sessionIdle
}

func (s *sessions) makeRoom(owner string) {
	var oldest, oldestOwn *session
	own := 0
	for _, v := range s.byID {
		if oldest == nil || v.used.Before(oldest.used) {
			oldest = v
		}
		if v.owner == owner {
			if own++; oldestOwn == nil || v.used.Before(oldestOwn.used) {
				oldestOwn = v
			}
		}
	}
	if own >= maxOwnSessions {
		delete(s.byID, oldestOwn.id)
	} else if len(s.byID) >= maxSessions {
		delete(s.byID, oldest.id)
	}
}

// find returns the session of an id, or nil. due reports that its token must be checked again.
func (s *sessions) find(id string) (v *session, due bool) {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.byID[id]
	if !ok {
		return nil, false
	}
	if s.over(v, now) {
		delete(s.byID, id)
		return nil, false
	}
	v.used = now
	return v, v.token != "" && now.Sub(v.rechecked) >= recheckEvery
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}

// visitor returns the session of a request, or nil if there is none or its token has expired. The error says that authentication
// is unavailable.
func (p *Page) visitor(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil, nil //nolint:nilerr // no cookie: no session
	}
	v, due := p.sessions.find(cookie.Value)
	if v == nil || !due {
		return v, nil
	}
	caller, err := p.Auth.Authenticate(r.Context(), v.token)
	if errors.Is(err, access.ErrUnknownToken) || err == nil && (caller.Owner != v.owner || caller.Scopes != v.scopes) {
		p.sessions.end(v.id)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.sessions.mu.Lock()
	v.rechecked = p.Now()
	p.sessions.mu.Unlock()
	return v, nil
}

// logIn opens a session and sets its cookie.
func (p *Page) logIn(w http.ResponseWriter, r *http.Request, caller access.Caller, token string) {
	v := p.sessions.begin(caller, token)
	p.setCookie(w, r, v.id, int(sessionLife.Seconds()))
	http.Redirect(w, r, Root, http.StatusSeeOther)
}

// setCookie sets the cookie of a session; an age of -1 removes it.
func (p *Page) setCookie(w http.ResponseWriter, r *http.Request, id string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: Root, HttpOnly: true, Secure: p.Secure || r.TLS != nil,
		SameSite: http.SameSiteStrictMode, MaxAge: age})
}

// local returns the caller for a one-time link.
func local() access.Caller { return access.Caller{Owner: loops.LocalOwner, Scopes: access.All} }
