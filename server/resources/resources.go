// Package resources serves the caller's loops as MCP resources: the brief of a loop and its report. Clients find the addresses through
// resources/list and the templates.
//
// mcp-go keeps one fixed list of resources for all callers, and answers every error of a handler as an internal error.
// Here each owner has own resources, so hooks do the rest: they fill in the caller's list, and replace an address that is
// unknown to the caller by one that is unknown to the library, which then answers with the error code of the client's
// protocol version.
package resources

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
	reports "github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

const (
	// Root begins all addresses.
	Root        = "citeloop://loops/"
	brief       = "brief"
	report      = "report"
	mediaType   = "text/markdown"
	listedLoops = 50 // by resources/list, because hosts let models list resources; loop_list has all
	maxShownURI = 80 // of an unknown address in an error
)

// Templates returns the URI templates of all kinds of resources.
func Templates() []string {
	return []string{Root + "{state_id}/" + brief, Root + "{state_id}/" + report}
}

// Handler serves the loops as resources.
type Handler struct {
	svc    *loops.Service
	logger *slog.Logger
}

// New makes a handler. Call [Handler.Hook] before making the server, and [Handler.Register] after.
func New(svc *loops.Service, logger *slog.Logger) *Handler { return &Handler{svc, logger} }

// Hook adds the hooks that the package documentation describes.
func (h *Handler) Hook(hooks *server.Hooks) {
	hooks.AddAfterListResources(h.fillList)
	hooks.AddBeforeReadResource(h.locate)
}

// Register adds the templates. One handler reads them all, because the library matches them in no particular order.
func (h *Handler) Register(s *server.MCPServer) {
	about := map[string][2]string{
		brief: {"Brief of a loop", "What it takes to continue a loop: decision, open gaps, sources, claims to fix."},
		report: {"Report of a loop",
			"The report with its receipts, verified again; an error if verification fails."},
	}
	for _, uri := range Templates() {
		name := uri[strings.LastIndexByte(uri, '/')+1:]
		s.AddResourceTemplate(mcp.NewResourceTemplate(uri, name, mcp.WithTemplateTitle(about[name][0]),
			mcp.WithTemplateDescription(about[name][1]), mcp.WithTemplateMIMEType(mediaType)), h.read)
	}
}

// fillList adds the resources of the caller's loops to the library's list, last changed first.
func (h *Handler) fillList(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	heads, err := h.svc.Heads(ctx)
	if err != nil { // a hook cannot return it; reading the list does
		h.logger.ErrorContext(ctx, "listing loops as resources failed", "error", err)
		return
	}
	for _, head := range heads[:min(listedLoops, len(heads))] {
		result.Resources = append(result.Resources, entry(head, brief, "Brief"))
		if head.Status == loopstate.StatusFinished {
			result.Resources = append(result.Resources, entry(head, report, "Report"))
		}
	}
}

func entry(head loopstate.Head, part, title string) mcp.Resource {
	name := head.Loop + "/" + part
	return mcp.NewResource(Root+name, name, mcp.WithResourceTitle(title+": "+sanitize.Short(head.Query, 80)),
		mcp.WithMIMEType(mediaType), mcp.WithLastModified(head.UpdatedAt.UTC().Format(time.RFC3339)))
}

var addressPattern = lazyregexp.New(`^` + Root + `([A-Za-z0-9-]{1,64})/(` + brief + `|` + report + `)$`)

// locate replaces an address that is unknown to the caller by one that is unknown to the library, with the reason. The
// loops of other owners are therefore answered as unknown.
func (h *Handler) locate(ctx context.Context, _ any, req *mcp.ReadResourceRequest) {
	if why := h.missing(ctx, req.Params.URI); why != "" {
		// Spaces and parentheses match no template.
		req.Params.URI = fmt.Sprintf("%s (%s)", sanitize.Short(req.Params.URI, maxShownURI), why)
	} else if len(req.Params.URI) > loopstate.MaxURLChars {
		req.Params.URI = sanitize.Short(req.Params.URI, maxShownURI) // the library repeats it in full
	}
}

// missing returns why one of our addresses is unknown to the caller, or "". It ignores errors of the store: reading
// meets them again and reports them. The library answers for all other addresses.
func (h *Handler) missing(ctx context.Context, uri string) string {
	scheme, _, _ := strings.Cut(Root, "/")
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return ""
	}
	parts := addressPattern.FindStringSubmatch(uri)
	if parts == nil {
		return "unknown resource; see resources/list and resources/templates/list"
	}
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	_, err := h.svc.Revision(ctx, parts[1])
	if mistake := tools.MistakeIn(err); mistake != nil {
		return mistake.Error()
	}
	return ""
}

func (h *Handler) read(ctx context.Context, req mcp.ReadResourceRequest) (_ []mcp.ResourceContents, err error) {
	defer tools.HideFault(ctx, h.logger, "a resource", &err)
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	parts := addressPattern.FindStringSubmatch(req.Params.URI)
	if parts == nil {
		return nil, errors.New("resources: locate passed an invalid address")
	}
	var text string
	if parts[2] == report {
		var doc reports.Document
		if doc, err = h.svc.Report(ctx, loops.ReportInput{Loop: parts[1]}); err == nil {
			var written strings.Builder
			err = reports.Write(&written, reports.Markdown, doc)
			text = written.String()
		}
	} else {
		var v loops.View
		if v, err = h.svc.State(ctx, loops.ViewInput{Loop: parts[1]}); err == nil {
			text, err = Brief(v)
		}
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: mediaType, Text: text}}, err
}

//go:embed brief.gomd
var briefText string

type briefList struct {
	Title string
	Items []string
}

var briefTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("brief").Funcs(template.FuncMap{"short": sanitize.Short,
		"list": func(title string, items []string) briefList { return briefList{title, items} }}).Parse(briefText))
})

// Brief renders the brief of a loop as Markdown, with the same items as the JSON.
func Brief(v loops.View) (string, error) {
	var b strings.Builder
	err := briefTemplate().Execute(&b, v)
	return strings.TrimRight(b.String(), "\n") + "\n", err
}
