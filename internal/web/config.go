// Package web serves the page on which people view their loops: server-rendered HTML over the same use cases as the
// tools, behind a login. Untrusted text reaches a browser only as escaped text.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
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
	Verify(ctx context.Context, in loops.VerifyInput) (verify.Result, error)
	AddGap(ctx context.Context, loop, operation string, in loopstate.GapInput) (loops.GapAdded, error)
	Update(ctx context.Context, loop, operation string, in loopstate.UpdateInput) (loops.Updated, error)
	Start(ctx context.Context, in loopstate.StartInput) (loops.Started, error)
	Delete(ctx context.Context, loop string) error
	Read(ctx context.Context, in loops.ReadInput) ([]loops.PageOutcome, error)
	ReadSent(ctx context.Context, loop, name string, body []byte) (loops.PageOutcome, error)
	ShownOf(ctx context.Context, loop, id string) (loopstate.Spans, error)
	Report(ctx context.Context, in loops.ReportInput) (report.Document, error)
	Review(ctx context.Context, in loops.ReviewInput) (loops.ReviewResult, error)
	Recheck(ctx context.Context, loop string, done func(n, of int, url string)) (*loops.Recheck, error)
}

// Config configures the page. Loops, Now and Logger are required.
type Config struct {
	Loops    Loops
	Auth     access.Authenticator // checks tokens; nil: visitors log in with one-time links, as the local owner
	Announce func(path string)    // shows a new one-time link, a path below [Root], to the operator; nil: none can be requested
	Meter    *access.Meter        // counts the requests of each owner; nil: no limit
	Streams  *access.Meter        // counts the event streams of each owner; nil: no limit
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
	rechecks   *rechecks
	handler    http.Handler
	stopOnce   sync.Once
	stopping   chan struct{}
}
