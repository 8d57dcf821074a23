// Package server puts the tools behind MCP's transports: stdio, and streamable HTTP. It knows transports, limits
// and who is calling, and nothing of research loops.
package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/apps"
	"github.com/citeloop/citeloop/server/resources"
	"github.com/citeloop/citeloop/tools"
)

// Server is the assembled MCP server. It serves any number of streams and listeners at once.
type Server struct {
	MCP    *server.MCPServer
	key    []byte // signs what clients carry from one call to the next
	logger *slog.Logger
}

// Option changes how the server is assembled.
type Option func(*settings)

type settings struct {
	key    []byte
	meter  *access.Meter
	around []server.ToolHandlerMiddleware
	extras Extras
}

// WithKey sets the key that signs what a client carries from one call to the next: at least MinKeyBytes random
// bytes, the same for replicas that answer each other's calls. By default each server draws its own.
func WithKey(key []byte) Option { return func(s *settings) { s.key = key } }

// WithMeter counts the tool calls of each owner and refuses those that are too many.
func WithMeter(m *access.Meter) Option { return func(s *settings) { s.meter = m } }

// WithMiddleware puts a middleware around every tool call, outside of all others: it sees refused calls too.
func WithMiddleware(m server.ToolHandlerMiddleware) Option {
	return func(s *settings) { s.around = append(s.around, m) }
}

// New assembles the MCP server over the use cases. It speaks both eras of the protocol: clients that
// initialize (up to 2025-11-25) and those of 2026-07-28 that do not.
func New(svc *loops.Service, version string, logger *slog.Logger, options ...Option) (*Server, error) {
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
	all = append(all, set.extras.Tools...)
	order, needs := make([]string, len(all)), map[string]access.Scopes{}
	for i, t := range all {
		order[i], needs[t.Tool.Name] = t.Tool.Name, scopesFor(t.Tool.Annotations)
	}
	hooks, res := &server.Hooks{}, resources.New(svc, logger)
	res.Hook(hooks)
	hooks.AddAfterListResources(withoutApps)
	hooks.AddOnRequestInitialization(rejectHugeNumbers)
	hooks.AddOnRequestInitialization(refuseCancelled)
	hooks.AddBeforeAny(noteBegun)
	library := append(promptOptions(svc, logger, set.extras.promptNames()), res.Options()...)
	library = append(library,
		server.WithHooks(hooks),
		server.WithTitle("citeloop"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false),
		server.WithToolFilter(func(ctx context.Context, list []mcp.Tool) []mcp.Tool { return withApps(ctx, inOrder(list, order)) }),
		server.WithExtensions(map[string]any{apps.Extension: map[string]any{}}),
	)
	library = append(library, set.extras.Library...)
	own := elicitor{states: sealedStates{set.key}, tools: needs, logger: logger}
	for _, m := range append(set.around, authorizer{needs, set.meter}.middleware, namesApp, own.middleware) {
		library = append(library, server.WithToolHandlerMiddleware(m))
	}
	s := server.NewMCPServer("citeloop", version, library...)
	s.AddTools(all...)
	addPrompts(s, svc, logger)
	s.AddPrompts(set.extras.Prompts...)
	res.Register(s)
	s.AddResource(shellResource(), readShell)
	return &Server{MCP: s, key: set.key, logger: logger}, nil
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
