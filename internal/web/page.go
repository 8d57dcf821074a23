// Package web serves the page on which people view their loops: server-rendered HTML over the same use cases as the
// tools, behind a login. Untrusted text reaches a browser only as escaped text.
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
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/access"
)

// Root is the path of the page.
const Root = "/ui/"

// callTimeout bounds one request, like a tool call.
const callTimeout = 25 * time.Second

// Loops are the use cases that the page needs; *loops.Service implements it.
type Loops interface {
	Heads(ctx context.Context) ([]loopstate.Head, error)
	Detail(ctx context.Context, loop string, round int) (loops.LoopDetail, error)
	ReadSpan(ctx context.Context, loop, id string, start, end int) (loops.Span, error)
	LineSpan(ctx context.Context, loop, id, ref string) (start, end int, ok bool, err error)
	FindPassages(ctx context.Context, loop, query string, sourceIDs []string, limit int) ([]loops.FoundPassage, error)
	Evidence(ctx context.Context, loop, claim string) (verify.Claim, error)
	Revision(ctx context.Context, loop string) (loops.Revision, error)
	Follow(ctx context.Context, loop string) (<-chan int64, error)
	Verify(ctx context.Context, in loops.VerifyInput) (verdict.Verification, error)
	AddGap(ctx context.Context, loop, operation string, in loopstate.GapInput) (loops.GapAdded, error)
	Update(ctx context.Context, loop, operation string, in loopstate.UpdateInput) (loops.Updated, error)
	Start(ctx context.Context, in loopstate.StartInput) (loops.Started, error)
	Delete(ctx context.Context, loop string) error
	Read(ctx context.Context, in loops.ReadInput) ([]loops.PageOutcome, error)
	ReadSent(ctx context.Context, loop, name string, body []byte) (loops.PageOutcome, error)
	ShownOf(ctx context.Context, loop, id string) (loopstate.Spans, error)
	Report(ctx context.Context, in loops.ReportInput) (report.Document, error)
	Review(ctx context.Context, in loops.ReviewInput) (loops.ReviewResult, error)
}

// Config configures the page. Loops, Now and Logger are required.
type Config struct {
	Loops    Loops
	Auth     access.Authenticator // checks tokens; nil: visitors log in with one-time links, as the local owner
	Announce func(path string)    // shows a new one-time link, a path below [Root], to the operator; nil: none can be requested
	Meter    *access.Meter        // counts the requests of each owner; may be nil
	Streams  *access.Quota        // counts the event streams of each owner; may be nil
	Secure   bool                 // visitors use HTTPS: the cookie is marked Secure
	ReadOnly bool                 // visitors with one-time links may only read; Auth decides for the others
	Now      func() time.Time
	Logger   *slog.Logger
	Version  string
}

// Page handles all requests below [Root]. It is safe for concurrent use.
type Page struct {
	Config
	sessions   *sessions
	tickets    *tickets
	deliveries *deliveries
	handler    http.Handler
	stopOnce   sync.Once
	stopping   chan struct{}
}

// New returns the page.
func New(cfg Config) *Page {
	p := &Page{Config: cfg, sessions: newSessions(cfg.Now), tickets: newTickets(cfg.Now), deliveries: newDeliveries(), stopping: make(chan struct{})}
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

// Stop ends the event streams, so that the server can shut down.
func (p *Page) Stop() { p.stopOnce.Do(func() { close(p.stopping) }) }

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
		if p.Meter != nil {
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
