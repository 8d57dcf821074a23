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
// a loop needs write. Its hints do not count: readOnlyHint tells hosts that a tool does not change the user's own data.
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

// admission tells the authorizer what was checked before a call was decoded.
type admission struct {
	refused error // nil: the call may run
}

type admissionKey struct{}

// authorizer rejects calls that exceed their caller's scopes or their owner's limits.
type authorizer struct {
	needs map[string]access.Scopes // by tool
	meter *access.Meter            // nil: no limits
}

func (a authorizer) middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := a.scope(ctx, req.Params.Name); err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		admitted, _ := ctx.Value(admissionKey{}).(*admission)
		if admitted == nil { // stdio
			end, err := a.begin(ctx)
			if err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
			defer end()
		} else if admitted.refused != nil {
			return mcp.NewToolResultError(admitted.refused.Error()), nil
		}
		return next(ctx, req)
	}
}

// scope checks that the caller may call a tool.
func (a authorizer) scope(ctx context.Context, tool string) error {
	have := access.ScopesOf(ctx)
	if missing := a.needs[tool] &^ have; missing != 0 {
		return fmt.Errorf("%s needs the scope %s, and the token of this call has only %s; ask the operator of this server for a token with more scopes; nothing was done", tool, missing, have)
	}
	return nil
}

// begin counts a call of the owner; end must be called after it.
func (a authorizer) begin(ctx context.Context) (end func(), err error) {
	if a.meter == nil {
		return func() {}, nil
	}
	if end, err = a.meter.Begin(loops.OwnerOf(ctx)); err != nil {
		return nil, fmt.Errorf("too many calls: %w", err)
	}
	return end, nil
}
