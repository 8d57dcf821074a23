package resources

import (
	"context"
	"log/slog"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Loops is the use cases that the resources need.
type Loops interface {
	Heads(ctx context.Context) ([]loopstate.Head, error)
	State(ctx context.Context, in loops.ViewInput) (loops.View, error)
	Detail(ctx context.Context, loop string, round int) (loops.LoopDetail, error)
	Revision(ctx context.Context, loop string) (loops.Revision, error)
	Rounds(ctx context.Context, loop string) ([]loopstate.Round, error)
	Sources(ctx context.Context, loop string) ([]loopstate.Source, error)
	Source(ctx context.Context, loop, id string) (loopstate.Source, error)
	ReadSpan(ctx context.Context, loop, id string, start, end int) (loops.Span, error)
	ReportText(ctx context.Context, loop, format string) (string, error)
}

// Handler serves the loops as resources.
type Handler struct {
	svc       Loops
	logger    *slog.Logger
	followers *followers
}
