package tools

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopInitIn struct {
	loopstate.StartInput
	Query       *string `json:"query"` // an empty one is a mistake
	OperationID string  `json:"operation_id"`
}

func loopInit(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_init", func(ctx context.Context, in loopInitIn) (loops.Started, error) {
		if in.Query != nil {
			if in.StartInput.Query = strings.TrimSpace(*in.Query); in.StartInput.Query == "" {
				return loops.Started{}, &loopstate.Error{Code: loopstate.CodeEmpty, Subject: "query"}
			}
		}
		return svc.StartOnce(ctx, in.OperationID, in.StartInput)
	})
}
