package web

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

const (
	// sessionLife is how long a session lasts at most, and sessionIdle without a request: a working day.
	sessionLife = 12 * time.Hour
	sessionIdle = 4 * time.Hour
	// maxSessions bounds the sessions; the least recently used ends first.
	maxSessions = 10_000
	// recheckEvery is how often the token of a session is checked again: a revoked token ends the session.
	recheckEvery = 10 * time.Second
	// cookieName holds a session's random id and nothing else.
	cookieName = "citeloop_session"
	// ticketLife is how long a one-time link works: long enough to open it, too short to be reused from a log.
	ticketLife = time.Minute
	// maxTickets bounds the unused links, and linkEvery is how often a visitor can request one.
	maxTickets = 8
	linkEvery  = 5 * time.Second
	// maxTokenBytes bounds a token, as on the MCP endpoint.
	maxTokenBytes = 8 << 10
)

// session is a logged-in visitor. It is kept in memory only, so a restart ends it.
type session struct {
	id    string
	owner string
	form  string // token of every form of this session
	token string // used to log in; empty for a one-time link. It is never sent
	begun time.Time

	mu            sync.Mutex
	used, checked time.Time // the token
}

func (v *session) sentForm(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(v.form)) == 1
}

// use records a use. It reports whether the session has ended, and whether its token must be checked again.
func (v *session) use(now time.Time) (over, due bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	over = now.Sub(v.begun) >= sessionLife || now.Sub(v.used) >= sessionIdle
	v.used = now
	return over, v.token != "" && now.Sub(v.checked) >= recheckEvery
}

// visitor returns the session of a request, or nil if there is none or its token has expired. The error says that authentication
// is unavailable.
func (p *Page) visitor(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil, nil //nolint:nilerr // no cookie: no session
	}
	v, ok := p.sessions.Get(cookie.Value)
	if !ok {
		return nil, nil
	}
	over, due := v.use(p.Now())
	if due && !over {
		owner, err := p.Auth.Authenticate(r.Context(), v.token)
		if err != nil && !errors.Is(err, access.ErrUnknownToken) {
			return nil, err
		}
		over = err != nil || owner != v.owner
		v.mu.Lock()
		v.checked = p.Now()
		v.mu.Unlock()
	}
	if over {
		p.sessions.Remove(v.id)
		return nil, nil
	}
	return v, nil
}

// logIn opens a session and sets its cookie.
func (p *Page) logIn(w http.ResponseWriter, r *http.Request, owner, token string) {
	now := p.Now()
	v := &session{id: rand.Text() + rand.Text(), owner: owner, form: rand.Text(), token: token,
		begun: now, used: now, checked: now}
	p.sessions.Add(v.id, v)
	p.setCookie(w, r, v.id, int(sessionLife.Seconds()))
	http.Redirect(w, r, Root, http.StatusSeeOther)
}

// setCookie sets the cookie of a session; an age of -1 removes it.
func (p *Page) setCookie(w http.ResponseWriter, r *http.Request, id string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: Root, HttpOnly: true, Secure: p.Secure || r.TLS != nil,
		SameSite: http.SameSiteStrictMode, MaxAge: age})
}

func (p *Page) leave(w http.ResponseWriter, r *http.Request, v *session) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if !v.sentForm(r.PostFormValue("form")) {
		p.refused(w, r, v, http.StatusForbidden, "This form belongs to another session.")
		return
	}
	p.sessions.Remove(v.id)
	p.setCookie(w, r, "", -1)
	http.Redirect(w, r, Root, http.StatusSeeOther)
}

// Link returns a new one-time link, a path below [Root]. The first visitor who opens it is logged in as the local owner.
func (p *Page) Link() string {
	ticket := rand.Text()
	p.tickets.Add(ticket, p.Now().Add(ticketLife))
	return Root + "enter?ticket=" + url.QueryEscape(ticket)
}

// enter logs in with a one-time link. A server with tokens accepts no links.
func (p *Page) enter(w http.ResponseWriter, r *http.Request) {
	ticket := r.URL.Query().Get("ticket")
	until, _ := p.tickets.Peek(ticket)
	if first := p.tickets.Remove(ticket); p.Auth != nil || !first || !p.Now().Before(until) {
		p.showLogin(w, r, http.StatusUnauthorized, "This link has been used or has expired.")
		return
	}
	p.logIn(w, r, loops.LocalOwner, "")
}

// login exchanges a token for a session. The browser does not keep the token.
func (p *Page) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4*maxTokenBytes)
	token := strings.TrimSpace(r.PostFormValue("token"))
	if p.Auth == nil || token == "" || len(token) > maxTokenBytes {
		p.showLogin(w, r, http.StatusUnauthorized, "Enter your token for this server.")
		return
	}
	owner, err := p.Auth.Authenticate(r.Context(), token)
	switch {
	case errors.Is(err, access.ErrUnknownToken):
		p.showLogin(w, r, http.StatusUnauthorized, "Unknown or expired token.")
	case err != nil:
		p.Logger.ErrorContext(r.Context(), "authentication failed", "error", err)
		p.showLogin(w, r, http.StatusServiceUnavailable, "Authentication is temporarily unavailable; see the server log.")
	default:
		p.logIn(w, r, owner, token)
	}
}

// link prints a new one-time link in the server's terminal.
func (p *Page) link(w http.ResponseWriter, r *http.Request) {
	switch {
	case p.Auth != nil || p.Announce == nil:
		p.showLogin(w, r, http.StatusUnauthorized, "This server does not use one-time links.")
	case !p.announcing.AllowN(p.Now(), 1):
		p.showLogin(w, r, http.StatusTooManyRequests, "A link was just printed. Wait a few seconds before requesting another.")
	default:
		p.Announce(p.Link())
		p.showLogin(w, r, http.StatusOK, "A link was printed in the terminal of the server. It works once, for one minute.")
	}
}

// loginView is the page for visitors without a session.
type loginView struct {
	frame
	Message    string
	Tokens     bool // the page asks for a token
	Announcing bool // the page offers to print a link
}

func (p *Page) showLogin(w http.ResponseWriter, r *http.Request, status int, why string) {
	p.render(w, r, status, "login", loginView{p.frame("Log in", nil), why, p.Auth != nil, p.Announce != nil})
}
