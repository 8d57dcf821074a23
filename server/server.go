// Package server serves the tools over MCP's transports: stdio and streamable HTTP. It handles transports, limits and
// callers, and nothing specific to research loops.
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

// Server is the assembled MCP server. It serves any number of streams and listeners concurrently.
type Server struct {
	MCP    *server.MCPServer
	key    []byte // signs request states and session ids
	calls  authorizer
	logger *slog.Logger

	readOnly bool // the local owner may only read
}

// New assembles the MCP server over the use cases. It serves both eras of the protocol: clients that initialize (up to
// 2025-11-25) and clients of 2026-07-28, which do not.
func New(svc *loops.Service, version string, logger *slog.Logger, options ...Option) (*Server, error) {
	set := settings{key: make([]byte, MinKeyBytes)}
	if _, err := rand.Read(set.key); err != nil {
		return nil, fmt.Errorf("server: generating a key: %w", err)
	}
	for _, o := range options {
		o(&set)
	}
	if len(set.key) < MinKeyBytes {
		return nil, fmt.Errorf("server: key too short: %d bytes; use at least %d", len(set.key), MinKeyBytes)
	}
	all, err := tools.All(svc, logger)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t server.ServerTool) bool { return !set.serves(t.Tool.Name) })
	all = append(all, set.extras.Tools...)
	order, needs := make([]string, len(all)), map[string]access.Scopes{}
	for i, t := range all {
		order[i], needs[t.Tool.Name] = t.Tool.Name, scopesFor(t.Tool.Name, t.Tool.Annotations)
	}
	steps, res := &server.Hooks{}, resources.New(svc, logger)
	res.Hook(steps)
	steps.AddAfterListResources(withoutApps)
	steps.AddOnRequestInitialization(rejectHugeNumbers)
	steps.AddOnRequestInitialization(refuseCancelled)
	steps.AddBeforeAny(markStarted)
	missing := slices.DeleteFunc(tools.Names(), set.serves)
	library := append(promptOptions(set.extras.Prompts), res.Options()...)
	library = append(library,
		server.WithHooks(steps),
		server.WithTitle("citeloop"),
		server.WithInstructions(instructionsWithout(missing, set.readOnly)),
		server.WithToolCapabilities(false),
		server.WithToolFilter(func(ctx context.Context, list []mcp.Tool) []mcp.Tool {
			return withApps(ctx, inOrder(list, order, mcp.Tool.GetName))
		}),
		server.WithCompletions(),
		server.WithPromptCompletionProvider(completions{svc, logger}),
		server.WithResourceCompletionProvider(completions{svc, logger}),
		server.WithExtensions(map[string]any{apps.Extension: map[string]any{}}),
	)
	library = append(library, set.extras.Library...)
	own := elicitor{states: sealedStates{set.key}, tools: needs, logger: logger}
	calls := authorizer{needs, set.meter}
	for _, m := range append(set.around, calls.middleware, namesApp, own.middleware) {
		library = append(library, server.WithToolHandlerMiddleware(m))
	}
	s := server.NewMCPServer("citeloop", version, library...)
	s.AddTools(all...)
	addPrompts(s, svc, logger, missing)
	s.AddPrompts(set.extras.Prompts...)
	res.Register(s)
	s.AddResource(shellResource(), readShell)
	return &Server{MCP: s, key: set.key, calls: calls, logger: logger, readOnly: set.readOnly}, nil
}

// asLocal returns the context of the local owner's calls.
func (s *Server) asLocal(ctx context.Context) context.Context {
	ctx = loops.WithOwner(ctx, loops.LocalOwner)
	if s.readOnly {
		ctx = access.WithScopes(ctx, access.Read)
	}
	return ctx
}
