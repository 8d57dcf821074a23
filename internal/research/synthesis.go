package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// synthesis is the answer of the synthesizer.
type synthesis struct {
	Claims         list[writtenClaim]  `json:"claims"`
	Contradictions list[contradiction] `json:"contradictions"`
	Drop           list[words]         `json:"drop" about:"ids of claims, such as C3"`
}

type writtenClaim struct {
	Claim      words       `json:"claim" about:"one sentence with one assertion"`
	SourceIDs  list[words] `json:"source_ids" about:"with the lines that say it: S1:120-128"`
	Confidence words       `json:"confidence" about:"high, med or low"`
}

// contradiction is one of the synthesizer's answer, and of the server's input.
type contradiction struct {
	Topic      words       `json:"topic"`
	Resolution words       `json:"resolution,omitempty"`
	Why        words       `json:"why,omitempty" about:"why it stays open"`
	SourceIDs  list[words] `json:"source_ids"`
}

const (
	maxClaimChars = 1_000 // a longer sentence makes several claims
	maxNewClaims  = 40    // of one round
	maxClaims     = 300   // on record; the server checks up to 500 at once
)

// claimed runs the synthesizer, verifies its claims together with the current ones, lets it correct failed claims once, and
// records those that passed.
func (r *run) claimed(ctx context.Context) error {
	step := r.inRound("claims")
	if r.done(step) {
		return nil
	}
	if err := r.loadClaims(ctx); err != nil { // the claims with their ids, which the synthesizer may drop
		return err
	}
	if len(r.known) == 0 {
		r.say(Refused, "synthesis", "nothing was read, so there are no claims")
		return nil
	}
	m := r.ledger.meter()
	var got synthesis
	c, _, err := answered(ctx, r, m, "synthesis", "synthesize", synthesisWords, &got)
	if err == nil {
		err = r.check(ctx, c, m, got)
	}
	if err != nil {
		r.cutShort(ctx, step, m)
		return err
	}
	return r.record(ctx, step, m.take(), got)
}

// check verifies the new claims together with the current ones. Failed claims are corrected once and dropped if they fail
// again. The last verification covers exactly the claims that are kept.
func (r *run) check(ctx context.Context, c *conversation, m *meter, got synthesis) error {
	current := slices.DeleteFunc(slices.Clone(r.claims), func(c claim) bool { return slices.Contains(got.Drop, words(c.ID)) && c.ID != "" })
	fresh := r.readClaims(got.Claims)
	r.say(Step, "synthesis", "%s handed over, %d from before", counted(len(fresh), "claim"), len(current))
	mended := false
	for try := 0; ; try++ {
		all := merged(current, fresh)
		if len(all) == 0 {
			r.claims = nil
			return nil
		}
		v, err := r.verify(ctx, args{"claims": sent(all)})
		if err != nil {
			return err
		}
		bad := v.failing()
		r.say(Step, "verify", "%d of %d supported, %d not read or in part, %d unsupported, %d invented", v.Counts[grounded], len(all), v.Counts[inferred], v.Counts[unsupported], len(v.Hallucinated))
		if r.invented(v); len(bad) == 0 {
			r.claims = all
			return nil
		}
		kept := slices.DeleteFunc(all, func(c claim) bool { _, failed := bad[c.Claim]; return failed })
		fresh, current = nil, kept
		r.drop("claim", bad)
		switch {
		case !mended && r.ledger.spentBudget() == "":
			mended = true
			again, err := r.correctClaims(ctx, c, m, bad)
			if err != nil {
				return err
			}
			fresh = again
		case try > 6: // each try drops at least one claim; more than two are rare
			r.claims = nil
			return nil
		}
	}
}

// correctClaims asks the model for corrected claims.
func (r *run) correctClaims(ctx context.Context, c *conversation, m *meter, bad map[string]complaint) ([]claim, error) {
	var b strings.Builder
	b.WriteString(mendClaimsWords)
	for _, k := range sortedByText(bad) {
		fmt.Fprintf(&b, "\n- %s", k.words())
	}
	c.say(b.String())
	var again synthesis
	if why, err := r.handedOver(ctx, "synthesis", c, m, &again); err != nil || why != "" {
		return nil, err // the failed claims are dropped
	}
	return r.readClaims(again.Claims), nil
}

