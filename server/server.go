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
}

// Config chooses what a server serves.
type Config struct {
	Version  string
	Logger   *slog.Logger
	Tools    []string                     // only these, and the prompts that need no other; nil: all
	ReadOnly bool                         // only the tools that write nothing, and these leave no trace in a loop
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
	order := make([]string, len(all))
	for i, t := range all {
		order[i] = t.Tool.Name
	}
	hooks, res := &server.Hooks{}, resources.New(svc, cfg.Logger)
	res.Hook(hooks)
	missing := slices.DeleteFunc(tools.Names(), cfg.serves)
	library := []server.ServerOption{
		server.WithHooks(hooks),
		server.WithPromptCapabilities(false),
		server.WithResourceCapabilities(false, false),
		server.WithTitle("citeloop"),
		server.WithInstructions(instructionsWithout(missing, cfg.ReadOnly)),
		server.WithToolCapabilities(false),
		server.WithToolFilter(func(_ context.Context, list []mcp.Tool) []mcp.Tool { return inOrder(list, order) }),
		server.WithCompletions(),
		server.WithPromptCompletionProvider(completions{svc, cfg.Logger}),
		server.WithResourceCompletionProvider(completions{svc, cfg.Logger}),
	}
	if cfg.Around != nil {
		library = append(library, server.WithToolHandlerMiddleware(cfg.Around))
	}
	s := server.NewMCPServer("citeloop", cfg.Version, library...)
	s.AddTools(all...)
	hooks.AddBeforeCallTool(func(_ context.Context, _ any, req *mcp.CallToolRequest) {
		if s.GetTool(req.Params.Name) == nil {
			req.Params.Name = withOthers(req.Params.Name, order)
		}
	})
	addPrompts(s, svc, cfg.Logger, missing)
	res.Register(s)
	return &Server{MCP: s, logger: cfg.Logger}, nil
}

// inOrder returns a list of tools in the order of their names. The library sorts them by name, but a model pays most attention to
// the first ones.
func inOrder(list []mcp.Tool, order []string) []mcp.Tool {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b mcp.Tool) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
	return sorted
}

// withOthers adds the tools that there are to the name of an unknown one, which the library's error repeats.
func withOthers(unknown string, served []string) string {
	if near := wording.Nearest(arguments.Clip(unknown), served); near != "" {
		served = []string{near}
	}
	return fmt.Sprintf("%s (call %s)", arguments.Clip(unknown), strings.Join(served, ", "))
}
