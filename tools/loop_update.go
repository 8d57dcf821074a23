package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopUpdateIn struct {
	StateID     string `json:"state_id"`
	OperationID string `json:"operation_id"`
	loopstate.UpdateInput
}

type loopUpdateOut struct {
	Version    int64                `json:"version"`
	Added      loops.Added          `json:"added,omitzero"` // what was new
	ClaimIDs   []string             `json:"claim_ids"`
	Duplicates []string             `json:"duplicates,omitempty"`
	Rejected   []loopstate.Rejected `json:"rejected,omitempty"`
	Remaining  loopstate.Remaining  `json:"budget_remaining"`
	Decision   wording.Decision     `json:"decision"`
}

func loopUpdate(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_update", func(ctx context.Context, in loopUpdateIn) (loopUpdateOut, error) {
		for i, c := range in.Claims {
			in.Claims[i].Claim, in.Claims[i].SourceIDs = cited(c.Claim, c.SourceIDs)
		}
		for i, c := range in.Contradictions {
			in.Contradictions[i].SourceIDs = withoutLines(c.SourceIDs)
		}
		in.AnsweredGaps, in.Retractions = named(in.AnsweredGaps), named(in.Retractions)
		a, err := svc.Update(ctx, in.StateID, in.OperationID, in.UpdateInput)
		if err != nil {
			return loopUpdateOut{}, err
		}
		a.Decision.Because = "" // loop_get_state says it
		return loopUpdateOut{Version: a.Version, Added: a.Added, ClaimIDs: append([]string{}, a.ClaimIDs...), Duplicates: a.Duplicates,
			Rejected: a.Rejected, Remaining: a.Remaining, Decision: a.Decision}, nil
	})
}
