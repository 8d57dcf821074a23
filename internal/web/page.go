package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// New returns the page.
func New(cfg Config) *Page {
	p := &Page{Config: cfg, sessions: newSessions(cfg.Now), tickets: newTickets(cfg.Now), deliveries: newDeliveries(), rechecks: &rechecks{of: map[string]*recheck{}}, stopping: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ui/static/{name}", p.static)
	mux.HandleFunc("GET /ui/enter", p.enter)
	mux.HandleFunc("POST /ui/login", p.login)
	mux.HandleFunc("POST /ui/link", p.link)
	mux.Handle("POST /ui/leave", p.visitors(p.leave))
	mux.Handle("GET /ui/{$}", p.visitors(p.list))
	mux.Handle("POST /ui/start", p.writers(p.start))
	mux.Handle("GET /ui/loops/{id}/delete", p.visitors(p.confirmDelete))
	mux.Handle("POST /ui/loops/{id}/delete", p.writers(p.delete))
	mux.Handle("GET /ui/loops/{id}", p.visitors(p.loop))
	mux.Handle("GET /ui/loops/{id}/events", p.visitors(p.events))
	mux.Handle("GET /ui/loops/{id}/sources/{source}", p.visitors(p.source))
	mux.Handle("GET /ui/loops/{id}/find", p.visitors(p.find))
	mux.Handle("GET /ui/loops/{id}/verify", p.visitors(p.verifyForm))
	mux.Handle("POST /ui/loops/{id}/verify", p.writers(p.verify))
	mux.Handle("POST /ui/loops/{id}/files", p.sendersOf(maxFilesBytes, p.acting("files", p.addFiles)))
	mux.Handle("GET /ui/loops/{id}/report", p.visitors(p.report))
	mux.Handle("POST /ui/loops/{id}/report", p.writers(p.reportOfDraft))
	mux.Handle("GET /ui/loops/{id}/recheck", p.visitors(p.showRecheck))
	mux.Handle("POST /ui/loops/{id}/recheck", p.writers(p.beginRecheck))
	mux.Handle("GET /ui/loops/{id}/review", p.visitors(p.review))
	mux.Handle("POST /ui/loops/{id}/review", p.writers(p.answerReview))
	for name, act := range p.acts() {
		mux.Handle("POST /ui/loops/{id}/"+name, p.writers(p.acting(name, act)))
	}
	mux.Handle("/ui/", p.visitors(func(w http.ResponseWriter, r *http.Request, v *session) { p.notFound(w, r, v) }))
	var h http.Handler = http.NewCrossOriginProtection().Handler(mux)
	p.handler = guarded(h)
	return p
}

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }

// Stop ends the event streams and the rechecks, so that the server can shut down.
func (p *Page) Stop() {
	p.stopOnce.Do(func() { close(p.stopping) })
	p.rechecks.all.Wait()
}

// policy allows scripts, styles and drawings of this server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

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

// visitors requires a session, and calls next for its owner with its scopes. What a visitor views does not count as
// shown to the host.
func (p *Page) visitors(next visit) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := p.visitor(r)
		if err != nil {
			p.Logger.ErrorContext(r.Context(), "authentication failed", "error", err)
			w.Header().Set("Retry-After", "5")
			p.showLogin(w, r, http.StatusServiceUnavailable, said("Authentication is temporarily unavailable; see the server log."))
			return
		}
		if v == nil {
			p.showLogin(w, r, http.StatusUnauthorized, nil)
			return
		}
		ctx := loops.AsOnlooker(access.WithScopes(loops.WithOwner(r.Context(), v.owner), v.scopes))
		end, err := p.Meter.Begin(v.owner)
		if err != nil {
			p.refused(w, r, v, http.StatusTooManyRequests, verbatim(err.Error()))
			return
		}
		if strings.HasSuffix(r.URL.Path, "/events") { // streams have their own limits
			end()
		} else {
			defer end()
		}
		next(w, r.WithContext(ctx), v)
	})
}

// maxFormBytes suffices for the longest pasted text, 2,000,000 characters, and maxFilesBytes for two files of the largest size.
const (
	maxFormBytes  = 12 << 20
	maxFilesBytes = 42 << 20
)

// writers requires the write scope and the form token of the session.
func (p *Page) writers(next visit) http.Handler { return p.sendersOf(maxFormBytes, next) }

// sendersOf is writers with another limit of a form.
func (p *Page) sendersOf(limit int64, next visit) http.Handler {
	return p.visitors(func(w http.ResponseWriter, r *http.Request, v *session) {
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		if err := r.ParseMultipartForm(maxFormBytes); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			p.refused(w, r, v, http.StatusRequestEntityTooLarge, said("The form is invalid or larger than %d MB. Nothing was changed.", limit>>20))
			return
		}
		if r.MultipartForm != nil {
			defer r.MultipartForm.RemoveAll() //nolint:errcheck // temporary files of the request
		}
		if !v.sentForm(r.PostFormValue("form")) {
			p.refused(w, r, v, http.StatusForbidden, said("This form belongs to another session. Reload the page and send it again. Nothing was changed."))
			return
		}
		if v.scopes&access.Write == 0 {
			p.refused(w, r, v, http.StatusForbidden, said("Your token is read-only. Nothing was changed."))
			return
		}
		next(w, r, v)
	})
}
