package server

import (
	"context"
	"log/slog"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/tools"
)

// completions completes the argument state_id of prompts and resource templates with the caller's loops.
type completions struct {
	svc    *loops.Service
	logger *slog.Logger
}

// CompletePromptArgument implements the library's provider. Other arguments have no completions.
func (c completions) CompletePromptArgument(ctx context.Context, _ string, argument mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	return c.loops(ctx, argument)
}

// CompleteResourceArgument implements the library's provider.
func (c completions) CompleteResourceArgument(ctx context.Context, _ string, argument mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	return c.loops(ctx, argument)
}

// loops answers with the loops, last changed first, whose id starts with what was typed or whose question has it.
func (c completions) loops(ctx context.Context, argument mcp.CompleteArgument) (_ *mcp.Completion, err error) {
	const most = 100                             // values; a limit of the protocol
	found := &mcp.Completion{Values: []string{}} // not null
	if argument.Name != prompts.ArgStateID {
		return found, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
	defer cancel()
	defer tools.HideFault(ctx, c.logger, "completion", &err)
	heads, err := c.svc.Heads(ctx)
	typed := strings.ToLower(strings.TrimSpace(argument.Value))
	for _, h := range heads {
		if !strings.HasPrefix(h.Loop, typed) && !strings.Contains(strings.ToLower(h.Query), typed) {
			continue
		}
		if found.Total++; len(found.Values) < most {
			found.Values = append(found.Values, h.Loop)
		}
	}
	found.HasMore = found.Total > len(found.Values)
	return found, err
}
