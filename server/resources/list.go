package resources

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/tools"
)

// listTokens bounds a page of resources/list, because hosts let models list resources.
const listTokens = views.AnswerTokens - 500

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

// weightOf estimates the tokens of an entry.
func weightOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return views.EstimateTokens(string(b))
}
