package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopAddGapIn struct {
	StateID     string `json:"state_id"`
	OperationID string `json:"operation_id"`
	loopstate.GapInput
}

func loopAddGap(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_add_gap", func(ctx context.Context, in loopAddGapIn) (loops.GapAdded, error) {
		return svc.AddGap(ctx, in.StateID, in.OperationID, in.GapInput)
	})
}
