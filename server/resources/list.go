package resources

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// listTokens bounds a page of resources/list, because hosts let models list resources.
const listTokens = views.AnswerTokens - 500

func listOfAll() mcp.Resource {
	return mcp.NewResource(Root, "loops", mcp.WithResourceTitle("Research loops"),
		mcp.WithResourceDescription("Your research loops, last changed first: question, round, status."), mcp.WithMIMEType("application/json"))
}

// entriesOf returns the resources of a loop that the list shows; the templates cover the others.
func entriesOf(head loopstate.Head) []mcp.Resource {
	question := sanitize.Short(head.Query, 80)
	changed := head.UpdatedAt.UTC().Format(rfc3339)
	entry := func(p part, title, mediaType string) mcp.Resource {
		a := address{part: p, loop: head.Loop}
		return mcp.NewResource(a.String(), strings.TrimPrefix(a.String(), Root+"/"), mcp.WithResourceTitle(title+": "+question), mcp.WithMIMEType(mediaType), mcp.WithLastModified(changed))
	}
	entries := []mcp.Resource{entry(partBrief, "Brief", "text/markdown")}
	if head.Round > 0 {
		entries = append(entries, entry(partConvergence, "Convergence", "image/svg+xml"))
	}
	if head.Status == loopstate.StatusFinished {
		entries = append(entries, entry(partReport, "Report", "text/markdown"))
	}
	return entries
}

// The cursor of a page is the id of its last loop. Loops are listed by id, newest first: in order of change, loops would
// move between pages while a client reads them.

var cursorEncoding = base64.StdEncoding // the library decodes cursors too

// checkCursor replaces an unknown cursor by an invalid one, so that the library answers with the right error.
func (h *Handler) checkCursor(_ context.Context, _ any, req *mcp.ListResourcesRequest) {
	if c := string(req.Params.Cursor); c != "" {
		if id, err := cursorEncoding.DecodeString(c); err != nil || !idSegment.Match(id) {
			req.Params.Cursor = "?"
		}
	}
}

// fillList adds the caller's resources to the library's list.
func (h *Handler) fillList(ctx context.Context, _ any, req *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	defer logPanic(ctx, h.logger, "resources/list")
	after, err := cursorEncoding.DecodeString(string(req.Params.Cursor))
	if err != nil { // the library has rejected it
		return
	}
	if len(after) > 0 { // the first page has the library's own
		result.Resources = []mcp.Resource{}
	}
	reading, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	heads, err := h.svc.Heads(reading)
	if err != nil {
		// A hook cannot return an error. Reading the remaining entry reports it.
		h.logger.ErrorContext(ctx, "listing loops as resources failed", "error", err)
		return
	}
	if !server.IsModernRequest(ctx) {
		h.followers.listed(ctx, heads)
	}
	left := listTokens
	var last string
	for _, head := range newestFirst(heads) {
		if len(after) > 0 && head.Loop >= string(after) {
			continue
		}
		entries := entriesOf(head)
		if left -= weightOf(entries); left < 0 && last != "" {
			result.NextCursor = mcp.Cursor(cursorEncoding.EncodeToString([]byte(last)))
			return
		}
		result.Resources, last = append(result.Resources, entries...), head.Loop
	}
}

// newestFirst sorts loops by their start, which their ids contain.
func newestFirst(heads []loopstate.Head) []loopstate.Head {
	sorted := slices.Clone(heads)
	slices.SortFunc(sorted, func(a, b loopstate.Head) int { return strings.Compare(b.Loop, a.Loop) })
	return sorted
}

// weightOf estimates the tokens of an entry.
func weightOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return views.EstimateTokens(string(b))
}
