package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopAddGapIn struct {
	StateID string `json:"state_id"`
	Gap     string `json:"gap"`

	Kind string `json:"kind,omitempty" enum:"question,modality,unverified-claim,unread-source,missing-counterarg,unresolved-contradiction"`

	Priority    *float64 `json:"priority,omitempty" jsonschema:"higher first"`
	Material    *bool    `json:"material,omitempty" jsonschema:"would change a claim"`
	Importance  string   `json:"importance,omitempty" enum:"critical,important,minor"`
	Query       string   `json:"query,omitempty" jsonschema:"a search for it"`
	SourceTypes []string `json:"source_types,omitempty" enum:"peer,primary,press,practitioner"`
	Where       string   `json:"where,omitempty" jsonschema:"of a critic: S1:120"`
	OperationID string   `json:"operation_id,omitempty"`
}

type loopAddGapOut struct {
	GapID       string   `json:"gap_id"`
	Gaps        []string `json:"gaps" jsonschema:"all open gaps, best first"`
	DuplicateOf string   `json:"duplicate_of,omitempty" jsonschema:"the loop had this gap already"`
}

func loopAddGap(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_add_gap", title: "Add a gap",
		description: `Add one thing that is not known yet. At the end of a round use loop_reflect. Only material gaps keep the loop going.`,
		hints:       hints{idempotent: true},
	}, func(ctx context.Context, in loopAddGapIn) (loopAddGapOut, error) {
		a, err := svc.AddGap(ctx, in.StateID, in.OperationID, loopstate.GapInput{Gap: in.Gap, Kind: in.Kind, Query: in.Query,
			Priority: in.Priority, Material: in.Material, Importance: in.Importance, SourceTypes: in.SourceTypes, Where: in.Where})
		if err != nil {
			return loopAddGapOut{}, err
		}
		return loopAddGapOut{GapID: a.GapID, Gaps: gapTexts(a.Open), DuplicateOf: a.DuplicateOf}, nil
	})
}
