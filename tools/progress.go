package tools

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type progressKey struct{}

// withProgress lets handlers report progress when the client asked for it.
func withProgress(ctx context.Context, req mcp.CallToolRequest) context.Context {
	if req.Params.Meta == nil || req.Params.Meta.ProgressToken == nil {
		return ctx
	}
	srv := server.ServerFromContext(ctx)
	if srv == nil {
		return ctx
	}
	p := &progress{send: func(done, total int, message string) {
		// A client that does not take the notification misses a line of progress, nothing else.
		_ = srv.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": req.Params.Meta.ProgressToken, "progress": done, "total": total, "message": message,
		})
	}}
	return context.WithValue(ctx, progressKey{}, p)
}

// progress counts what is done and tells the client. The counts a client sees only grow.
type progress struct {
	mu   sync.Mutex
	done int
	send func(done, total int, message string)
}

// stepped reports that one more of total is done. Without a client that asked, it does nothing.
func stepped(ctx context.Context, total int, message string) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.send(p.done, total, message)
}
