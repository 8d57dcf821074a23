package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// criticism is the answer of the critic, with the keys of loop_reflect.
type criticism struct {
	Gaps          list[writtenGap] `json:"gaps"`
	AnsweredGaps  list[words]      `json:"answered_gaps"`
	OpenQuestions list[openEnded]  `json:"open_questions"`
	Failures      list[words]      `json:"evaluator_failures"`
	SignOff       yes              `json:"signoff"`
}

type writtenGap struct {
	Gap         words       `json:"gap"`
	Kind        words       `json:"kind"`
	Query       words       `json:"query"`
	Priority    number      `json:"priority"`
	Material    *yes        `json:"material"`
	Importance  words       `json:"importance"`
	SourceTypes list[words] `json:"source_types"`
}

// UnmarshalJSON accepts a plain string, too.
func (g *writtenGap) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &g.Gap)
	}
	type plain writtenGap
	return json.Unmarshal(data, (*plain)(g))
}

type openEnded struct {
	Gap words `json:"gap"`
	Why words `json:"why"`
}

// coverage is the model's answer to the coverage prompt.
type coverage struct {
	Coverage struct {
		Overall    share            `json:"overall"`
		Dimensions map[string]share `json:"dimensions"`
		Reasoning  words            `json:"reasoning"`
	} `json:"coverage"`
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
	var failures []string
	judge := func(name, asked string, keys map[string]any, out any, wanted ...string) (bool, error) {
		if why := r.ledger.spentBudget(); why != "" {
			return false, nil
		}
		brief, err := r.Server.prompt(ctx, name, map[string]string{"state_id": r.id})
		if err != nil {
			return false, err
		}
		c := newConversation(handOverWords, brief+"\n\n"+asked, r.passagesTool(), handOver(keys))
		ended, err := r.runUntilHandOver(ctx, name, c, m, out, wanted...)
		if ends(err) {
			return false, err
		}
		if err != nil {
			ended = err.Error()
		}
		if ended != "" {
			r.failed(name, "ended: %s", ended)
			failures = append(failures, fmt.Sprintf("%s: %s", name, sanitize.Short(ended, 200)))
		}
		return ended == "", nil
	}
	var crit criticism
	gap := objectOf("gap", map[string]any{"gap": textType("one open question, as a sentence"), "kind": textType("modality, unverified-claim, unread-source, missing-counterarg or unresolved-contradiction"),
		"query": textType("the search that would close it"), "priority": map[string]any{"type": "number"}, "material": map[string]any{"type": "boolean"}, "importance": textType("critical, important or minor")})
	heard, err := judge("critic", criticWords, map[string]any{"gaps": listOf(gap), "answered_gaps": listOf(textType("such as G1")),
		"open_questions": listOf(objectOf("gap", map[string]any{"gap": textType(""), "why": textType("")})), "evaluator_failures": listOf(textType("a rubric that fails")),
		"signoff": map[string]any{"type": "boolean"}}, &crit, "signoff", "gaps", "answered_gaps")
	if err == nil {
		var cover coverage
		var judged bool
		judged, err = judge("coverage", coverageWords, map[string]any{"coverage": objectOf("overall", map[string]any{"overall": map[string]any{"type": "number"},
			"dimensions": map[string]any{"type": "object"}, "reasoning": textType("")})}, &cover, "coverage")
		if err == nil {
			if err = r.update(ctx, step, m.take(), nil); err == nil {
				return r.close(ctx, crit, heard, cover, judged, failures)
			}
		}
	}
	r.cutShort(ctx, step, m)
	return err
}

// reflected is the answer of loop_reflect.
type reflected struct {
	Round      row       `json:"round"`
	Guardrails []string  `json:"guardrails"`
	Decision   decision  `json:"decision"`
	Remaining  remaining `json:"budget_remaining"`
}

