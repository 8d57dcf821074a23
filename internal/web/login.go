package web

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/server/access"
)

// Link returns a new one-time link, a path below [Root]. The first visitor who opens it is logged in as the local owner.
func (p *Page) Link() string { return Root + "enter?ticket=" + url.QueryEscape(p.tickets.draw()) }

// enter logs in with a one-time link. A server with tokens accepts no links.
func (p *Page) enter(w http.ResponseWriter, r *http.Request) {
	if p.Auth != nil || !p.tickets.take(r.URL.Query().Get("ticket")) {
		p.showLogin(w, r, http.StatusUnauthorized, "This link has been used or has expired.")
		return
	}
	caller := local()
	if p.ReadOnly {
		caller.Scopes = access.Read
	}
	p.logIn(w, r, caller, "")
}

// maxTokenBytes bounds a token, as on the MCP endpoint.
const maxTokenBytes = 8 << 10

// login exchanges a token for a session. The browser does not keep the token.
func (p *Page) login(w http.ResponseWriter, r *http.Request) {
	if p.Auth == nil {
		p.showLogin(w, r, http.StatusUnauthorized, "This server does not use tokens.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 4*maxTokenBytes)
	token := strings.TrimSpace(r.PostFormValue("token"))
	if token == "" || len(token) > maxTokenBytes {
		p.showLogin(w, r, http.StatusUnauthorized, "Enter your token for this server.")
		return
	}
	caller, err := p.Auth.Authenticate(r.Context(), token)
	switch {
	case errors.Is(err, access.ErrUnknownToken):
		p.showLogin(w, r, http.StatusUnauthorized, "Unknown or expired token.")
	case err != nil:
		p.Logger.ErrorContext(r.Context(), "authentication failed", "error", err)
		p.showLogin(w, r, http.StatusServiceUnavailable, "Authentication is temporarily unavailable; see the server log.")
	case caller.Scopes&access.Read == 0:
		p.showLogin(w, r, http.StatusForbidden, "This token cannot view loops.")
	default:
		p.logIn(w, r, caller, token)
	}
}

// link prints a new one-time link in the server's terminal.
func (p *Page) link(w http.ResponseWriter, r *http.Request) {
	switch {
	case p.Auth != nil || p.Announce == nil:
		p.showLogin(w, r, http.StatusUnauthorized, "This server does not use one-time links.")
	case !p.tickets.mayAnnounce():
		p.showLogin(w, r, http.StatusTooManyRequests, "A link was just printed. Wait a few seconds before requesting another.")
	default:
		p.Announce(p.Link())
		p.showLogin(w, r, http.StatusOK, "A link was printed in the terminal of the server. It works once, for one minute.")
	}
}

func (p *Page) leave(w http.ResponseWriter, r *http.Request, v *session) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if !v.sentForm(r.PostFormValue("form")) {
		p.refused(w, r, v, http.StatusForbidden, "This form belongs to another session.")
		return
	}
	p.sessions.end(v.id)
	p.setCookie(w, r, "", -1)
	http.Redirect(w, r, Root, http.StatusSeeOther)
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

const (
	// ticketLife is how long a one-time link works: long enough to open it, too short to be reused from a log.
	ticketLife = time.Minute
	// maxTickets bounds the unused links; a new one replaces the oldest.
	maxTickets = 8
	// linkEvery is how often a visitor can request a link.
	linkEvery = 5 * time.Second
)

// tickets are the unused one-time links.
type tickets struct {
	now func() time.Time

	mu        sync.Mutex
	out       []ticket // oldest first
	announced time.Time
}

type ticket struct {
	word string
	till time.Time
}

func newTickets(now func() time.Time) *tickets { return &tickets{now: now} }

// draw returns a new ticket of 128 random bits.
func (t *tickets) draw() string {
	word := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.out) >= maxTickets {
		t.out = t.out[1:]
	}
	t.out = append(t.out, ticket{word, t.now().Add(ticketLife)})
	return word
}

// take invalidates a ticket and reports whether it was valid.
func (t *tickets) take(word string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, k := range t.out {
		if k.word == word {
			t.out = append(t.out[:i:i], t.out[i+1:]...)
			return t.now().Before(k.till)
		}
	}
	return false
}

// mayAnnounce reports whether a link may be announced now, and records the time.
func (t *tickets) mayAnnounce() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); t.announced.IsZero() || now.Sub(t.announced) >= linkEvery {
		t.announced = now
		return true
	}
	return false
}
