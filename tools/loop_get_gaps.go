package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

type loopGetGapsIn struct {
	StateID string `json:"state_id"`
	Status  string `json:"status,omitempty" enum:"open,answered,unanswerable,all" jsonschema:"open if left out"`
	Limit   int    `json:"limit,omitempty"`
}

type loopGetGapsOut struct {
	Gaps      []string    `json:"gaps" jsonschema:"the gaps' own words, best first"`
	Details   []loops.Gap `json:"details" jsonschema:"the same gaps, in the same order; tried says how each was searched for"`
	Target    string      `json:"target" jsonschema:"the query of the one gap to pursue; empty when none is open"`
	TargetGap string      `json:"target_gap" jsonschema:"its id"`
	Total     int         `json:"total"`
}

type gapLister interface {
	ListGaps(ctx context.Context, loop, status string, limit int) (loops.Gaps, error)
}

func loopGetGaps(d *definer, svc gapLister) server.ServerTool {
	return define(d, manual{
		name: "loop_get_gaps", title: "List what is missing",
		description: `List the loop's gaps, best first, and the target: the one gap to pursue in this round.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopGetGapsIn) (loopGetGapsOut, error) {
		a, err := svc.ListGaps(ctx, in.StateID, in.Status, in.Limit)
		if err != nil {
			return loopGetGapsOut{}, err
		}
		out := loopGetGapsOut{Gaps: make([]string, len(a.Gaps)), Details: a.Gaps, Total: a.Total, Target: a.Target, TargetGap: a.TargetGap}
		for i, g := range a.Gaps {
			out.Gaps[i] = g.Gap.Gap
		}
		return out, nil
	})
}
