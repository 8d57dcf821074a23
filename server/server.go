// Package server serves the tools over MCP's transports: stdio and streamable HTTP. It handles transports, limits and
// callers, and nothing specific to research loops.
//
// It stores no sessions: state is in loops, whose ids clients pass. So any replica answers any call, and there is nothing
// that a client could fill. mcp-go speaks the protocol; here are the bounds that it lacks.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/resources"
	"github.com/citeloop/citeloop/tools"
	"github.com/citeloop/citeloop/tools/arguments"
)

const (
	// maxBodyBytes bounds one message. It leaves room for JSON around the largest arguments.
	maxBodyBytes = arguments.MaxBytes + 1<<20
	// shutdownGrace lets calls in progress finish; none takes longer than tools.CallTimeout.
	shutdownGrace = tools.CallTimeout + 2*time.Second
)

// Server is the assembled MCP server. It serves one client over stdio, or any number over HTTP.
type Server struct {
	MCP    *server.MCPServer
	logger *slog.Logger

	readOnly bool // the local owner may only read
}

// Config chooses what a server serves.
type Config struct {
	Version  string
	Logger   *slog.Logger
	Tools    []string                     // only these, and the prompts that need no other; nil: all
	ReadOnly bool                         // only the tools that write nothing; over HTTP, Auth must be an [access.ReadOnly]
	Around   server.ToolHandlerMiddleware // sees every call, also those that are rejected; nil: none
}

func (c Config) serves(tool string) bool {
	return (c.Tools == nil || slices.Contains(c.Tools, tool)) && !(c.ReadOnly && tools.WritesLog(tool))
}

// New assembles the MCP server over the use cases. It serves both eras of the protocol: clients that initialize (up to
// 2025-11-25) and clients of 2026-07-28, which do not.
func New(svc *loops.Service, cfg Config) (*Server, error) {
	all, err := tools.All(svc, cfg.Logger)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t server.ServerTool) bool { return !cfg.serves(t.Tool.Name) })
	order, needs := make([]string, len(all)), map[string]access.Scopes{}
	for i, t := range all {
		order[i], needs[t.Tool.Name] = t.Tool.Name, scopesFor(t.Tool.Name, t.Tool.Annotations)
	}
	hooks, res := &server.Hooks{}, resources.New(svc, cfg.Logger)
	res.Hook(hooks)
	missing := slices.DeleteFunc(tools.Names(), cfg.serves)
	library := append(promptOptions(),
		server.WithHooks(hooks),
		server.WithResourceCapabilities(false, false),
		server.WithTitle("citeloop"),
		server.WithInstructions(instructionsWithout(missing, cfg.ReadOnly)),
		server.WithToolCapabilities(false),
		server.WithToolFilter(func(_ context.Context, list []mcp.Tool) []mcp.Tool {
			return inOrder(list, order, mcp.Tool.GetName)
		}),
		server.WithCompletions(),
		server.WithPromptCompletionProvider(completions{svc, cfg.Logger}),
		server.WithResourceCompletionProvider(completions{svc, cfg.Logger}),
	)
	if cfg.Around != nil {
		library = append(library, server.WithToolHandlerMiddleware(cfg.Around))
	}
	s := server.NewMCPServer("citeloop", cfg.Version, append(library, server.WithToolHandlerMiddleware(requireScopes(needs)))...)
	s.AddTools(all...)
	hooks.AddBeforeCallTool(func(_ context.Context, _ any, req *mcp.CallToolRequest) {
		if s.GetTool(req.Params.Name) == nil {
			req.Params.Name = withOthers(req.Params.Name, order)
		}
	})
	addPrompts(s, svc, cfg.Logger, missing)
	res.Register(s)
	return &Server{MCP: s, logger: cfg.Logger, readOnly: cfg.ReadOnly}, nil
}

// withOthers adds the tools that there are to the name of an unknown one, which the library's error repeats.
func withOthers(unknown string, served []string) string {
	if near := wording.Nearest(arguments.Clip(unknown), served); near != "" {
		served = []string{near}
	}
	return fmt.Sprintf("%s (call %s)", arguments.Clip(unknown), strings.Join(served, ", "))
}

// asLocal returns the context of the local owner's calls.
func (s *Server) asLocal(ctx context.Context) context.Context {
	ctx = loops.WithOwner(ctx, loops.LocalOwner)
	if s.readOnly {
		ctx = access.WithScopes(ctx, access.Read)
	}
	return ctx
}

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

// requireScopes returns the middleware that rejects calls beyond the scopes of their caller.
func requireScopes(needs map[string]access.Scopes) server.ToolHandlerMiddleware {
	const format = "%s needs the scope %s, and the token of this call has only %s; " +
		"ask the operator of this server for a token with more scopes; nothing was done"
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			have := access.ScopesOf(ctx)
			if missing := needs[req.Params.Name] &^ have; missing != 0 {
				return mcp.NewToolResultError(fmt.Sprintf(format, req.Params.Name, missing, have)), nil
			}
			return next(ctx, req)
		}
	}
}
