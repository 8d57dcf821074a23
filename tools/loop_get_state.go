package tools

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

type loopGetStateIn struct {
	StateID string `json:"state_id"`
	View    string `json:"view,omitempty" enum:"brief,full,rounds,sources,claims,searches,events"`
	Round   int    `json:"round,omitempty" jsonschema:"look at the loop as this round ended"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the last answer"`
}

// loopGetStateOut is a view whose rounds explain their guardrails and estimates.
type loopGetStateOut struct {
	view
	Rounds []closedRound `json:"rounds,omitempty"`
}

// view renames loops.View, because the schema would omit a field with the name of the embedded type.
type view loops.View

type stateViewer interface {
	State(ctx context.Context, in loops.ViewInput) (loops.View, error)
}

func loopGetState(d *definer, svc stateViewer) server.ServerTool {
	return define(d, manual{
		name: "loop_get_state", title: "Look at a loop",
		description: fmt.Sprintf(`Get a loop's state. The brief (default, at most %d tokens) is all you need to continue after losing your context. Other views come in pages (next_cursor).`, loops.BriefTokens),
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopGetStateIn) (loopGetStateOut, error) {
		v, err := svc.State(ctx, loops.ViewInput{Loop: in.StateID, View: in.View, Round: in.Round, Cursor: in.Cursor})
		out := loopGetStateOut{view: view(v)}
		for _, r := range v.Rounds {
			row := showRound(r)
			row.Decision, row.Guardrails, row.Confidence = &r.Decision, guardrailWords(r.Guardrails), r.Confidence
			out.Rounds = append(out.Rounds, row)
		}
		return out, err
	})
}
