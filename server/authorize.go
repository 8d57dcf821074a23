package server

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// scopesFor is what a caller needs for a tool, by what the tool says of itself: one that reaches the world
// needs the web, and one that changes anything may write.
func scopesFor(a mcp.ToolAnnotation) access.Scopes {
	need := access.Read
	if a.ReadOnlyHint == nil || !*a.ReadOnlyHint {
		need |= access.Write
	}
	if a.OpenWorldHint == nil || *a.OpenWorldHint {
		need |= access.Web
	}
	return need
}

// allowed lets calls through that their caller may make, and not more of them than an owner may.
type authorizer struct {
	needs map[string]access.Scopes // by tool
	meter *access.Meter            // nil: nobody counts
}

func (a authorizer) middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		have, need := access.ScopesOf(ctx), a.needs[req.Params.Name]
		if missing := need &^ have; missing != 0 {
			return mcp.NewToolResultError(fmt.Sprintf("%s needs the scope %s, and the token of this call has only %s. Ask whoever runs this server for a token that may do more; nothing was done.", req.Params.Name, missing, have)), nil
		}
		if a.meter != nil {
			end, err := a.meter.Begin(loops.OwnerOf(ctx))
			if err != nil {
				return mcp.NewToolResultError(fmt.Sprintf("too many calls: %v, then call again. Nothing was done.", err)), nil
			}
			defer end()
		}
		return next(ctx, req)
	}
}
