// Package resources serves the caller's loops as MCP resources: the brief of a loop, its report and the texts of its
// sources. Clients find the addresses through resources/list and the templates.
//
// mcp-go keeps one fixed list of resources for all callers, and answers every error of a handler as an internal error.
// Here each owner has own resources, so hooks do the rest: they fill in the caller's list, and replace an address that is
// unknown to the caller by one that is unknown to the library, which then answers with the error code of the client's
// protocol version.
package resources

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// Loops is the use cases that the resources need.
type Loops interface {
	Heads(ctx context.Context) ([]loopstate.Head, error)
	State(ctx context.Context, in loops.ViewInput) (loops.View, error)
	Rounds(ctx context.Context, loop string) ([]loopstate.Round, error)
	Source(ctx context.Context, loop, id string) (loopstate.Source, error)
	ReadSpan(ctx context.Context, loop, id string, start, end int) (loops.Span, error)
	ReportText(ctx context.Context, loop, format string) (string, error)
}

// Handler serves the loops as resources.
type Handler struct {
	svc    Loops
	logger *slog.Logger
}

// New makes a handler. Call [Handler.Options] and [Handler.Hook] before making the server, and [Handler.Register] after.
func New(svc Loops, logger *slog.Logger) *Handler { return &Handler{svc, logger} }

const (
	fixedFor     = time.Hour       // how long a client may cache a stored text, which never changes: loops can be deleted
	templatesFor = 5 * time.Minute // and the templates, which change with the release
	pageLoops    = 50              // of resources/list, because hosts let models list resources
	maxShownURI  = 80              // of an unknown address in an error
)

// Options returns the server's options for resources.
func (h *Handler) Options() []server.ServerOption {
	return []server.ServerOption{
		server.WithResourceCapabilities(false, false),
		server.WithMethodCacheHints(mcp.MethodResourcesTemplatesList, templatesFor.Milliseconds(), mcp.CacheScopePublic),
	}
}

// Hook adds the hooks that the package documentation describes.
func (h *Handler) Hook(hooks *server.Hooks) {
	hooks.AddBeforeListResources(func(_ context.Context, _ any, req *mcp.ListResourcesRequest) {
		if id, err := cursorEncoding.DecodeString(string(req.Params.Cursor)); err != nil || len(id) > 0 && !validLoop(string(id)) {
			req.Params.Cursor = "?" // which the library rejects
		}
	})
	hooks.AddAfterListResources(h.fillList)
	hooks.AddBeforeReadResource(h.locate)
	hooks.AddAfterReadResource(func(ctx context.Context, _ any, req *mcp.ReadResourceRequest, result *mcp.ReadResourceResult) {
		if a, ok := parseAddress(req.Params.URI); ok && a.source != "" && server.IsModernRequest(ctx) {
			result.SetCacheHints(fixedFor.Milliseconds(), mcp.CacheScopePrivate)
		}
	})
}

// Register adds the templates.
func (h *Handler) Register(s *server.MCPServer) {
	for _, k := range kinds() {
		tmpl := mcp.NewResourceTemplate(k.uri, k.name, mcp.WithTemplateTitle(k.title),
			mcp.WithTemplateDescription(k.description), mcp.WithTemplateMIMEType(k.mediaType))
		if k.mediaType == "text/plain" {
			tmpl.Meta = mcp.NewMetaFromMap(untrustedMeta())
		}
		s.AddResourceTemplate(tmpl, h.read)
	}
}

// The cursor of a page is the id of its last loop. Loops are listed by id, newest first: in order of change, loops would
// move between pages while a client reads them.
var cursorEncoding = base64.StdEncoding // the library decodes cursors too

func validLoop(id string) bool {
	_, ok := parseAddress(Root + id + "/" + partBrief)
	return ok
}

