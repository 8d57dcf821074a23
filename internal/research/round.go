package research

import (
	"context"
	"errors"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// angles are those of the prompt searcher. loop_init names them as well, but a loop that is gone on with was not
// started here.
func angles() []string { return []string{"byEntity", "byTimeWindow", "bySourceType", "byCounterArg"} }

// round searches, reads, writes claims, has them checked, criticises, and closes the round. A step that is in the
// loop's log is not done again.
func (r *run) round(ctx context.Context) error {
	r.mu.Lock()
	r.inside = true
	r.mu.Unlock()
	r.say(InRound, "", "%s", r.decision.Target)
	if err := r.search(ctx); err != nil {
		return err
	}
	if err := r.readOn(ctx); err != nil {
		return err
	}
	if r.ledger.spentUp() == "" {
		if err := r.claimed(ctx); err != nil {
			return err
		}
	}
	if r.decision.NextAction == finalize || r.decision.NextAction == abort { // the budget ended in mid-round
		r.decided()
		return nil
	}
	return r.criticise(ctx)
}

// search sends out the searchers. One that fails does not hinder the others; if all do, so does the round.
func (r *run) search(ctx context.Context) error {
	var todo []string
	for _, a := range angles() {
		if !r.done(r.inRound(a)) {
			todo = append(todo, a)
		}
	}
	var mu sync.Mutex
	var failures []error
	var g errgroup.Group // not WithContext: a searcher's end is its own
	g.SetLimit(r.Searchers)
	for _, a := range todo {
		g.Go(func() error {
			if err := r.searcher(ctx, a); err != nil {
				mu.Lock()
				failures = append(failures, err)
				mu.Unlock()
			}
			return nil
		})
	}
	_ = g.Wait() // the errors are in failures
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range failures {
		if ends(err) && (!passes(err) || len(failures) == len(todo)) {
			return err
		}
	}
	return nil
}

// searcher holds one angle's conversation.
func (r *run) searcher(ctx context.Context, angle string) error {
	step := r.inRound(angle)
	m := r.ledger.meter()
	brief, err := r.Server.prompt(ctx, "searcher", map[string]string{"state_id": r.id, "angle": angle})
	if err != nil {
		return err
	}
	box := newToolbox(r, angle)
	c := newConversation(searcherWords, brief, box.tools()...)
	last, ended, err := r.converse(ctx, angle, c, m, limits{searcherTurns, searcherCalls, searcherTokens}, box.answer)
	if err != nil {
		r.cutShort(ctx, step, m)
		if ctx.Err() == nil {
			r.failed(angle, "%v", err)
		}
		return err
	}
	spent := m.take()
	if ended == "" && last.Truncated {
		ended = "its last answer was cut off at the limit of its tokens"
	}
	if ended != "" {
		r.failed(angle, "ended: %s", ended)
	}
	if box.searches == 0 && ended == "" {
		r.failed(angle, "it stopped without a single search")
	}
	r.say(Step, angle, "done: %s, %s read, %s tokens", counted(box.searches, "search"), counted(len(box.own), "page"), grouped(spent.Total()))
	return r.update(ctx, step, spent, nil)
}

// mostReadOn times the server may send this host to read what searchers found and left.
const mostReadOn = 2

// readOn reads what was found and left unread, as long as the server asks for it: small models search, and forget to
// read.
func (r *run) readOn(ctx context.Context) error {
	for range mostReadOn {
		if _, err := r.look(ctx); err != nil {
			return err
		}
		if r.decision.NextAction != fetchMore || len(r.decision.NextURLs) == 0 || r.done(r.inRound("claims")) {
			return nil
		}
		query := r.decision.Target
		if query == "" {
			query = r.question
		}
		if _, err := r.read(ctx, "host", r.decision.NextURLs, query); err != nil {
			if refused, ok := errors.AsType[*ToolError](err); ok {
				r.say(Refused, "host", "fetch: %s", refused.Text)
				return nil
			}
			return err
		}
	}
	_, err := r.look(ctx)
	return err
}

// decided tells what the server decided, and why.
func (r *run) decided() {
	text := r.decision.NextAction + " (" + r.decision.Rule + ")"
	for _, more := range []string{r.decision.StopReason, r.decision.Because} {
		if more != "" {
			text += ": " + strings.TrimSuffix(more, ".")
			break
		}
	}
	r.say(Decided, "decision", "%s", text)
}
