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

type loopAddGapOut struct {
	GapID       string   `json:"gap_id,omitempty"`
	Gaps        []string `json:"gaps"` // all open ones, best first
	DuplicateOf string   `json:"duplicate_of,omitempty"`
}

func loopAddGap(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_add_gap", func(ctx context.Context, in loopAddGapIn) (loopAddGapOut, error) {
		a, err := svc.AddGap(ctx, in.StateID, in.OperationID, in.GapInput)
		if err != nil {
			return loopAddGapOut{}, err
		}
		return loopAddGapOut{GapID: a.GapID, Gaps: gapTexts(a.Open), DuplicateOf: a.DuplicateOf}, nil
	})
}
