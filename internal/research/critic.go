package research

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// criticism is the answer of the critic, with the keys of loop_reflect.
type criticism struct {
	Gaps          list[writtenGap]   `json:"gaps"`
	AnsweredGaps  list[words]        `json:"answered_gaps" about:"such as G1"`
	OpenQuestions list[openQuestion] `json:"open_questions"`
	Failures      list[words]        `json:"evaluator_failures" about:"rubrics that fail"`
	SignOff       yes                `json:"signoff"`
}

// incomplete takes the sign-off back: the missing part may have named a gap.
func (c *criticism) incomplete() { c.SignOff = false }

type writtenGap struct {
	Gap         words       `json:"gap" about:"one open question, as a sentence"`
	Kind        words       `json:"kind,omitempty" about:"modality, unverified-claim, unread-source, missing-counterarg or unresolved-contradiction"`
	Query       words       `json:"query,omitempty" about:"the search that would close it"`
	Priority    number      `json:"priority,omitzero"`
	Material    *yes        `json:"material,omitempty"`
	Importance  words       `json:"importance,omitempty" about:"critical, important or minor"`
	SourceTypes list[words] `json:"source_types,omitempty" about:"-"`
}

// UnmarshalJSON accepts a plain string, too.
func (g *writtenGap) UnmarshalJSON(data []byte) error {
	type plain writtenGap
	return objectOrText(data, (*plain)(g), &g.Gap)
}

type openQuestion struct {
	Gap words `json:"gap"`
	Why words `json:"why"`
}

// judgement is the model's answer to the coverage prompt.
type judgement struct {
	Coverage coverage `json:"coverage"`
}

type coverage struct {
	Overall    share            `json:"overall"`
	Dimensions map[string]share `json:"dimensions,omitempty"`
	Reasoning  words            `json:"reasoning,omitempty"`
}

const (
	maxGaps     = 12 // of one round
	maxGapChars = 1_000

	maxSynthesisBytes = 60_000 // of the claims that are stored as the synthesis; the server accepts 100,000 characters
)

// criticise runs the critic in a separate conversation and closes the round. An unreadable critic does not sign off: it is
// reported as an evaluator failure, and the loop continues by its rules.
func (r *run) criticise(ctx context.Context) error {
	step := r.inRound("critic")
	m := r.ledger.meter()
	failures := []string{}
	var crit criticism
	var judged judgement
	heard, err := judge(ctx, r, m, "critic", criticWords, &crit, &failures)
	if err == nil {
		_, err = judge(ctx, r, m, "coverage", coverageWords, &judged, &failures)
	}
	if err == nil {
		err = r.update(ctx, step, m.take(), nil)
	}
	if err != nil {
		r.cutShort(ctx, step, m)
		return err
	}
	return r.close(ctx, crit, heard, judged.Coverage, failures)
}

// judge has the model answer one of the server's prompts. What kept it from that is added to failures.
func judge[T any](ctx context.Context, r *run, m *meter, name, asked string, out *T, failures *[]string) (bool, error) {
	if r.ledger.spentBudget() != "" {
		return false, nil
	}
	_, why, err := answered(ctx, r, m, name, name, asked, out)
	if why != "" {
		*failures = append(*failures, fmt.Sprintf("%s: %s", name, sanitize.Short(why, 200)))
	}
	return err == nil && why == "", err
}

// reflected is the answer of loop_reflect.
type reflected struct {
	Round struct {
		OpenGaps int  `json:"open_gaps"`
		SignOff  bool `json:"signoff"`
	} `json:"round"`
	Guardrails []string  `json:"guardrails"`
	Decision   decision  `json:"decision"`
	Remaining  remaining `json:"budget_remaining"`
}

// reflect calls loop_reflect as a step.
func (r *run) reflect(ctx context.Context, step string, in args) (out reflected, err error) {
	in["state_id"], in["operation_id"] = r.id, r.operation(step)
	if err = r.Server.callTwice(ctx, "loop_reflect", in, &out); err != nil {
		return out, err
	}
	r.decide(out.Decision)
	return out, nil
}

