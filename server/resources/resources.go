// Package resources shows the caller's loops as MCP resources: where a loop stands, its rounds, its report, the texts
// of its sources; by addresses that resources/list and the templates teach, with completion, and with word of what
// has changed. [Handler] mounts all of it on a server.
//
// The library knows a fixed list of resources that is the same for everybody, answers any fault of a handler as an
// internal error, and leaves subscriptions to others. Owners have resources of their own here, so its hooks do the
// rest: they fill in the list of the caller, turn an address that leads nowhere for the caller into one that the
// library does not know (which it answers with the code that the client's revision asks for), and feed the
// subscriptions.
package resources

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// Loops is what the resources need of the use cases.
type Loops interface {
	Heads(ctx context.Context) ([]loopstate.Head, error)
	State(ctx context.Context, in loops.ViewInput) (loops.View, error)
	Detail(ctx context.Context, loop string, round int) (loops.LoopDetail, error)
	Pulse(ctx context.Context, loop string) (loops.Pulse, error)
	Follow(ctx context.Context, loop string) (<-chan int64, error)
	Rounds(ctx context.Context, loop string) ([]loopstate.Round, error)
	Sources(ctx context.Context, loop string) ([]loopstate.Source, error)
	Source(ctx context.Context, loop, id string) (loopstate.Source, error)
	ReadSpan(ctx context.Context, loop, id string, start, end int) (loops.Span, error)
	ReportText(ctx context.Context, loop, format string) (string, error)
	CompleteLoop(ctx context.Context, typed string, limit int) (ids []string, total int, err error)
	CompleteSource(ctx context.Context, loop, typed string, limit int) (ids []string, total int, err error)
}

// Handler answers for the loops as resources.
type Handler struct {
	svc       Loops
	logger    *slog.Logger
	followers *followers
}

// New makes the handler. A server is told of it in three steps: [Handler.Options] and [Handler.Hook] before it is
// made, [Handler.Register] after.
func New(svc Loops, logger *slog.Logger) *Handler {
	h := &Handler{svc: svc, logger: logger, followers: newFollowers(svc, logger)}
	h.followers.find = h.missing
	return h
}

const (
	// fixedFor is how long a client may keep what never changes: a stored text. It is not for ever, because a
	// loop can be deleted.
	fixedFor = time.Hour
	// templatesFor is how long it may keep the templates, which change with the release.
	templatesFor = 5 * time.Minute
)

// Options are the server's options for resources.
func (h *Handler) Options() []server.ServerOption {
	return []server.ServerOption{
		server.WithResourceCapabilities(true, true),
		server.WithResourceCompletionProvider(completions{h}),
		server.WithMethodCacheHints(mcp.MethodResourcesTemplatesList, templatesFor.Milliseconds(), mcp.CacheScopePublic),
	}
}

// Hook adds what the library leaves to hooks.
func (h *Handler) Hook(hooks *server.Hooks) {
	hooks.AddBeforeListResources(h.checkCursor)
	hooks.AddAfterListResources(h.fillList)
	hooks.AddBeforeReadResource(h.locate)
	hooks.AddAfterReadResource(func(ctx context.Context, _ any, req *mcp.ReadResourceRequest, result *mcp.ReadResourceResult) {
		if a, ok := parseAddress(req.Params.URI); ok && a.fixed() && server.IsModernRequest(ctx) {
			result.SetCacheHints(fixedFor.Milliseconds(), mcp.CacheScopePrivate)
		}
	})
	h.followers.hook(hooks)
}

// Register adds the templates, and the one resource that everybody has.
func (h *Handler) Register(s *server.MCPServer) {
	s.AddResource(listOfAll(), h.read)
	for _, t := range templates() {
		options := []mcp.ResourceTemplateOption{mcp.WithTemplateTitle(t.title), mcp.WithTemplateDescription(t.description), mcp.WithTemplateMIMEType(t.mediaType)}
		tmpl := mcp.NewResourceTemplate(t.uri, t.name, options...)
		if t.strangers {
			tmpl.Meta = mcp.NewMetaFromMap(strangersMeta())
		}
		s.AddResourceTemplate(tmpl, h.read)
	}
}

// locate looks whether an address leads anywhere for the caller. Where it does not, the library gets one that it
// does not know, with why: whatever is asked about others' loops is answered as if there were none.
func (h *Handler) locate(ctx context.Context, _ any, req *mcp.ReadResourceRequest) {
	defer h.recovered(ctx, "resources/read")
	if why := h.missing(ctx, req.Params.URI); why != "" {
		// Blanks and parentheses match no template.
		req.Params.URI = fmt.Sprintf("%s (%s)", clip(req.Params.URI), why)
	} else if !ours(req.Params.URI) && len(req.Params.URI) > loopstate.MaxURLChars {
		req.Params.URI = clip(req.Params.URI) // the library repeats it whole
	}
}

// missing says why an address of ours leads nowhere, or nothing. A fault of the store is no such reason: reading
// meets it again and answers it. Other addresses are the library's to answer, which knows what else is mounted.
func (h *Handler) missing(ctx context.Context, uri string) string {
	if !ours(uri) {
		return ""
	}
	a, ok := parseAddress(uri)
	if !ok {
		return "no resource is spelled like this; resources/list and resources/templates/list show those there are"
	}
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	if mistake := tools.MistakeIn(h.find(ctx, a)); mistake != nil {
		return mistake.Error()
	}
	return ""
}

func (h *Handler) find(ctx context.Context, a address) error {
	switch a.part {
	case partList:
		return nil
	case partSource, partSpan:
		src, err := h.svc.Source(ctx, a.loop, a.source)
		if err != nil {
			return err
		}
		return loops.CheckSpan(src, a.start, a.end)
	}
	_, err := h.svc.Pulse(ctx, a.loop)
	return err
}

// errFailed is what a client sees of an error that was not written for it.
var errFailed = errors.New("citeloop could not read this resource; its log says why. Try again; if this persists, read the log (stderr)")

// read is the handler of all resources.
func (h *Handler) read(ctx context.Context, req mcp.ReadResourceRequest) (contents []mcp.ResourceContents, err error) {
	defer func() {
		if p := recover(); p != nil {
			h.logger.ErrorContext(ctx, "a resource panicked", "panic", p, "stack", string(debug.Stack()))
			contents, err = nil, errFailed
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	a, ok := parseAddress(req.Params.URI)
	if !ok { // locate was here before
		return nil, errFailed
	}
	contents, err = h.contents(ctx, a)
	return contents, h.shown(ctx, err)
}

// shown is what a client sees of an error: the text of those that were written for it, or a fixed one.
func (h *Handler) shown(ctx context.Context, err error) error {
	mistake := tools.MistakeIn(err)
	var unverified *loops.UnverifiedError
	switch {
	case err == nil:
		return nil
	case mistake != nil:
		return mistake
	case errors.As(err, &unverified):
		return fmt.Errorf("%w; this resource has only what passed: fix the text, or call loop_report with allow_unverified", unverified)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("reading the resource took longer than %s and was ended; try again", tools.CallTimeout)
	case errors.Is(err, context.Canceled):
		return errors.New("the call was cancelled")
	}
	h.logger.ErrorContext(ctx, "a resource failed", "error", err)
	return errFailed
}

// recovered keeps a panic of a hook in the log. The library would show its text to the client, or end the
// connection.
func (h *Handler) recovered(ctx context.Context, where string) {
	if p := recover(); p != nil {
		h.logger.ErrorContext(ctx, "a hook panicked", "where", where, "panic", p, "stack", string(debug.Stack()))
	}
}

// clip shortens foreign words that an error repeats.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}
