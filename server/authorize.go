package server

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools"
)

// scopesFor returns the scopes that a tool requires: an open-world tool needs web, and a tool that writes to the log of
// a loop needs write, whatever its hints say: readOnlyHint tells hosts that a tool leaves their user's things alone.
func scopesFor(name string, a mcp.ToolAnnotation) access.Scopes {
	need := access.Read
	if tools.WritesLog(name) {
		need |= access.Write
	}
	if a.OpenWorldHint == nil || *a.OpenWorldHint {
		need |= access.Web
	}
	return need
}

// authorizer rejects calls that exceed their caller's scopes or their owner's limits.
type authorizer struct {
	needs map[string]access.Scopes // by tool
	meter *access.Meter            // nil: no limits
}

func (a authorizer) middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		have, need := access.ScopesOf(ctx), a.needs[req.Params.Name]
		if missing := need &^ have; missing != 0 {
			return mcp.NewToolResultError(fmt.Sprintf("%s needs the scope %s, and the token of this call has only %s; ask the operator of this server for a token with more scopes. Nothing was done.", req.Params.Name, missing, have)), nil
		}
		if a.meter != nil {
			end, err := a.meter.Begin(loops.OwnerOf(ctx))
			if err != nil {
				return mcp.NewToolResultError(fmt.Sprintf("too many calls: %v, then retry. Nothing was done.", err)), nil
			}
			defer end()
		}
		return next(ctx, req)
	}
}
