package tools

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopInitIn struct {
	loopstate.StartInput
	Query       *string `json:"query"` // an empty one is a mistake
	OperationID string  `json:"operation_id"`
}

type loopInitOut struct {
	StateID   string              `json:"state_id"`
	AsOf      string              `json:"as_of"`
	Angles    []loopstate.Angle   `json:"angles,omitempty"`
	Gaps      []string            `json:"gaps"`
	Remaining loopstate.Remaining `json:"budget_remaining"`
	Decision  wording.Decision    `json:"decision"`
	Folder    string              `json:"folder,omitempty"` // the loop as files, on the user's own machine
}

func loopInit(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_init", func(ctx context.Context, in loopInitIn) (loopInitOut, error) {
		if in.Query != nil {
			if in.StartInput.Query = strings.TrimSpace(*in.Query); in.StartInput.Query == "" {
				return loopInitOut{}, &loopstate.Error{Code: loopstate.CodeEmpty, Subject: "query"}
			}
		}
		a, err := svc.StartOnce(ctx, in.OperationID, in.StartInput)
		if err != nil {
			return loopInitOut{}, err
		}
		return loopInitOut{StateID: a.StateID, AsOf: a.AsOf, Angles: a.Angles, Gaps: gapTexts(a.Gaps), Remaining: a.Remaining,
			Decision: a.Decision, Folder: a.Folder}, nil
	})
}
