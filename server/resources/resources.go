// Package resources serves the caller's loops as MCP resources: the state of a loop, its rounds, its report and the texts
// of its sources. Clients find the addresses through resources/list and the templates, and can subscribe to changes.
//
// The library keeps one fixed list of resources for all callers, answers every error of a handler as an internal error,
// and does not send updates for subscriptions. Here each owner has own resources, so hooks do the rest. They fill in the
// caller's list, replace an address that is unknown to the caller by one that is unknown to the library (which then
// answers with the error code of the client's protocol version), and feed the subscriptions.
package resources

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// New makes a handler. Call [Handler.Options] and [Handler.Hook] before making the server, and [Handler.Register]
// after.
func New(svc Loops, logger *slog.Logger) *Handler {
	h := &Handler{svc: svc, logger: logger, followers: newFollowers(svc, logger)}
	h.followers.unknown = h.missing
	return h
}

const (
	// fixedFor is how long a client may cache a stored text, which never changes. It is bounded because loops can be
	// deleted.
	fixedFor = time.Hour
	// templatesFor is how long it may cache the templates, which change with the release.
	templatesFor = 5 * time.Minute
)

// Options returns the server's options for resources.
func (h *Handler) Options() []server.ServerOption {
	return []server.ServerOption{
		server.WithResourceCapabilities(true, true),
		server.WithMethodCacheHints(mcp.MethodResourcesTemplatesList, templatesFor.Milliseconds(), mcp.CacheScopePublic),
	}
}

// Hook adds the hooks that the package documentation describes.
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

// Register adds the templates, and the list of loops.
func (h *Handler) Register(s *server.MCPServer) {
	s.AddResource(listOfAll(), h.read)
	for _, t := range templates() {
		options := []mcp.ResourceTemplateOption{mcp.WithTemplateTitle(t.title), mcp.WithTemplateDescription(t.description), mcp.WithTemplateMIMEType(t.mediaType)}
		tmpl := mcp.NewResourceTemplate(t.uri, t.name, options...)
		if t.untrusted {
			tmpl.Meta = mcp.NewMetaFromMap(untrustedMeta())
		}
		s.AddResourceTemplate(tmpl, h.read)
	}
}

// locate replaces an address that is unknown to the caller by one that is unknown to the library, with the reason. The
// loops of other owners are therefore answered as unknown.
func (h *Handler) locate(ctx context.Context, _ any, req *mcp.ReadResourceRequest) {
	defer logPanic(ctx, h.logger, "resources/read")
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
	_, err := h.svc.Revision(ctx, a.loop)
	return err
}

// maxShownURI is how many characters of an unknown address an error repeats.
const maxShownURI = 80

// read is the handler of all resources.
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
