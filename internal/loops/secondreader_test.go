package loops_test

import (
	"context"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// model is a reader that sees only the items. It answers as answer does, or leaves all but some items without an answer.
type model struct {
	answer func(verify.ReviewItem) loopstate.ReviewAnswer
	fails  bool
	asked  int
}

func (m *model) Model() string { return "model-x" }

func (m *model) Read(_ context.Context, items []verify.ReviewItem) (reader.Reading, error) {
	m.asked++
	if m.fails {
		return reader.Reading{Problem: "HTTP 500"}, nil
	}
	out := reader.Reading{Tokens: 1_000}
	for _, it := range items {
		a := m.answer(it)
		a.Item = it.Item
		out.Answers = append(out.Answers, a)
	}
	return out, nil
}

// withModel returns a loop whose claims nobody has read, for a model.
func withModel(t *testing.T, answer func(verify.ReviewItem) loopstate.ReviewAnswer) (*harness, string, *model, verify.Result) {
	t.Helper()
	h, loop, v := withReview(t)
	m := &model{answer: answer}
	if answer == nil {
		m.answer = honest(t, h, loop)
	}
	h.ClaimReader = m
	return h, loop, m, v
}

// readByModel verifies a claim again with a model as reader.
func readByModel(t *testing.T, h *harness, loop, judge string) verify.Result {
	t.Helper()
	return h.check(loops.VerifyInput{Loop: loop, Judge: judge, Claims: []verify.Claim{
		verify.New("Corrosion from salt made it necessary to renew the cables.", "S1"),
		verify.New("The fishing fleet has welcomed the crossing from the very beginning.", "S1")}})
}

func flagged(v verify.Result, part string) bool {
	for _, f := range v.Flags {
		if strings.HasPrefix(f, loops.FlagNotReviewed) && strings.Contains(f, part) {
			return true
		}
	}
	return false
}

func TestModelReviewsPendingClaims(t *testing.T) {
	t.Parallel()
	for _, judge := range []string{"", loops.JudgeModel} {
		h, loop, m, before := withModel(t, nil)
		if v := readByModel(t, h, loop, loops.JudgeNone); m.asked != 0 || v.Review.Pending != before.Review.Pending {
			t.Fatalf("%d requests with judge none, %d pending", m.asked, v.Review.Pending)
		}
		v := readByModel(t, h, loop, judge)
		if c := v.Claims[0]; c.Status != loopstate.Grounded || c.Basis() != verify.BasisReview || v.Review.Pending != 0 {
			t.Errorf("%s by %q, %d pending, flags %q", c.Status, c.Basis(), v.Review.Pending, v.Flags)
		}
		if c := v.Claims[1]; c.Status == loopstate.Grounded || !c.Contradicted() {
			t.Errorf("a contradicted claim is %s", c.Status)
		}
		st := h.stateOf(loop)
		if r := st.Reviews[0]; r.Status != loopstate.BatchCounted || len(r.Readers) != 1 ||
			r.Readers[0] != (loopstate.Reader{Kind: loops.ReaderEndpoint, Name: "model-x"}) {
			t.Errorf("batch %s was read by %v", r.Status, r.Readers)
		}
		if st.Usage.Tokens != 1_000*m.asked {
			t.Errorf("%d tokens after %d requests", st.Usage.Tokens, m.asked)
		}
		asked := m.asked
		if readByModel(t, h, loop, judge); m.asked != asked {
			t.Error("what was read is asked again")
		}
	}
}

// A careless model has two void batches, changes nothing, and is not asked again unless demanded.
func TestModelThatDoesNotReadIsVoid(t *testing.T) {
	t.Parallel()
	h, loop, m, before := withModel(t, func(it verify.ReviewItem) loopstate.ReviewAnswer {
		return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: strings.Join(strings.Fields(it.Passages[0].Text)[:5], " ")}
	})
	v := readByModel(t, h, loop, "")
	if !flagged(v, "batch R1 is void") || !flagged(v, "batch R2 is void") || v.Review.Pending != before.Review.Pending ||
		v.Claims[0].Status != before.Claims[0].Status || len(h.stateOf(loop).Reviews) != 2 {
		t.Errorf("%s, %d pending, flags %q", v.Claims[0].Status, v.Review.Pending, v.Flags)
	}
	asked := m.asked
	if v := readByModel(t, h, loop, ""); m.asked != asked || !flagged(v, "two void batches") {
		t.Errorf("asked again after two void batches, flags %q", v.Flags)
	}
	if readByModel(t, h, loop, loops.JudgeModel); m.asked == asked {
		t.Error("not asked although the caller wants it")
	}
}

// After an endpoint fails, its claims stay open, and a later call continues. Without tokens it is not asked.
func TestModelThatFailsLeavesItemsOpen(t *testing.T) {
	t.Parallel()
	h, loop, m, before := withModel(t, nil)
	m.fails = true
	v := readByModel(t, h, loop, loops.JudgeModel)
	if !flagged(v, "of batch R1 have no answer yet") || v.Review.Batch != "R1" || v.Review.Pending != before.Review.Pending {
		t.Errorf("batch %q, %d pending, flags %q", v.Review.Batch, v.Review.Pending, v.Flags)
	}
	m.fails = false
	if v := readByModel(t, h, loop, loops.JudgeModel); v.Review.Pending != 0 || len(h.stateOf(loop).Reviews) != 1 {
		t.Errorf("%d pending after the endpoint recovered, flags %q", v.Review.Pending, v.Flags)
	}
	h, loop, m, _ = withModel(t, nil)
	h.update(loop, loopstate.UpdateInput{Usage: loopstate.Usage{Tokens: loopstate.DefaultTokens}})
	if v := readByModel(t, h, loop, loops.JudgeModel); m.asked != 0 || !flagged(v, "0 tokens left") {
		t.Errorf("%d requests, flags %q", m.asked, v.Flags)
	}
}