// fillList adds the caller's resources to the library's list.
func (h *Handler) fillList(ctx context.Context, _ any, req *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	after, err := cursorEncoding.DecodeString(string(req.Params.Cursor))
	if err != nil { // the library has rejected it
		return
	}
	if len(after) > 0 { // the first page has the library's own, of which there are none but in tests
		result.Resources = []mcp.Resource{}
	}
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	heads, err := h.svc.Heads(ctx)
	if err != nil { // a hook cannot return it; reading the list does
		h.logger.ErrorContext(ctx, "listing loops as resources failed", "error", err)
		return
	}
	heads = slices.DeleteFunc(slices.Clone(heads), func(head loopstate.Head) bool { return len(after) > 0 && head.Loop >= string(after) })
	slices.SortFunc(heads, func(a, b loopstate.Head) int { return strings.Compare(b.Loop, a.Loop) })
	if len(heads) > pageLoops {
		heads = heads[:pageLoops]
		result.NextCursor = mcp.Cursor(cursorEncoding.EncodeToString([]byte(heads[pageLoops-1].Loop)))
	}
	for _, head := range heads {
		result.Resources = append(result.Resources, entry(head, partBrief, "Brief"))
		if head.Status == loopstate.StatusFinished {
			result.Resources = append(result.Resources, entry(head, partReport, "Report"))
		}
	}
}

func entry(head loopstate.Head, part, title string) mcp.Resource {
	uri := address{part: part, loop: head.Loop}.String()
	return mcp.NewResource(uri, strings.TrimPrefix(uri, Root), mcp.WithResourceTitle(title+": "+sanitize.Short(head.Query, 80)),
		mcp.WithMIMEType("text/markdown"), mcp.WithLastModified(head.UpdatedAt.UTC().Format(time.RFC3339)))
}

// locate replaces an address that is unknown to the caller by one that is unknown to the library, with the reason. The
// loops of other owners are therefore answered as unknown.
func (h *Handler) locate(ctx context.Context, _ any, req *mcp.ReadResourceRequest) {
	if why := h.missing(ctx, req.Params.URI); why != "" {
		// Spaces and parentheses match no template.
		req.Params.URI = fmt.Sprintf("%s (%s)", sanitize.Short(req.Params.URI, maxShownURI), why)
	} else if !ours(req.Params.URI) && len(req.Params.URI) > loopstate.MaxURLChars {
		req.Params.URI = sanitize.Short(req.Params.URI, maxShownURI) // the library repeats it in full
	}
}

// missing returns why one of our addresses is unknown to the caller, or "". It ignores errors of the store: reading
// meets them again and reports them. The library answers for all other addresses.
func (h *Handler) missing(ctx context.Context, uri string) string {
	if !ours(uri) {
		return ""
	}
	a, ok := parseAddress(uri)
	if !ok {
		return "unknown resource; see resources/list and resources/templates/list"
	}
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	_, err := h.svc.Rounds(ctx, a.loop)
	if err == nil && a.source != "" {
		var src loopstate.Source
		if src, err = h.svc.Source(ctx, a.loop, a.source); err == nil {
			err = loops.CheckSpan(src, a.start, a.end)
		}
	}
	if mistake := tools.MistakeIn(err); mistake != nil {
		return mistake.Error()
	}
	return ""
}

func (h *Handler) read(ctx context.Context, req mcp.ReadResourceRequest) (_ []mcp.ResourceContents, err error) {
	defer HideFault(ctx, h.logger, "resource", &err)
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	a, ok := parseAddress(req.Params.URI)
	if !ok {
		return nil, errors.New("resources: locate passed an invalid address")
	}
	return h.contents(ctx, a)
}

// HideFault is deferred by a handler. It logs a panic or an internal error, and replaces it with an error for clients.
// what names the resource, prompt or completion. Errors that were written for clients pass unchanged.
func HideFault(ctx context.Context, logger *slog.Logger, what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
	if mistake := tools.MistakeIn(*err); *err == nil || mistake != nil {
		if mistake != nil {
			*err = mistake
		}
		return
	}
	var unverified *verify.UnverifiedError
	var store *loopstate.StoreError
	switch {
	case errors.As(*err, &store): // a person can end it, and its text says how
		logger.ErrorContext(ctx, "the store failed", "in", what, "error", *err)
		*err = errors.New(tools.StoreFault(ctx, store))
	case errors.As(*err, &unverified):
		*err = fmt.Errorf("%w; this resource contains verified text only: correct the text, or call loop_report with allow_unverified",
			unverified)
	case errors.Is(*err, context.DeadlineExceeded):
		*err = fmt.Errorf("this %s took longer than %s and timed out; retry", what, tools.CallTimeout)
	case errors.Is(*err, context.Canceled):
		*err = errors.New("the call was cancelled")
	default:
		logger.ErrorContext(ctx, "internal error", "in", what, "error", *err)
		*err = fmt.Errorf("internal error in this %s; retry, and if this persists, read the log (stderr)", what)
	}
}
