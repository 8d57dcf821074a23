package web

import (
	"context"
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
	// maxSessions are kept, and maxOwnSessions of one owner; the ones longest without a request go first.
	maxSessions    = 2_000
	maxOwnSessions = 32
	// recheckEvery is how often the token behind a session is looked up again: one that was taken back ends it.
	recheckEvery = 10 * time.Second
	// cookieName holds a session's random id and nothing else.
	cookieName = "citeloop_session"
)

// session is somebody who was let in. It lives in memory alone, so a restart ends it.
type session struct {
	id     string
	owner  string
	scopes access.Scopes
	form   string // every form of this session carries it
	token  string // it was opened with; empty for a one-time link. It never leaves the server

	begun           time.Time
	used, rechecked time.Time // under sessions.mu
	streams         int       // under sessions.mu
}

func (v *session) sentForm(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(v.form)) == 1
}

// sessions are those who were let in.
type sessions struct {
	now func() time.Time

	mu   sync.Mutex
	byID map[string]*session
}

func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, byID: map[string]*session{}}
}

// begin opens a session.
func (s *sessions) begin(caller access.Caller, token string) *session {
	now := s.now()
	v := &session{id: rand.Text() + rand.Text(), owner: caller.Owner, scopes: caller.Scopes, form: rand.Text(), token: token, begun: now, used: now, rechecked: now}
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

// find is the session of an id, or nil; due says that its token has to be looked up again. touch counts as use.
func (s *sessions) find(id string, touch bool) (v *session, due bool) {
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
	if touch {
		v.used = now
	}
	return v, v.token != "" && now.Sub(v.rechecked) >= recheckEvery
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}

// visitor is the session of a request, or nil. An error says that it cannot be told at the moment.
func (p *Page) visitor(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil, nil //nolint:nilerr // a request without a cookie is of nobody
	}
	return p.alive(r.Context(), cookie.Value, true)
}

// alive is the session of an id while it and the token behind it are good.
func (p *Page) alive(ctx context.Context, id string, touch bool) (*session, error) {
	v, due := p.sessions.find(id, touch)
	if v == nil || !due {
		return v, nil
	}
	caller, err := p.Auth.Authenticate(ctx, v.token)
	if errors.Is(err, access.ErrUnknownToken) || err == nil && (caller.Owner != v.owner || caller.Scopes != v.scopes) {
		p.sessions.end(id)
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

// logIn opens a session and hands its cookie over.
func (p *Page) logIn(w http.ResponseWriter, r *http.Request, caller access.Caller, token string) {
	v := p.sessions.begin(caller, token)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: v.id, Path: Root, HttpOnly: true, Secure: p.Secure || r.TLS != nil, SameSite: http.SameSiteStrictMode, MaxAge: int(sessionLife.Seconds())})
	http.Redirect(w, r, Root, http.StatusSeeOther)
}

// local is who comes in by a one-time link.
func local() access.Caller { return access.Caller{Owner: loops.LocalOwner, Scopes: access.All} }
