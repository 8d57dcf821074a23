package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/server/access"
)

// Link is a new one-time link, from [Root] on. It lets whoever opens it first in as the local owner.
func (p *Page) Link() string { return Root + "enter?ticket=" + url.QueryEscape(p.tickets.draw()) }

// enter takes a one-time link. A server that asks for tokens has none.
func (p *Page) enter(w http.ResponseWriter, r *http.Request) {
	if p.Auth != nil || !p.tickets.take(r.URL.Query().Get("ticket")) {
		p.showLogin(w, r, http.StatusUnauthorized, "This link was used already, or is older than a minute.")
		return
	}
	p.logIn(w, r, local(), "")
}

// maxTokenBytes bounds what is sent as a token, as it does for the endpoint of the tools.
const maxTokenBytes = 8 << 10

// login takes a token once. It is not kept where the browser could show it to anybody.
func (p *Page) login(w http.ResponseWriter, r *http.Request) {
	if p.Auth == nil {
		p.showLogin(w, r, http.StatusUnauthorized, "This server takes no tokens.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 4*maxTokenBytes)
	token := strings.TrimSpace(r.PostFormValue("token"))
	if token == "" || len(token) > maxTokenBytes {
		p.showLogin(w, r, http.StatusUnauthorized, "Give the token that you were given for this server.")
		return
	}
	caller, err := p.Auth.Authenticate(r.Context(), token)
	switch {
	case errors.Is(err, access.ErrUnknownToken):
		p.showLogin(w, r, http.StatusUnauthorized, "This token is not known, or not valid any more.")
	case err != nil:
		p.Logger.ErrorContext(r.Context(), "it cannot be told who is let in", "error", err)
		p.showLogin(w, r, http.StatusServiceUnavailable, "The server cannot tell at the moment who is let in; its log says why.")
	case caller.Scopes&access.Read == 0:
		p.showLogin(w, r, http.StatusForbidden, "This token may not look at loops.")
	default:
		p.logIn(w, r, caller, token)
	}
}

// link has a new one-time link announced to whoever runs the server.
func (p *Page) link(w http.ResponseWriter, r *http.Request) {
	switch {
	case p.Auth != nil || p.Announce == nil:
		p.showLogin(w, r, http.StatusUnauthorized, "This server makes no links.")
	case !p.tickets.mayAnnounce():
		p.showLogin(w, r, http.StatusTooManyRequests, "A link was printed just now. Wait a few seconds before asking for another.")
	default:
		p.Announce(p.Link())
		p.showLogin(w, r, http.StatusOK, "A link was printed where the server runs. Open it within a minute; it works once.")
	}
}

func (p *Page) leave(w http.ResponseWriter, r *http.Request, v *session) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if !v.sentForm(r.PostFormValue("form")) {
		p.refused(w, r, v, http.StatusForbidden, "This form is not of your session.")
		return
	}
	p.sessions.end(v.id)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: Root, HttpOnly: true, Secure: p.Secure || r.TLS != nil, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	http.Redirect(w, r, Root, http.StatusSeeOther)
}

// loginView is what stands outside.
type loginView struct {
	frame
	Message    string
	Tokens     bool // a token is asked for
	Announcing bool // a link can be asked for
}

func (p *Page) showLogin(w http.ResponseWriter, r *http.Request, status int, message string) {
	p.render(w, r, status, "login", loginView{frame: p.frame("Log in", nil), Message: message, Tokens: p.Auth != nil, Announcing: p.Announce != nil})
}