// close sends the criticism to the server. If the server rejects it, the round is closed without it.
func (r *run) close(ctx context.Context, crit criticism, heard bool, cover coverage, judged bool, failures []string) error {
	in := args{"state_id": r.id, "signoff": heard && bool(crit.SignOff), "synthesis": r.inClaims()}
	if r.claims == nil {
		delete(in, "synthesis")
	}
	for _, f := range crit.Failures {
		if fits(f, maxGapChars) {
			failures = append(failures, string(f))
		}
	}
	in["evaluator_failures"] = append([]string{}, failures...)
	if judged && cover.Coverage.Overall.given {
		in["coverage"] = cover.shown()
	}
	if heard {
		in["gaps"] = r.readGaps(crit.Gaps)
		open, err := r.openGaps(ctx)
		if err != nil {
			return err
		}
		in["answered_gaps"] = among(open, crit.AnsweredGaps)
		in["open_questions"] = openQuestions(open, crit.OpenQuestions)
	}
	var out reflected
	closing := func(step string, in args) error {
		in["operation_id"] = r.operation(r.inRound(step))
		return r.Server.callTwice(ctx, "loop_reflect", in, &out)
	}
	err := closing("reflect", in)
	if refused, ok := errors.AsType[*ToolError](err); ok {
		r.failed("critic", "the server rejects it: %s", sanitize.Short(refused.Text, 200))
		err = closing("reflect-anyway", args{"state_id": r.id, "signoff": false, "evaluator_failures": append(failures, "critic: "+sanitize.Short(refused.Text, 200))})
	}
	if err != nil {
		return err
	}
	said := ""
	if judged && cover.Coverage.Overall.given {
		said = fmt.Sprintf(", coverage %.2f", cover.Coverage.Overall.value)
	}
	if len(out.Guardrails) > 0 {
		said += "; " + strings.Join(out.Guardrails, "; ")
	}
	if len(failures) > 0 {
		said += ", " + counted(len(failures), "evaluator failure")
	}
	r.say(Step, "critic", "%s open, sign-off %s%s", counted(out.Round.OpenGaps, "material gap"), yesNo(out.Round.SignOff), said)
	r.decision = out.Decision
	r.decided()
	r.say(Step, "budget", "%s", out.Remaining.words())
	r.ledger.setLeft(out.Remaining)
	r.mu.Lock()
	r.closed++
	r.result.Rounds = r.closed
	r.mu.Unlock()
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
func (r *run) readGaps(in list[writtenGap]) []args {
	out := []args{}
	for _, g := range firstOf(in, maxGaps) {
		if !fits(g.Gap, maxGapChars) {
			continue
		}
		a := args{"gap": string(g.Gap)}
		if slices.Contains([]words{"modality", "unverified-claim", "unread-source", "missing-counterarg", "unresolved-contradiction", "question"}, g.Kind) {
			a["kind"] = string(g.Kind)
		}
		if slices.Contains([]words{"critical", "important", "minor"}, g.Importance) {
			a["importance"] = string(g.Importance)
		}
		if fits(g.Query, maxGapChars) {
			a["query"] = string(g.Query)
		}
		if g.Priority.given {
			a["priority"] = g.Priority.value
		}
		if g.Material != nil {
			a["material"] = bool(*g.Material)
		}
		types := []string{}
		for _, t := range g.SourceTypes {
			if slices.Contains([]words{"peer", "primary", "press", "practitioner"}, t) {
				types = append(types, string(t))
			}
		}
		if len(types) > 0 {
			a["source_types"] = types
		}
		out = append(out, a)
	}
	if left := len(in) - len(out); left > 0 {
		r.failed("critic", "%s left out: empty, too long, or beyond %d", counted(left, "gap"), maxGaps)
	}
	return out
}

// openGaps returns the ids and texts of the open gaps.
func (r *run) openGaps(ctx context.Context) (map[string]bool, error) {
	var out struct {
		Details []struct {
			ID  string `json:"gap_id"`
			Gap string `json:"gap"`
		} `json:"details"`
	}
	if err := r.Server.callTwice(ctx, "loop_get_gaps", args{"state_id": r.id}, &out); err != nil {
		return nil, err
	}
	open := map[string]bool{}
	for _, g := range out.Details {
		open[g.ID], open[g.Gap] = true, true
	}
	return open, nil
}

func among(open map[string]bool, named []words) []string {
	out := []string{}
	for _, w := range named {
		if open[string(w)] {
			out = append(out, string(w))
		}
	}
	return out
}

// openQuestions returns ids of open gaps, or questions; each needs a reason.
func openQuestions(open map[string]bool, named []openEnded) []args {
	out := []args{}
	for _, q := range firstOf(named, maxGaps) {
		if fits(q.Why, maxGapChars) && (open[string(q.Gap)] || fits(q.Gap, maxGapChars) && strings.ContainsRune(string(q.Gap), ' ')) {
			out = append(out, args{"gap": string(q.Gap), "why": string(q.Why)})
		}
	}
	return out
}

func (c coverage) shown() args {
	a := args{"overall": c.Coverage.Overall.value}
	dimensions := args{}
	for name, v := range c.Coverage.Dimensions {
		if v.given && fits(words(name), 200) && len(dimensions) < maxListed {
			dimensions[name] = v.value
		}
	}
	if len(dimensions) > 0 {
		a["dimensions"] = dimensions
	}
	if fits(c.Coverage.Reasoning, 2*maxGapChars) {
		a["reasoning"] = string(c.Coverage.Reasoning)
	}
	return a
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
