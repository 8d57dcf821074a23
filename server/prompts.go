package server

import (
	"context"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/tools"
)

// promptOptions returns the server's options for the prompts in their order, which the library would lose.
func promptOptions() []server.ServerOption {
	var order []string
	for _, p := range prompts.All() {
		order = append(order, p.Name)
	}
	return []server.ServerOption{
		server.WithPromptCapabilities(false),
		server.WithPromptFilter(func(_ context.Context, list []mcp.Prompt) []mcp.Prompt {
			return inOrder(list, order, mcp.Prompt.GetName)
		}),
	}
}

// addPrompts registers the prompts that name none of the missing tools.
func addPrompts(s *server.MCPServer, svc *loops.Service, logger *slog.Logger, missing []string) {
	for _, p := range prompts.All() {
		if slices.ContainsFunc(missing, p.Names) {
			continue
		}
		options := []mcp.PromptOption{mcp.WithPromptTitle(p.Title), mcp.WithPromptDescription(p.Description)}
		for _, a := range p.Arguments {
			about := []mcp.ArgumentOption{mcp.ArgumentDescription(a.Description)}
			if a.Required {
				about = append(about, mcp.RequiredArgument())
			}
			options = append(options, mcp.WithArgument(a.Name, about...))
		}
		s.AddPrompt(mcp.NewPrompt(p.Name, options...), func(ctx context.Context, req mcp.GetPromptRequest) (_ *mcp.GetPromptResult,
			err error) {
			defer tools.HideFault(ctx, logger, "prompt "+p.Name, &err)
			ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
			defer cancel()
			text, err := svc.Prompt(ctx, p, req.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return mcp.NewGetPromptResult(p.Description, []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}),
				nil
		})
	}
}

// inOrder returns a list sorted by the order of its names. The library sorts tools and prompts by name, but a model pays
// most attention to the first ones.
func inOrder[T any](list []T, order []string, name func(T) string) []T {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b T) int { return slices.Index(order, name(a)) - slices.Index(order, name(b)) })
	return sorted
}
