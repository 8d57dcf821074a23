// Package server puts the tools behind MCP's transports: stdio, and streamable HTTP on loopback. It knows
// transports, limits and who is calling, and nothing of research loops.
package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/loops"
	"github.com/citeloop/citeloop/tools"
)

// Option changes how the server is assembled.
type Option func(*settings)

type settings struct{ key []byte }

// WithKey sets the key that signs what a client carries from one call to the next: at least MinKeyBytes random
// bytes, the same for replicas that answer each other's calls. By default each server draws its own.
func WithKey(key []byte) Option { return func(s *settings) { s.key = key } }

// New assembles the MCP server over the use cases. It speaks both eras of the protocol: clients that
// initialize (up to 2025-11-25) and those of 2026-07-28 that do not.
func New(svc *loops.Service, version string, logger *slog.Logger, options ...Option) (*server.MCPServer, error) {
	set := settings{key: make([]byte, MinKeyBytes)}
	if _, err := rand.Read(set.key); err != nil {
		return nil, fmt.Errorf("server: drawing a key: %w", err)
	}
	for _, o := range options {
		o(&set)
	}
	if len(set.key) < MinKeyBytes {
		return nil, fmt.Errorf("server: the key has %d bytes, at least %d are needed", len(set.key), MinKeyBytes)
	}
	all, err := tools.All(svc, logger)
	if err != nil {
		return nil, err
	}
	order := make([]string, len(all))
	for i, t := range all {
		order[i] = t.Tool.Name
	}
	hooks, res := &server.Hooks{}, newResources(svc, logger)
	res.hook(hooks)
	library := append(promptOptions(svc, logger), res.options()...)
	library = append(library,
		server.WithHooks(hooks),
		server.WithTitle("citeloop"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false),
		server.WithToolFilter(func(_ context.Context, list []mcp.Tool) []mcp.Tool { return inOrder(list, order) }),
		server.WithToolHandlerMiddleware(asking{sealedStates(set), logger}.middleware),
	)
	s := server.NewMCPServer("citeloop", version, library...)
	s.AddTools(all...)
	addPrompts(s, svc, logger)
	res.register(s)
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
