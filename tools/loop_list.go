package tools

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopListIn struct {
	Cursor string `json:"cursor"`
}

type loopListOut struct {
	Loops      []loopListed `json:"loops"` // last changed first
	NextCursor string       `json:"next_cursor,omitempty"`
}

type loopListed struct {
	StateID   string    `json:"state_id"`
	Query     string    `json:"query,omitempty"`
	Round     int       `json:"round"`
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updated_at"`
}

func loopList(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_list", func(ctx context.Context, in loopListIn) (loopListOut, error) {
		heads, err := svc.Heads(ctx)
		if err != nil {
			return loopListOut{}, err
		}
		page, next, err := loops.Page(heads, in.Cursor, loops.AnswerTokens-loops.ViewTokens)
		return loopListOut{Loops: each(page, func(h loopstate.Head) loopListed {
			return loopListed{h.Loop, h.Query, h.Round, h.Status, h.UpdatedAt}
		}), NextCursor: next}, err
	})
}
