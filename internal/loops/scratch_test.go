package loops_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// A scratch check reads and checks as another does, with readings from elsewhere, and leaves no trace: in the loop, or without one.
func TestScratchLeavesNoTrace(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("How important is the bridge at Port Arden?")
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	h.web.put("https://mirror.example/bridge", "The bridge", bridgeText)
	draft := "The cables were replaced in 2006 [a](https://example.org/bridge) [b](https://mirror.example/bridge).\n"
	heads := len(must(h.Heads(t.Context()))(t))
	for _, in := range []loops.VerifyInput{{Loop: loop, Draft: draft, Scratch: true}, {Draft: draft, Scratch: true}} {
		v := h.check(in)
		if v.Dead > 0 || len(v.Pending) != 1 || v.Claims[0].Origins != 1 {
			t.Errorf("loop %q: %d dead, %d wait, %d origins: %v", in.Loop, v.Dead, len(v.Pending), v.Claims[0].Origins, v.Flags)
		}
		in.Known = func(c verify.Claim) (loopstate.Reading, bool) {
			return loopstate.Reading{Item: "a lock", Answer: loopstate.AnswerSupported}, c.Key != ""
		}
		if v = h.check(in); v.Verdict != verify.Pass || v.Claims[0].Confidence != 0 {
			t.Errorf("a known reading: %s, confidence %v", v.Verdict, v.Claims[0].Confidence)
		}
	}
	if n := len(must(h.Heads(t.Context()))(t)); n != heads || len(h.log(loop)) != 1 {
		t.Errorf("%d loops, want %d; the loop has %d events", n, heads, len(h.log(loop)))
	}
}

// Two processes answer one batch: it is decided once, by the first answers, and stays as it was decided.
func TestBatchIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	items := h.review(loops.ReviewInput{Loop: loop, Limit: loopstate.MaxReviewItems}).Items
	stamped := make([]loopstate.ReviewAnswer, len(items))
	for i, it := range items {
		stamped[i] = loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerSupported}
	}
	var both sync.WaitGroup
	for _, svc := range []*loops.Service{h.service(), h.service()} {
		both.Go(func() {
			if _, err := svc.Review(t.Context(), loops.ReviewInput{Loop: loop, Batch: "R1", Answers: stamped}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	decided := func() (status string, answered int) {
		st, err := h.service().Snapshot(t.Context(), loop, 0)
		noError(t, err)
		for _, e := range h.log(loop) {
			if e.Kind == loopstate.KindReviewAnswered {
				answered++
			}
		}
		return st.Reviews[0].Status, answered
	}
	if status, n := decided(); status != loopstate.BatchVoid || n != 1 {
		t.Fatalf("%s after %d answers", status, n)
	}
	for i, it := range items { // careful answers come too late
		if !strings.Contains(bridgeText, strings.TrimSuffix(it.Claim, ".")) {
			stamped[i].Answer = loopstate.AnswerNotStated
		}
	}
	h.review(loops.ReviewInput{Loop: loop, Batch: "R1", Answers: stamped})
	if status, n := decided(); status != loopstate.BatchVoid || n != 1 {
		t.Errorf("a void batch is answered again: %s after %d answers", status, n)
	}
}
