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

// addPrompts registers the prompts. They name all tools, so a server with a part of them has only that of a reader, which needs one.
func addPrompts(s *server.MCPServer, svc *loops.Service, logger *slog.Logger, missing []string) {
	for _, p := range prompts.All() {
		if len(missing) > 0 && (p.Name != "reviewer" || slices.Contains(missing, "review_claims")) {
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
