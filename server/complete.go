package server

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/resources"
	"github.com/citeloop/citeloop/tools"
)

// maxCompletions is the protocol's limit for the values of a completion.
const maxCompletions = 100

// completions completes the arguments of prompts and the variables of resource templates: the ids of the caller's loops
// and their sources, and the names of the angles.
type completions struct {
	svc    *loops.Service
	logger *slog.Logger
}

// CompletePromptArgument implements the library's provider. An unknown prompt or argument has no completions: an error
// would interrupt the user's typing.
func (c completions) CompletePromptArgument(ctx context.Context, prompt string, argument mcp.CompleteArgument,
	_ mcp.CompleteContext) (_ *mcp.Completion, err error) {
	defer resources.HideFault(ctx, c.logger, "completion", &err)
	none := &mcp.Completion{Values: []string{}} // not null
	i := slices.IndexFunc(prompts.All(), func(p prompts.Prompt) bool { return p.Name == prompt })
	if i < 0 || !slices.ContainsFunc(prompts.All()[i].Arguments, func(a prompts.Argument) bool { return a.Name == argument.Name }) {
		return none, nil
	}
	switch argument.Name {
	case prompts.ArgStateID:
		return c.ids(ctx, func(ctx context.Context) ([]string, int, error) {
			return c.svc.CompleteLoop(ctx, argument.Value, maxCompletions)
		})
	case prompts.ArgAngle:
		typed := strings.ToLower(strings.TrimSpace(argument.Value))
		for _, name := range prompts.AngleNames() {
			if lower := strings.ToLower(name); strings.HasPrefix(lower, typed) || strings.HasPrefix(strings.TrimPrefix(lower, "by"),
				typed) {
				none.Values = append(none.Values, name)
			}
		}
		none.Total = len(none.Values)
	}
	return none, nil
}

// CompleteResourceArgument implements the library's provider.
func (c completions) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument,
	given mcp.CompleteContext) (_ *mcp.Completion, err error) {
	defer resources.HideFault(ctx, c.logger, "completion", &err)
	if !slices.Contains(resources.Templates(), uri) {
		return nil, &wording.Mistake{Argument: "ref.uri", Problem: "unknown template",
			Remedy: "list the templates with resources/templates/list"}
	}
	return c.ids(ctx, func(ctx context.Context) (ids []string, total int, err error) {
		switch argument.Name {
		case resources.VarLoop:
			ids, total, err = c.svc.CompleteLoop(ctx, argument.Value, maxCompletions)
		case resources.VarSource:
			ids, total, err = c.svc.CompleteSource(ctx, given.Arguments[resources.VarLoop], argument.Value, maxCompletions)
			if loopstate.Has(err, loopstate.CodeUnknownLoop) { // no sources to offer
				err = nil
			}
		}
		return ids, total, err
	})
}

// ids answers with the ids that find returns within the time of a call.
func (c completions) ids(ctx context.Context, find func(context.Context) ([]string, int, error)) (*mcp.Completion, error) {
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	ids, total, err := find(ctx)
	if err != nil {
		return nil, err
	}
	return &mcp.Completion{Values: append([]string{}, ids...), Total: total, HasMore: total > len(ids)}, nil
}
