package research

import (
	"context"
	"fmt"
	"strings"
)

// begin starts a loop, or finds the loop to continue and reads its state.
func (r *run) begin(ctx context.Context) error {
	id := r.Resume
	if id == "" && !r.Fresh {
		found, err := r.unfinished(ctx)
		if err != nil {
			return err
		}
		id = found
	}
	if id == "" {
		return r.start(ctx)
	}
	r.id = id
	if err := r.resume(ctx); err != nil {
		return err
	}
	return r.reopen(ctx)
}

func (r *run) start(ctx context.Context) error {
	budget := args{"tokens": r.Budget.Tokens - r.Budget.reserved()}
	if r.Budget.Rounds > 0 {
		budget["rounds"] = r.Budget.Rounds
	}
	if r.Budget.CostUSD > 0 {
		budget["cost_usd"] = r.Budget.CostUSD - r.ledger.reserveUSD
	}
	if r.Budget.Time > 0 {
		budget["latency_seconds"] = max(1, int((r.Budget.Time - r.ledger.late).Seconds()))
	}
	var out struct {
		StateID   string    `json:"state_id"`
		AsOf      string    `json:"as_of"`
		Remaining remaining `json:"budget_remaining"`
		Decision  decision  `json:"decision"`
	}
	began := fmt.Sprintf("%sbegin/%d", opPrefix, r.Now().UnixNano()) // says from the first event on that the loop is of a run
	if err := r.Server.Call(ctx, "loop_init", args{"query": r.Question, "budget": budget, "operation_id": began}, &out); err != nil {
		return err
	}
	r.id, r.question, r.decision = out.StateID, r.Question, out.Decision
	r.result.StateID = out.StateID
	r.ledger.setLeft(out.Remaining)
	r.say(Began, "loop", "%s, as of %s: %s", out.StateID, out.AsOf, out.Remaining.words())
	return nil
}

// resume reads the state of an existing loop.
func (r *run) resume(ctx context.Context) error {
	at, err := r.look(ctx)
	if err != nil {
		return err
	}
	r.question, r.result.StateID, r.result.Rounds = at.Query, at.StateID, at.Round
	if r.question == "" {
		r.question = r.Question
	}
	if r.marks, _, err = r.operations(ctx, r.id); err != nil {
		return err
	}
	if err := r.loadClaims(ctx); err != nil {
		return err
	}
	if r.Question == "" {
		r.say(Began, "question", "%s", r.question)
	}
	r.say(Began, "loop", "%s continues: %s closed, %s read, %s, as of %s: %s", r.id, counted(at.Round, "round"), counted(len(r.known), "source"),
		counted(len(r.claims), "claim"), at.AsOf, at.Remaining.words())
	return nil
}

// look reads the current state of the loop.
func (r *run) look(ctx context.Context) (loopView, error) {
	var at loopView
	if err := r.Server.callTwice(ctx, "loop_get_state", args{"state_id": r.id}, &at); err != nil {
		return at, err
	}
	r.mu.Lock()
	r.closed, r.decision = at.Round, at.Decision
	r.result.Rounds = at.Round
	r.mu.Unlock()
	r.ledger.setLeft(at.Remaining)
	return at, nil
}

// maxLoopsSeen bounds the loops that are searched for an unfinished one.
const maxLoopsSeen = 500

// unfinished finds the newest loop of the same question that a run started and did not report. Loops of other hosts are
// ignored, unless they are empty.
func (r *run) unfinished(ctx context.Context) (string, error) {
	cursor := ""
	for seen := 0; seen < maxLoopsSeen; {
		var list struct {
			Loops []struct {
				StateID string `json:"state_id"`
				Query   string `json:"query"`
				Status  string `json:"status"`
			} `json:"loops"`
			NextCursor string `json:"next_cursor"`
		}
		in := args{}
		if cursor != "" {
			in["cursor"] = cursor
		}
		if err := r.Server.callTwice(ctx, "loop_list", in, &list); err != nil {
			return "", err
		}
		for _, l := range list.Loops {
			seen++
			if !sameQuestion(l.Query, r.Question) {
				continue
			}
			marks, events, err := r.operations(ctx, l.StateID)
			if err != nil {
				return "", err
			}
			if l.Status == "aborted" || marks[opPrefix+reported] || events > 1 && len(marks) == 0 {
				return "", nil // the newest is finished or belongs to another host
			}
			return l.StateID, nil
		}
		if cursor = list.NextCursor; cursor == "" || len(list.Loops) == 0 {
			break
		}
	}
	return "", nil
}

// sameQuestion compares a question with a listed one, which is shortened if it is long.
func sameQuestion(listed, question string) bool {
	listed = strings.Join(strings.Fields(listed), " ")
	if start, ok := strings.CutSuffix(listed, "…"); ok && len([]rune(start)) >= 100 {
		return strings.HasPrefix(question, strings.TrimSpace(start))
	}
	return listed != "" && listed == question
}

// maxPages bounds the pages of a list that are read.
const maxPages = 2_000

// operations returns the names of the steps in a loop's log, and how many events it has.
func (r *run) operations(ctx context.Context, id string) (marks map[string]bool, events int, err error) {
	marks = map[string]bool{}
	err = r.pages(ctx, id, "events", func(at loopView) {
		events += len(at.Events)
		for _, e := range at.Events {
			if strings.HasPrefix(e.Op, opPrefix) {
				marks[e.Op] = true
			}
		}
	})
	return marks, events, err
}

// loadClaims reads the sources and the current claims.
func (r *run) loadClaims(ctx context.Context) error {
	if err := r.loadSources(ctx); err != nil {
		return err
	}
	var all []claim
	if err := r.pages(ctx, r.id, "claims", func(at loopView) { all = append(all, at.Claims...) }); err != nil {
		return err
	}
	last := 0
	for _, c := range all {
		if c.Check != nil {
			last = max(last, c.Check.Cycle)
		}
	}
	r.claims = nil
	for _, c := range all { // claims of the last verification, and later ones
		if c.Check == nil || c.Check.Cycle == last && c.Check.Status != unsupported {
			r.claims = append(r.claims, c)
		}
	}
	return nil
}

// loadSources reads the ids and titles of the sources.
func (r *run) loadSources(ctx context.Context) error {
	err := r.pages(ctx, r.id, "sources", func(at loopView) {
		for _, s := range at.Sources {
			r.known[s.SourceID] = s.Title
		}
	})
	r.result.Sources = len(r.known)
	return err
}

// pages reads a view of a loop, page by page.
func (r *run) pages(ctx context.Context, id, view string, read func(loopView)) error {
	in := args{"state_id": id, "view": view}
	for range maxPages {
		var at loopView
		if err := r.Server.callTwice(ctx, "loop_get_state", in, &at); err != nil {
			return err
		}
		read(at)
		if at.NextCursor == "" {
			return nil
		}
		in["cursor"] = at.NextCursor
	}
	return fmt.Errorf("the list of %s has too many pages", view)
}
