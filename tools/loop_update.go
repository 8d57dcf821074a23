package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopUpdateIn struct {
	StateID     string `json:"state_id"`
	OperationID string `json:"operation_id"`
	loopstate.UpdateInput
}

func loopUpdate(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_update", func(ctx context.Context, in loopUpdateIn) (loops.Updated, error) {
		for i, c := range in.Claims {
			in.Claims[i].Claim, in.Claims[i].SourceIDs = cited(c.Claim, c.SourceIDs)
		}
		for i, c := range in.Contradictions {
			in.Contradictions[i].SourceIDs = plainIDs(c.SourceIDs)
		}
		in.AnsweredGaps, in.Retractions = named(in.AnsweredGaps), named(in.Retractions)
		a, err := svc.Update(ctx, in.StateID, in.OperationID, in.UpdateInput)
		a.Decision.Because = "" // loop_get_state says it
		return a, err
	})
}
