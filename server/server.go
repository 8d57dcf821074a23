// Package server puts the tools behind MCP's transports: stdio, and streamable HTTP on loopback. It knows
// transports and limits, and nothing of research loops.
package server

import (
	"context"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/loops"
	"github.com/citeloop/citeloop/tools"
)

// New assembles the MCP server over the use cases. It speaks both eras of the protocol: clients that
// initialize (up to 2025-11-25) and those of 2026-07-28 that do not.
func New(svc *loops.Service, version string, logger *slog.Logger) (*server.MCPServer, error) {
	all, err := tools.All(svc, logger)
	if err != nil {
		return nil, err
	}
	order := make([]string, len(all))
	for i, t := range all {
		order[i] = t.Tool.Name
	}
	options := append(promptOptions(svc, logger),
		server.WithTitle("citeloop"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false),
		server.WithToolFilter(func(_ context.Context, list []mcp.Tool) []mcp.Tool { return inOrder(list, order) }),
	)
	s := server.NewMCPServer("citeloop", version, options...)
	s.AddTools(all...)
	addPrompts(s, svc, logger)
	return s, nil
}

// inOrder puts the tools as tools.All has them. The library sorts them by name, and a model reads the first
// ones most.
func inOrder(list []mcp.Tool, order []string) []mcp.Tool {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b mcp.Tool) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return sorted
}
