package research

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// round searches and reads, has claims recorded and a critic look, and closes the round. After a sign-off without new queries the
// critic alone has a second look.
func (r *run) round(ctx context.Context) error {
	r.say("round", "%d: %s", r.closed+1, r.decision.Target)
	if !r.signedOff || len(r.decision.Queries) > 0 {
		if err := r.search(ctx); err != nil {
			return err
		}
		if r.decision.NextAction == "fetch_more" { // small models search without reading
			if _, err := r.Server.Call(ctx, "fetch", args{"urls": r.decision.NextURLs, "state_id": r.id}, &struct{}{}); err != nil {
				r.say("host", "✗ %v", err)
			}
		}
		err := r.play(ctx, role{"claims", "synthesize", "", synthesisWords, []string{"find_passages", "loop_update"}}, nil)
		if err != nil {
			return err
		}
	}
	if r.decision.NextAction == "finalize" { // the budget ended during the round
		return nil
	}
	return r.criticise(ctx)
}

// search runs a searcher for each angle, blind to the others.
func (r *run) search(ctx context.Context) error {
	var g errgroup.Group // not WithContext: a failed searcher must not cancel the others
	g.SetLimit(cmp.Or(r.Searchers, -1))
	for _, angle := range []string{"byEntity", "byTimeWindow", "bySourceType", "byCounterArg"} {
		g.Go(func() error {
			return r.play(ctx, role{angle, "searcher", angle, searcherWords, []string{"run_channel", "fetch", "find_passages"}}, nil)
		})
	}
	return g.Wait()
}

// criticise has a critic close the round. One that does not close it does not sign off: it is an evaluator failure, and the loop
// goes on by its rules.
func (r *run) criticise(ctx context.Context) error {
	as := role{"critic", "critic", "", criticWords, []string{"find_passages", "loop_reflect"}}
	return r.play(ctx, as, func(t *talk, _ string, err error) error {
		if t.closed || fatal(err) {
			return err
		}
		why := "critic: the round was not closed"
		if err != nil {
			why = "critic: " + sanitize.Short(err.Error(), 200)
		}
		_, err = r.reflect(ctx, t, args{"signoff": false, "evaluator_failures": []string{why}})
		return errors.Join(&stopError{why}, err)
	})
}

// reflect closes the round, once.
func (r *run) reflect(ctx context.Context, t *talk, in args) (string, error) {
	if t.closed {
		return "The round is closed. Answer with one word.", nil
	}
	in["state_id"], in["operation_id"] = r.id, fmt.Sprintf("research/r%d/reflect", r.closed+1)
	var out struct {
		Round    struct{ SignOff bool }
		Decision decision
	}
	text, err := r.Server.Call(ctx, "loop_reflect", in, &out)
	if err == nil {
		t.closed = true
		r.closed++
		r.signedOff, r.decision = out.Round.SignOff, out.Decision
		r.say("critic", "sign-off: %t; %s (%s) %s", r.signedOff, r.decision.NextAction, r.decision.Rule, r.decision.StopReason)
	}
	return text, err
}
