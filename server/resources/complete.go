package resources

import (
	"context"
	"runtime/debug"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// maxCompletions is how many values the protocol lets a completion carry.
const maxCompletions = 100

// completions completes the placeholders of the templates.
type completions struct{ *Handler }

// CompleteResourceArgument implements the library's provider.
func (c completions) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, given mcp.CompleteContext) (_ *mcp.Completion, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.logger.ErrorContext(ctx, "a completion panicked", "panic", p, "stack", string(debug.Stack()))
			err = errFailed
		}
	}()
	if !slices.ContainsFunc(templates(), func(t template) bool { return t.uri == uri }) {
		return nil, &wording.Mistake{Argument: "ref.uri", Problem: "unknown template", Remedy: "resources/templates/list shows them"}
	}
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	var ids []string
	var total int
	switch argument.Name {
	case varLoop:
		ids, total, err = c.svc.CompleteLoop(ctx, argument.Value, maxCompletions)
	case varSource:
		ids, total, err = c.svc.CompleteSource(ctx, given.Arguments[varLoop], argument.Value, maxCompletions)
		if loopstate.Has(err, loopstate.CodeUnknownLoop) { // an unknown loop, or none yet, has no sources to offer
			err = nil
		}
	}
	if err != nil {
		return nil, c.shown(ctx, err)
	}
	return &mcp.Completion{Values: append([]string{}, ids...), Total: total, HasMore: total > len(ids)}, nil
}
