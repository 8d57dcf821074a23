package metrics

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

// Watch observes tool calls. Metrics and Logger may each be nil.
type Watch struct {
	Metrics *Metrics
	Logger  *slog.Logger // a line for each call, at the level info; no texts, queries, addresses or tokens
	Now     func() time.Time
}

// Middleware observes the tool calls of a server.
func (w Watch) Middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		tool, begun := req.Params.Name, w.Now()
		if w.Metrics != nil {
			w.Metrics.running.Add(1)
			defer w.Metrics.running.Add(-1)
		}
		result, err := next(ctx, req)
		took, outcome := w.Now().Sub(begun), outcomeOf(ctx, result, err)
		if w.Metrics != nil {
			w.Metrics.called(tool, outcome, took)
		}
		if w.Logger != nil && w.Logger.Enabled(ctx, slog.LevelInfo) {
			w.Logger.InfoContext(ctx, "call", "owner", loops.OwnerOf(ctx), "tool", tool, "state_id", loopOf(req),
				"outcome", outcome, "took_ms", took.Milliseconds())
		}
		return result, err
	}
}

func outcomeOf(ctx context.Context, result *mcp.CallToolResult, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return "cancelled"
	case err != nil:
		return "failed" // no result
	case result != nil && result.IsError:
		return "error" // an invalid argument, a failed draft, a limit
	}
	return "ok"
}

// loopOf returns the state_id of a call. Of an invalid one, which may be any text, it returns nothing.
func loopOf(req mcp.CallToolRequest) string {
	var ids struct {
		StateID string `json:"state_id"`
	}
	if json.Unmarshal(req.Params.RawArguments, &ids) != nil || uuid.Validate(ids.StateID) != nil {
		return ""
	}
	return ids.StateID
}
