package resources

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// listTokens bounds a page of resources/list: hosts let models list resources.
const listTokens = loops.AnswerTokens - 500

func listOfAll() mcp.Resource {
	return mcp.NewResource(Root, "loops", mcp.WithResourceTitle("Research loops"),
		mcp.WithResourceDescription("Your research loops, last changed first: question, round, status."), mcp.WithMIMEType("application/json"))
}

// entriesOf are the resources of a loop that are worth listing; the templates have the others.
func entriesOf(head loopstate.Head) []mcp.Resource {
	question := oneLine(head.Query, 80)
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

// The cursor of a page is the id of its last loop. Loops are listed by id, the last begun first, because the order
// of change would move loops from one page to another while a client turns them.

var cursorEncoding = base64.StdEncoding // what the library decodes before the list is ours

// checkCursor makes the library refuse a cursor that is none of ours: it knows which error that is.
func (h *Handler) checkCursor(_ context.Context, _ any, req *mcp.ListResourcesRequest) {
	if c := string(req.Params.Cursor); c != "" {
		if id, err := cursorEncoding.DecodeString(c); err != nil || !idSegment.Match(id) {
			req.Params.Cursor = "?"
		}
	}
}

// fillList adds the caller's own to the library's list, which has what everybody has.
func (h *Handler) fillList(ctx context.Context, _ any, req *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	defer h.recovered(ctx, "resources/list")
	after, err := cursorEncoding.DecodeString(string(req.Params.Cursor))
	if err != nil { // the library was here before
		return
	}
	if len(after) > 0 { // it stood on the first page
		result.Resources = []mcp.Resource{}
	}
	reading, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	heads, err := h.svc.Heads(reading)
	if err != nil {
		// A hook cannot answer an error. Reading the one entry that is left says that something is wrong.
		h.logger.ErrorContext(ctx, "the loops could not be listed as resources", "error", err)
		return
	}
	if !server.IsModernRequest(ctx) {
		h.followers.listed(ctx, heads)
	}
	room := listTokens
	var last string
	for _, head := range newestFirst(heads) {
		if len(after) > 0 && head.Loop >= string(after) {
			continue
		}
		entries := entriesOf(head)
		if room -= weightOf(entries); room < 0 && last != "" {
			result.NextCursor = mcp.Cursor(cursorEncoding.EncodeToString([]byte(last)))
			return
		}
		result.Resources, last = append(result.Resources, entries...), head.Loop
	}
}

// newestFirst orders loops by when they began, which their ids tell.
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
	return loops.EstimateTokens(string(b))
}
