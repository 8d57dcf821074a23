package research

import (
	"context"
	"errors"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// angles returns the angles of the searcher prompt. loop_init returns them too, but a continued loop was started by another run.
func angles() []string { return []string{"byEntity", "byTimeWindow", "bySourceType", "byCounterArg"} }

// secondLook reports whether the server asks for the critic alone, after a first sign-off.
func (d decision) secondLook() bool {
	return d.Rule == "first_signoff" && len(d.Queries) == 0 && len(d.NextURLs) == 0
}

// round searches, reads, writes and verifies claims, runs the critic, and closes the round. It skips steps that are in the
// loop's log.
func (r *run) round(ctx context.Context) error {
	r.mu.Lock()
	r.inside = true
	r.mu.Unlock()
	r.say(InRound, "", "%s", r.decision.Target)
	if r.decision.secondLook() {
		return r.criticise(ctx)
	}
	if err := r.search(ctx); err != nil {
		return err
	}
	if err := r.readUnread(ctx); err != nil {
		return err
	}
	if r.ledger.spentBudget() == "" {
		if err := r.claimed(ctx); err != nil {
			return err
		}
	}
	if r.decision.NextAction == finalize || r.decision.NextAction == abort { // the budget ended during the round
		r.decided()
		return nil
	}
	return r.criticise(ctx)
}

// search runs the searchers. The round fails only if all of them fail.
func (r *run) search(ctx context.Context) error {
	var todo []string
	for _, a := range angles() {
		if !r.done(r.inRound(a)) {
			todo = append(todo, a)
		}
	}
	var mu sync.Mutex
	var failures []error
	var g errgroup.Group // not WithContext: a failed searcher must not cancel the others
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
		if ends(err) && (!temporary(err) || len(failures) == len(todo)) {
			return err
		}
	}
	return nil
}

// searcher runs the conversation of one angle.
func (r *run) searcher(ctx context.Context, angle string) error {
	step := r.inRound(angle)
	m := r.ledger.meter()
	brief, err := r.brief(ctx, "searcher", map[string]string{"angle": angle})
	if err != nil {
		return err
	}
	box := newToolbox(r, angle)
	c := newConversation(searcherWords, brief, box.tools()...)
	last, ended, err := r.converse(ctx, c, m, limits{searcherTurns, searcherCalls, searcherTokens}, box.answer)
	if err != nil {
		r.cutShort(ctx, step, m)
		if ctx.Err() == nil {
			r.failed(angle, "%v", err)
		}
		return err
	}
	spent := m.take()
	if ended == "" && last.Truncated {
		ended = "its last answer was cut off at the token limit"
	}
	if ended != "" {
		r.failed(angle, "ended: %s", ended)
	}
	if box.searches == 0 && ended == "" {
		r.failed(angle, "it stopped without a search")
	}
	r.say(Step, angle, "done: %s, %s read, %s tokens", counted(box.searches, "search"), counted(len(box.own), "page"), grouped(spent.Total()))
	return r.update(ctx, step, spent, nil)
}

// maxReadUnread bounds how often the host reads unread hits in a round.
const maxReadUnread = 2

// readUnread reads unread hits while the server asks for it: small models search without reading.
func (r *run) readUnread(ctx context.Context) error {
	for range maxReadUnread {
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

// decided reports the decision of the server with its reason.
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
