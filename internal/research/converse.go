package research

import (
	"context"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/internal/llm"
)

// limits of one conversation.
type limits struct{ turns, calls, tokens int }

// answerer handles a call of the model. The text is the result for the model; done ends the conversation. An error ends
// the run.
type answerer func(ctx context.Context, call llm.ToolCall) (text string, done bool, err error)

// converse runs a conversation until the model makes no more calls, an answerer ends it, or a limit is reached. ended
// names the limit. The error is one of the model or the server.
func (r *run) converse(ctx context.Context, who string, c *conversation, m *meter, lim limits, answer answerer) (last llm.Answer, ended string, err error) {
	calls := 0
	for turn := range lim.turns {
		if why := r.ledger.spentBudget(); why != "" {
			return last, why, nil
		}
		if m.sum() >= lim.tokens {
			return last, fmt.Sprintf("it has used the %s tokens of one conversation", grouped(lim.tokens)), nil
		}
		got, err := r.ask(ctx, who, c, m)
		if err != nil {
			if why := r.ledger.spentBudget(); why != "" && ctx.Err() == nil {
				return last, why, nil
			}
			return last, "", err
		}
		c.addAnswer(got)
		if last = got; len(got.Calls) == 0 {
			return last, "", nil
		}
		finished := false
		for _, call := range got.Calls {
			text := "No more calls are taken. Hand over what you have."
			if calls++; calls <= lim.calls && !finished {
				if text, finished, err = answer(ctx, call); err != nil {
					return last, "", err
				}
			}
			if turn == lim.turns-2 {
				text += "\n\nOne more answer is left to you: finish with it."
			}
			c.answered(call.ID, text)
		}
		if finished {
			return last, "", nil
		}
	}
	return last, fmt.Sprintf("it did not stop within %d turns", lim.turns), nil
}

// ask gets one answer, within the budget's time, and counts it.
func (r *run) ask(ctx context.Context, who string, c *conversation, m *meter) (llm.Answer, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	arrived := 0
	got, err := c.ask(ctx, r.Model, func(bytes int) {
		arrived += bytes
		r.say(Activity, who, "writes, %s characters", grouped(arrived))
	})
	m.add(got.Usage)
	return got, err
}

// within limits a context by the time budget.
func (r *run) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if until, ok := r.ledger.until(); ok {
		return context.WithTimeout(ctx, max(until.Sub(r.Now()), time.Millisecond))
	}
	return context.WithCancel(ctx)
}
