package research

import (
	"context"
	"errors"
)

// closeRound calls loop_reflect, which names no operation: where its answer was lost, the loop itself says whether
// the round is closed.
func (r *run) closeRound(ctx context.Context, in args) (reflected, error) {
	var out reflected
	before := r.closed
	err := r.Server.call(ctx, "loop_reflect", in, &out)
	if _, refused := errors.AsType[*ToolError](err); err == nil || refused || ctx.Err() != nil {
		return out, err
	}
	at, lookErr := r.look(ctx)
	if lookErr != nil || at.Round > before {
		out.Decision, out.Remaining = at.Decision, at.Remaining
		out.Round.Round = at.Round
		return out, lookErr
	}
	return out, r.Server.call(ctx, "loop_reflect", in, &out)
}

// reflected is the answer of loop_reflect.
type reflected struct {
	Round      row       `json:"round"`
	Guardrails []string  `json:"guardrails"`
	Decision   decision  `json:"decision"`
	Remaining  remaining `json:"budget_remaining"`
}
