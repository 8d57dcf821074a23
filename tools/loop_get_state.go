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

type stateViewer interface {
	State(ctx context.Context, in loops.ViewInput) (loops.View, error)
}

func loopGetState(d *definer, svc stateViewer) server.ServerTool {
	return define(d, manual{
		name: "loop_get_state", title: "Look at a loop",
		description: fmt.Sprintf(`Get a loop's state. The brief (default, at most %d tokens) is all you need to continue after losing your context. Other views come in pages (next_cursor).`, loops.BriefTokens),
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopGetStateIn) (loops.View, error) {
		return svc.State(ctx, loops.ViewInput{Loop: in.StateID, View: in.View, Round: in.Round, Cursor: in.Cursor})
	})
}