// close sends the criticism to the server. If the server rejects it, the round is closed without it.
func (r *run) close(ctx context.Context, crit criticism, heard bool, cover coverage, failures []string) error {
	in := args{"signoff": heard && bool(crit.SignOff)}
	if r.claims != nil {
		in["synthesis"] = r.inClaims()
	}
	for _, f := range crit.Failures {
		if fits(f, maxGapChars) {
			failures = append(failures, string(f))
		}
	}
	in["evaluator_failures"] = failures
	judged := cover.Overall.given
	if judged {
		in["coverage"] = cover.bounded()
	}
	if heard {
		in["gaps"] = r.readGaps(crit.Gaps)
		open, err := r.openGaps(ctx)
		if err != nil {
			return err
		}
		in["answered_gaps"] = slices.DeleteFunc(append([]words{}, crit.AnsweredGaps...), func(w words) bool { return !open[w] })
		in["open_questions"] = openQuestions(open, crit.OpenQuestions)
	}
	out, err := r.reflect(ctx, r.inRound("reflect"), in)
	if refused, ok := errors.AsType[*ToolError](err); ok {
		r.failed("critic", "the server rejects it: %s", sanitize.Short(refused.Text, 200))
		failures = append(failures, "critic: "+sanitize.Short(refused.Text, 200))
		out, err = r.reflect(ctx, r.inRound("reflect-anyway"), args{"signoff": false, "evaluator_failures": failures})
	}
	if err != nil {
		return err
	}
	said := ""
	if judged {
		said = fmt.Sprintf(", coverage %.2f", cover.Overall.value)
	}
	if len(out.Guardrails) > 0 {
		said += "; " + strings.Join(out.Guardrails, "; ")
	}
	if len(failures) > 0 {
		said += ", " + counted(len(failures), "evaluator failure")
	}
	r.say(Step, "critic", "%s open, sign-off %s%s", counted(out.Round.OpenGaps, "material gap"), yesNo(out.Round.SignOff), said)
	r.decided()
	r.say(Step, "budget", "%s", out.Remaining.words())
	r.ledger.setLeft(out.Remaining)
	r.count(&r.closed)
	r.result.Rounds = r.closed
	return nil
}

// inClaims returns the current claims as the synthesis of the loop.
func (r *run) inClaims() string {
	var b strings.Builder
	for _, c := range r.claims {
		if b.Len() > maxSynthesisBytes {
			break
		}
		fmt.Fprintf(&b, "%s\n", cited(c))
	}
	return strings.TrimSpace(b.String())
}

// readGaps returns the valid gaps.
func (r *run) readGaps(in list[writtenGap]) []writtenGap {
	out := []writtenGap{}
	for _, g := range firstOf(in, maxGaps) {
		if !fits(g.Gap, maxGapChars) {
			continue
		}
		g.Kind = oneOf(g.Kind, "modality", "unverified-claim", "unread-source", "missing-counterarg", "unresolved-contradiction",
			"question")
		g.Importance = oneOf(g.Importance, "critical", "important", "minor")
		g.Query = orNone(g.Query, maxGapChars)
		g.SourceTypes = slices.DeleteFunc(g.SourceTypes, func(t words) bool {
			return oneOf(t, "peer", "primary", "press", "practitioner") == ""
		})
		out = append(out, g)
	}
	if left := len(in) - len(out); left > 0 {
		r.failed("critic", "%s left out: empty, too long, or beyond %d", counted(left, "gap"), maxGaps)
	}
	return out
}

// openGaps returns the ids and texts of the open gaps.
func (r *run) openGaps(ctx context.Context) (map[words]bool, error) {
	var out struct {
		Details []struct {
			ID  words `json:"gap_id"`
			Gap words `json:"gap"`
		} `json:"details"`
	}
	if err := r.Server.callTwice(ctx, "loop_get_gaps", args{"state_id": r.id}, &out); err != nil {
		return nil, err
	}
	open := map[words]bool{}
	for _, g := range out.Details {
		open[g.ID], open[g.Gap] = true, true
	}
	return open, nil
}

// openQuestions returns the questions, or ids of open gaps, that have a reason.
func openQuestions(open map[words]bool, named []openQuestion) []openQuestion {
	return slices.DeleteFunc(append([]openQuestion{}, firstOf(named, maxGaps)...), func(q openQuestion) bool {
		return !fits(q.Why, maxGapChars) || !open[q.Gap] && !(fits(q.Gap, maxGapChars) && strings.ContainsRune(string(q.Gap), ' '))
	})
}

// bounded returns the coverage without what the server does not take.
func (c coverage) bounded() coverage {
	dimensions := map[string]share{}
	for name, v := range c.Dimensions {
		if v.given && fits(words(name), 200) && len(dimensions) < maxListed {
			dimensions[name] = v
		}
	}
	return coverage{c.Overall, dimensions, orNone(c.Reasoning, 2*maxGapChars)}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