// readClaims returns the well-formed claims. The server checks their ids.
func (r *run) readClaims(in list[writtenClaim]) []claim {
	var out []claim
	left := 0
	for _, w := range in {
		c := claim{Claim: strings.Join(strings.Fields(string(w.Claim)), " "), Confidence: confidence(w.Confidence)}
		for _, id := range w.SourceIDs {
			c.SourceIDs = append(c.SourceIDs, strings.Trim(string(id), "[] "))
		}
		if !fits(words(c.Claim), maxClaimChars) || len(out) == maxNewClaims {
			left++
			continue
		}
		out = append(out, c)
	}
	if left > 0 {
		r.failed("synthesis", "%s left out: empty, too long, or beyond %d", counted(left, "claim"), maxNewClaims)
	}
	return out
}

func confidence(w words) string {
	switch s := strings.ToLower(string(w)); s {
	case "high", "low", "med":
		return s
	case "medium":
		return "med"
	}
	return ""
}

// merged adds new claims; a claim with the same text replaces the older one.
func merged(current, fresh []claim) []claim {
	all := slices.Clone(current)
	for _, f := range fresh {
		all = slices.DeleteFunc(all, func(c claim) bool { return strings.EqualFold(c.Claim, f.Claim) })
		all = append(all, f)
	}
	if len(all) > maxClaims {
		all = all[len(all)-maxClaims:]
	}
	return all
}

// sent returns claims as the server takes them.
func sent(claims []claim) []claim {
	out := make([]claim, len(claims))
	for i, c := range claims {
		out[i] = claim{Claim: c.Claim, SourceIDs: append([]string{}, c.SourceIDs...), Confidence: c.Confidence}
	}
	return out
}

// verify verifies claims or a draft. If citations of unread sources make the result an error, the error has the verdicts.
func (r *run) verify(ctx context.Context, what args) (v verification, err error) {
	what["state_id"], what["all"] = r.id, true
	err = r.Server.Call(ctx, "verify_citations", what, &v)
	if refused, ok := errors.AsType[*ToolError](err); ok && json.Unmarshal(refused.Body, &v) == nil && v.Verdict != "" {
		return v, nil
	}
	return v, err
}

// invented counts and reports citations of unread sources.
func (r *run) invented(v verification) {
	for _, h := range v.Hallucinated {
		r.count(&r.result.Invented)
		r.say(Refused, "verify", "invented: %s, which was never read, in %q", sanitize.Short(h.Citation, 60), sanitize.Short(h.Claim, 120))
	}
}

// record ends the step. If the server rejects the contradictions, the claims are recorded without them.
func (r *run) record(ctx context.Context, step string, spent llm.Usage, got synthesis) error {
	in := args{"claims": sent(r.claims)}
	var disputes []contradiction
	for _, x := range firstOf(got.Contradictions, 20) {
		if fits(x.Topic, maxClaimChars) && fits(x.Resolution+x.Why, 2*maxClaimChars) {
			ids := list[words]{}
			for _, id := range r.existing(x.SourceIDs) {
				ids = append(ids, words(id))
			}
			x.SourceIDs = ids
			disputes = append(disputes, x)
		}
	}
	if len(disputes) == 0 {
		return r.update(ctx, step, spent, in)
	}
	in["contradictions"] = disputes
	return r.orElse("synthesis", step, r.update(ctx, step, spent, in), func() error {
		delete(in, "contradictions")
		return r.update(ctx, step, spent, in)
	})
}

// orElse repeats a step in another way where err is the server's rejection of the first.
func (r *run) orElse(who, step string, err error, again func() error) error {
	refused, ok := errors.AsType[*ToolError](err)
	if !ok {
		return err
	}
	r.failed(who, "the server rejects it: %s", sanitize.Short(refused.Text, 200))
	r.forget(step)
	return again()
}

// existing returns the ids of known sources.
func (r *run) existing(ids []words) []string {
	out := []string{}
	for _, ref := range ids {
		id := withoutLines(strings.Trim(string(ref), "[] "))
		if _, ok := r.known[id]; ok {
			out = append(out, id)
		}
	}
	return out
}
