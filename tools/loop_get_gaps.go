package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

type loopGetGapsIn struct {
	StateID string `json:"state_id"`
	Status  string `json:"status"`
	Limit   int    `json:"limit"`
}

func loopGetGaps(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_get_gaps", func(ctx context.Context, in loopGetGapsIn) (loops.Gaps, error) {
		return svc.ListGaps(ctx, in.StateID, in.Status, in.Limit)
	})
}
