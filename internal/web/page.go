// Package web is the page on which people look at their loops: server-rendered HTML over the same use cases as the
// tools, behind a session of its own. Nothing that strangers wrote reaches a browser but as text.
package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/access"
)

// Root is the path under which the page lies.
const Root = "/ui/"

// callTimeout bounds what one request does, as it bounds a tool's call.
const callTimeout = 25 * time.Second

// Loops is what the page needs of the use cases; *loops.Service has it.
type Loops interface {
	Heads(ctx context.Context) ([]loopstate.Head, error)
	Detail(ctx context.Context, loop string, round int) (loops.LoopDetail, error)
	ReadSpan(ctx context.Context, loop, id string, start, end int) (loops.Span, error)
	FindPassages(ctx context.Context, loop, query string, sourceIDs []string, limit int) ([]loops.FoundPassage, error)
	Pulse(ctx context.Context, loop string) (loops.Pulse, error)
	Follow(ctx context.Context, loop string) (<-chan int64, error)
	Verify(ctx context.Context, in loops.VerifyInput) (loops.Verification, error)
	AddGap(ctx context.Context, loop string, in loopstate.GapInput) (loops.GapAdded, error)
	Update(ctx context.Context, loop, operation string, in loopstate.UpdateInput) (loops.Updated, error)
	Read(ctx context.Context, in loops.ReadInput) ([]loops.PageOutcome, error)
	ShownOf(ctx context.Context, loop, id string) (loopstate.Spans, error)
	Report(ctx context.Context, in loops.ReportInput) (report.Document, error)
}

// Config is how the page stands. Loops, Now and Logger are required.
type Config struct {
	Loops    Loops
	Auth     access.Authenticator // who may log in with a token; nil: whoever has a one-time link, as the local owner
	Announce func(path string)    // hands a new one-time link, from [Root] on, to whoever runs the server; nil: nobody asks for one
	Meter    *access.Meter        // counts the requests of each owner; may be nil
	Streams  *access.Streams      // counts the event streams of each owner; may be nil
	Secure   bool                 // visitors come over HTTPS: the cookie then travels there alone
	Now      func() time.Time
	Logger   *slog.Logger
	Version  string
}

// Page answers everything below [Root]. It is safe for concurrent use.
type Page struct {
	Config
	sessions *sessions
	tickets  *tickets
	handler  http.Handler
	stopOnce sync.Once
	stopping chan struct{}
}

// New makes the page.
func New(cfg Config) *Page {
	p := &Page{Config: cfg, sessions: newSessions(cfg.Now), tickets: newTickets(cfg.Now), stopping: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ui/static/{name}", p.static)
	mux.HandleFunc("GET /ui/enter", p.enter)
	mux.HandleFunc("POST /ui/login", p.login)
	mux.HandleFunc("POST /ui/link", p.link)
	mux.Handle("POST /ui/leave", p.visitors(p.leave))
	mux.Handle("GET /ui/{$}", p.visitors(p.list))
	mux.Handle("GET /ui/loops/{id}", p.visitors(p.loop))
	mux.Handle("GET /ui/loops/{id}/events", p.visitors(p.events))
	mux.Handle("GET /ui/loops/{id}/sources/{source}", p.visitors(p.source))
	mux.Handle("GET /ui/loops/{id}/find", p.visitors(p.find))
	mux.Handle("GET /ui/loops/{id}/verify", p.visitors(p.verifyForm))
	mux.Handle("POST /ui/loops/{id}/verify", p.writers(p.verify))
	mux.Handle("GET /ui/loops/{id}/report", p.visitors(p.report))
	mux.Handle("POST /ui/loops/{id}/report", p.writers(p.reportOfDraft))
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

// Stop ends the event streams, which do not end by themselves.
func (p *Page) Stop() { p.stopOnce.Do(func() { close(p.stopping) }) }

// policy lets a page load our own script, style and drawings from this very server, and nothing from anywhere else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guarded puts on every answer what keeps a browser from doing more with it than to show it.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		// Other sites are told nothing. With no-referrer our own forms would come with the origin "null" as well, which is
		// that of no site, and be refused as a stranger's.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// visit answers a request of somebody who has a session.
type visit func(http.ResponseWriter, *http.Request, *session)

// visitors lets those through who have a session, on behalf of its owner and with its scopes. What they are shown
// is not entered into the read ledger: it is the host that makes the claims.
func (p *Page) visitors(next visit) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := p.visitor(r)
		if err != nil {
			p.Logger.ErrorContext(r.Context(), "it cannot be told who is let in", "error", err)
			w.Header().Set("Retry-After", "5")
			p.showLogin(w, r, http.StatusServiceUnavailable, "The server cannot tell at the moment who is let in; its log says why.")
			return
		}
		if v == nil {
			p.showLogin(w, r, http.StatusUnauthorized, "")
			return
		}
		ctx := loops.AsOnlooker(access.WithScopes(loops.WithOwner(r.Context(), v.owner), v.scopes))
		if p.Meter != nil {
			end, err := p.Meter.Begin(v.owner)
			if err != nil {
				p.refused(w, r, v, http.StatusTooManyRequests, err.Error())
				return
			}
			if strings.HasSuffix(r.URL.Path, "/events") { // streams are bounded by themselves
				end()
			} else {
				defer end()
			}
		}
		next(w, r.WithContext(ctx), v)
	})
}

// maxFormBytes leaves room for the longest pasted text, 2,000,000 characters.
const maxFormBytes = 12 << 20

// writers lets those through who may change loops and sent a form of ours.
func (p *Page) writers(next visit) http.Handler {
	return p.visitors(func(w http.ResponseWriter, r *http.Request, v *session) {
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		if err := r.ParseMultipartForm(maxFormBytes); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			p.refused(w, r, v, http.StatusRequestEntityTooLarge, "The form could not be read, or is larger than 12 MB. Nothing was done.")
			return
		}
		if !v.sentForm(r.PostFormValue("form")) {
			p.refused(w, r, v, http.StatusForbidden, "This form is not of your session, perhaps because it was opened before you logged in again. Open the page anew and send it once more; nothing was done.")
			return
		}
		if v.scopes&access.Write == 0 {
			p.refused(w, r, v, http.StatusForbidden, "Your token may look at loops and not change them. Nothing was done.")
			return
		}
		next(w, r, v)
	})
}
