package tools

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopListIn struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor"`
}

type loopListOut struct {
	Loops      []loopListed `json:"loops" jsonschema:"last changed first"`
	NextCursor string       `json:"next_cursor,omitempty"`
}

type loopListed struct {
	StateID   string    `json:"state_id"`
	Query     string    `json:"query"`
	Round     int       `json:"round"`
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updated_at"`
}

func loopList(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_list", title: "List your loops",
		description: `List your research loops, last changed first, to find the state_id of one again.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopListIn) (loopListOut, error) {
		listed, err := svc.List(ctx, in.Cursor)
		if err != nil {
			return loopListOut{}, err
		}
		shown := each(listed.Loops, func(h loopstate.Head) loopListed {
			return loopListed{h.Loop, h.Query, h.Round, h.Status,
				h.UpdatedAt}
		})
		return loopListOut{shown, listed.NextCursor}, nil
	})
}
