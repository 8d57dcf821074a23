package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// round searches, reads, writes and verifies claims, has a critic look, and closes the round.
func (r *run) round(ctx context.Context) error {
	r.say("round", "%d: %s", r.closed+1, r.decision.Target)
	if !r.signedOff || len(r.decision.Queries) > 0 { // after a sign-off, the critic alone has a second look
		if err := r.search(ctx); err != nil {
			return err
		}
		if len(r.decision.NextURLs) > 0 && r.decision.NextAction == "fetch_more" { // small models search without reading
			in := args{"urls": r.decision.NextURLs, "state_id": r.id, "query": r.question}
			if err := r.Server.Call(ctx, "fetch", in, &struct{}{}); err != nil {
				r.say("host", "✗ %v", err)
			}
		}
		if err := r.synthesize(ctx); err != nil {
			return err
		}
	}
	if r.decision.NextAction == "finalize" { // the budget ended during the round
		return nil
	}
	return r.criticise(ctx)
}

// search runs a searcher for each angle, blind to the others. The round fails only if all of them fail, or no request can succeed.
func (r *run) search(ctx context.Context) error {
	angles := []string{"byEntity", "byTimeWindow", "bySourceType", "byCounterArg"}
	failures := make([]error, len(angles))
	var g errgroup.Group // not WithContext: a failed searcher must not cancel the others
	for i, angle := range angles {
		g.Go(func() error {
			t, err := r.newTalk(ctx, "searcher", angle, searcherWords, "", searcherTools)
			if err == nil {
				err = r.step(ctx, angle, t, func() (args, error) {
					_, err := t.next(ctx)
					return nil, err
				})
			}
			failures[i] = err
			return nil
		})
	}
	_ = g.Wait() // each outcome is in failures
	failed := 0
	for _, err := range failures {
		if e, ok := errors.AsType[*llm.Error](err); err != nil && (!ok || e.Code != llm.CodeUnavailable) {
			return err
		} else if err != nil {
			failed++
		}
	}
	if failed == len(angles) {
		return failures[0]
	}
	return nil
}

// verification is the part of a check that this host reads.
type verification struct {
	Verdict string         `json:"verdict"`
	Counts  map[string]int `json:"counts"`
	Claims  []struct {
		Claim, Status, Because string
		Read                   bool
		Line                   int
	} `json:"verified_claims"`
	Hallucinated []struct{ Claim, Citation, Why string } `json:"hallucinated_citations"`
	Uncited      []struct {
		Text string
		Line int
	} `json:"uncited_sentences"`
	Left int `json:"left_out"`
}

// verify checks claims or a draft. If citations of unread sources make the result an error, the error has the verdicts.
func (r *run) verify(ctx context.Context, what args) (v verification, err error) {
	what["state_id"], what["all"] = r.id, true
	err = r.Server.Call(ctx, "verify_citations", what, &v)
	if refused, ok := errors.AsType[*ToolError](err); ok && json.Unmarshal(refused.Body, &v) == nil && v.Verdict != "" {
		err = nil
	}
	for _, h := range v.Hallucinated {
		r.result.Invented++
		r.say("verify", "✗ invented: %s in %q", sanitize.Short(h.Citation, 60), sanitize.Short(h.Claim, 120))
	}
	return v, err
}

// dropped counts and reports a claim or a line that failed the check.
func (r *run) dropped(text, why string) {
	r.result.Dropped++
	r.say("dropped", "✗ %q: %s", sanitize.Short(text, 120), sanitize.Short(why, 200))
}

// maxNewClaims bounds the claims of one round.
const maxNewClaims = 40

// synthesize has the model write claims, and records those that pass the check. Claims that nobody has read yet pass.
func (r *run) synthesize(ctx context.Context) error {
	t, err := r.newTalk(ctx, "synthesize", "", answerWords, synthesisWords, readerTools)
	if err != nil {
		return err
	}
	kept := []claim{}
	err = r.step(ctx, "claims", t, func() (args, error) {
		var got struct{ Claims []claim }
		if err := t.object(ctx, "claims", &got); err != nil || len(got.Claims) == 0 {
			return nil, err
		}
		got.Claims = got.Claims[:min(len(got.Claims), maxNewClaims)]
		v, err := r.verify(ctx, args{"claims": got.Claims})
		bad := map[string]string{}
		for _, c := range v.Claims {
			if c.Status == "unsupported" {
				bad[c.Claim] = c.Because
			}
		}
		for _, u := range v.Uncited {
			bad[u.Text] = "it cites nothing"
		}
		for _, h := range v.Hallucinated {
			bad[h.Claim] = h.Why
		}
		for _, c := range got.Claims {
			if why, failed := bad[c.Claim]; failed || len(c.SourceIDs) == 0 {
				r.dropped(c.Claim, why)
			} else if err == nil {
				kept = append(kept, c)
			}
		}
		return args{"claims": kept}, err
	})
	r.claims = append(r.claims, kept...)
	return err
}

// criticise has the critic and the judge of coverage answer in conversations of their own, and closes the round. An unreadable
// critic does not sign off: it is an evaluator failure, and the loop goes on by its rules.
func (r *run) criticise(ctx context.Context) error {
	var synthesis strings.Builder
	for _, c := range r.claims {
		fmt.Fprintf(&synthesis, "%s\n", c.sentence())
	}
	in, failures := args{"signoff": false, "synthesis": sanitize.Short(synthesis.String(), 60_000)}, []any{}
	for _, role := range []struct{ prompt, key, words string }{{"critic", "signoff", criticWords}, {"coverage", "coverage", coverageWords}} {
		t, err := r.newTalk(ctx, role.prompt, "", answerWords, role.words, readerTools)
		if err != nil {
			return err
		}
		err = r.step(ctx, fmt.Sprintf("%s/%d", role.prompt, r.Now().UnixNano()), t, func() (args, error) {
			var got args
			if err := t.object(ctx, role.key, &got); err != nil {
				failures = append(failures, role.prompt+": "+sanitize.Short(err.Error(), 200))
				return nil, err
			}
			for _, key := range []string{"gaps", "answered_gaps", "open_questions", "evaluator_failures", "signoff", "coverage"} {
				if got[key] != nil && (role.prompt == "critic") != (key == "coverage") {
					in[key] = got[key]
				}
			}
			return nil, nil
		})
		if err != nil {
			return err
		}
	}
	if said, ok := in["evaluator_failures"].([]any); ok {
		failures = append(failures, said...)
	}
	in["evaluator_failures"] = failures
	err := r.reflect(ctx, "reflect", in)
	if refused, ok := errors.AsType[*ToolError](err); ok { // the model named something that does not exist: the round closes without it
		why := "critic: " + sanitize.Short(refused.Text, 200)
		r.failed("critic", why)
		err = r.reflect(ctx, "reflect-anyway", args{"signoff": false, "evaluator_failures": append(failures, why)})
	}
	return err
}

func (r *run) reflect(ctx context.Context, step string, in args) error {
	in["state_id"], in["operation_id"] = r.id, r.stepName(step)
	var out struct {
		Round    struct{ SignOff bool }
		Decision decision
	}
	if err := r.Server.Call(ctx, "loop_reflect", in, &out); err != nil {
		return err
	}
	r.closed++
	r.signedOff, r.decision = out.Round.SignOff, out.Decision
	r.say("critic", "sign-off: %t; %s (%s) %s", r.signedOff, r.decision.NextAction, r.decision.Rule, r.decision.StopReason)
	return nil
}
