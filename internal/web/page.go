// Package web serves the page on which people view their loops: server-rendered HTML over the same use cases as the tools,
// behind a login. It works without scripts. Untrusted text reaches a browser only as escaped text.
package web

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// Root is the path of the page.
const Root = "/ui/"

// callTimeout bounds one request, like a tool call.
const callTimeout = 25 * time.Second

// Config configures the page. Loops, Now and Logger are required.
type Config struct {
	Loops    *loops.Service
	Auth     access.Authenticator // checks tokens; nil: visitors log in with one-time links, as the local owner
	Announce func(path string)    // shows a new one-time link, a path below [Root], to the operator; nil: none can be requested
	Meter    *access.Meter        // counts the requests of each owner; nil: no limit
	Secure   bool                 // visitors use HTTPS: the cookie is marked Secure
	ReadOnly bool                 // visitors may only read
	Now      func() time.Time
	Logger   *slog.Logger
	Version  string
}

// Page handles all requests below [Root]. It is safe for concurrent use.
type Page struct {
	Config
	sessions   *lru.Cache[string, *session]  // by id
	tickets    *lru.Cache[string, time.Time] // unused one-time links, and until when they work
	announcing *rate.Limiter                 // of links that visitors request
	answers    *lru.Cache[string, *answer]   // by loop and version
	checking   chan struct{}                 // checks of a text at a time: each may take a second of one core and 100 MB
	handler    http.Handler
}

// New returns the page.
func New(cfg Config) *Page {
	p := &Page{Config: cfg, announcing: rate.NewLimiter(rate.Every(linkEvery), 1), checking: make(chan struct{}, 2)}
	p.sessions, _ = lru.New[string, *session](maxSessions) // fails for a size of 0 only
	p.tickets, _ = lru.New[string, time.Time](maxTickets)
	p.answers, _ = lru.New[string, *answer](maxAnswers)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ui/static/{name}", p.static)
	mux.HandleFunc("GET /ui/enter", p.enter)
	mux.HandleFunc("POST /ui/login", p.login)
	mux.HandleFunc("POST /ui/link", p.link)
	mux.Handle("POST /ui/leave", p.visitors(p.leave))
	mux.Handle("GET /ui/{$}", p.visitors(p.list))
	mux.Handle("POST /ui/start", p.writers(p.start))
	mux.Handle("GET /ui/loops/{id}", p.visitors(p.loop))
	mux.Handle("GET /ui/loops/{id}/version", p.visitors(p.version))
	mux.Handle("GET /ui/loops/{id}/sources/{source}", p.visitors(p.source))
	mux.Handle("GET /ui/loops/{id}/report", p.visitors(p.report))
	mux.Handle("POST /ui/loops/{id}/check", p.writers(p.acting("check", p.check)))
	mux.Handle("GET /ui/loops/{id}/review", p.visitors(p.review))
	mux.Handle("POST /ui/loops/{id}/review", p.writers(p.answerReview))
	mux.Handle("POST /ui/loops/{id}/rounds", p.writers(p.acting("rounds", p.allowRounds)))
	mux.Handle("POST /ui/loops/{id}/stop", p.writers(p.acting("stop", p.stop)))
	mux.Handle("POST /ui/loops/{id}/delete", p.writers(p.delete))
	mux.Handle("/ui/", p.visitors(func(w http.ResponseWriter, r *http.Request, v *session) {
		p.refused(w, r, v, http.StatusNotFound, "Page not found.")
	}))
	p.handler = guarded(http.NewCrossOriginProtection().Handler(mux))
	return p
}

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }

// policy allows scripts, styles and drawings of this server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guarded sets the security headers of every response.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		// With no-referrer, our own forms would have the origin "null" and be refused.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// visit handles a request with a session.
type visit func(http.ResponseWriter, *http.Request, *session)

// visitors requires a session, and calls next for its owner. What a visitor views does not count as
// shown to the host.
func (p *Page) visitors(next visit) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := p.visitor(r)
		if err != nil {
			p.Logger.ErrorContext(r.Context(), "authentication failed", "error", err)
			w.Header().Set("Retry-After", "5")
			p.showLogin(w, r, http.StatusServiceUnavailable, "Authentication is temporarily unavailable; see the server log.")
			return
		}
		if v == nil {
			p.showLogin(w, r, http.StatusUnauthorized, "")
			return
		}
		ctx := loops.WithOwner(r.Context(), v.owner)
		end, err := p.Meter.Begin(v.owner)
		if err != nil {
			p.refused(w, r, v, http.StatusTooManyRequests, err.Error())
			return
		}
		defer end()
		next(w, r.WithContext(ctx), v)
	})
}

// maxFormBytes suffices for the longest draft. It is held in memory.
const maxFormBytes = 8 << 20

// writers requires a page that may be written to, and the form token of the session.
func (p *Page) writers(next visit) http.Handler {
	return p.visitors(func(w http.ResponseWriter, r *http.Request, v *session) {
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		if err := r.ParseMultipartForm(maxFormBytes); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			p.refused(w, r, v, http.StatusRequestEntityTooLarge, "The form is invalid or larger than 8 MB. Nothing was changed.")
			return
		}
		switch {
		case p.ReadOnly:
			p.refused(w, r, v, http.StatusForbidden, "This page is read-only. Nothing was changed.")
		case !v.sentForm(r.PostFormValue("form")):
			p.refused(w, r, v, http.StatusForbidden,
				"This form belongs to another session. Reload the page and send it again. Nothing was changed.")
		default:
			next(w, r, v)
		}
	})
}
