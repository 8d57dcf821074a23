package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/hookrun"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/tools"
)

// Hooks of the user's own client call a tool of the running server. It is in no list: Claude Code and Codex call it all the
// same, and it costs the model nothing. Over HTTP it does not exist, because it reads files of this machine.

// HookTool is the name of the tool that hooks call.
const HookTool = "hook"

// WithHooks adds the tool for hooks. current returns the user's settings as they are now. Use it only for a server over
// stdio, which serves one session of one client.
func WithHooks(current func() (hooks.Settings, error)) Option {
	return func(s *settings) { s.hooks = current }
}

// hookTool records what the client's own tools touch while a loop is open.
type hookTool struct {
	svc      *loops.Service
	settings func() (hooks.Settings, error)
	logger   *slog.Logger
	session  hooks.Session
}

func (h *hookTool) tool() server.ServerTool {
	return server.ServerTool{Tool: mcp.Tool{Name: HookTool, Description: "For hooks of the client, not for models.", RawInputSchema: json.RawMessage(`{"type":"object"}`)}, Handler: h.call}
}

// call answers a hook with JSON as text. A fault is logged and answered with nothing, because no user can do anything about
// it in the middle of a conversation.
func (h *hookTool) call(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	silent := mcp.NewToolResultText("{}")
	if byModel(req.Params.Meta) {
		return mcp.NewToolResultError("this tool is for hooks of the client; nothing was done"), nil
	}
	if h.session.Loop() == "" { // nearly always: nothing else is read
		return silent, nil
	}
	event, err := hooks.Parse(tools.RawArguments(req))
	if err != nil {
		h.logger.WarnContext(ctx, "a hook sent invalid input", "error", err)
		return silent, nil
	}
	set, err := h.settings()
	if err != nil {
		h.logger.WarnContext(ctx, "hooks do nothing until their settings can be read", "error", err)
		return silent, nil
	}
	if set.Off {
		return silent, nil
	}
	answer, err := hookrun.Handle(ctx, h.svc, hookrun.Input{Event: event, Session: &h.session, Never: set.Never()})
	if err != nil {
		h.logger.WarnContext(ctx, "a hook failed", "event", event.Raw, "tool", event.Tool, "error", err)
		return silent, nil
	}
	return mcp.NewToolResultText(string(hooks.Encode(event, answer))), nil
}

// byModel reports whether a model made a call: Claude Code and Codex give such a call an id, and none to the call of a hook.
func byModel(meta *mcp.Meta) bool {
	if meta == nil {
		return false
	}
	_, claude := meta.AdditionalFields["claudecode/toolUseId"]
	_, codex := meta.AdditionalFields["callId"]
	return claude || codex
}

// checkTool starts a loop for a draft that has none. The session is no research because of it, so its hooks stay silent.
const checkTool = "verify_citations"

// follows is the middleware that notes which loop the model works on: the last one that it started or asked about.
func (h *hookTool) follows(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := next(ctx, req)
		if err != nil || result == nil || result.IsError || req.Params.Name == HookTool {
			return result, err
		}
		if loop := loopOf(req, result); loop == req.GetString("state_id", "") || req.Params.Name != checkTool {
			h.session.Open(loop)
		}
		return result, nil
	}
}

// unlisted removes the tool for hooks from the list.
func unlisted(_ context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	result.Tools = slices.DeleteFunc(slices.Clone(result.Tools), func(t mcp.Tool) bool { return t.Name == HookTool })
}
