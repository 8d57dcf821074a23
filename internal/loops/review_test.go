package loops_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// bridgeText is a text with enough sentences for planted errors and controls.
var bridgeText = func() string {
	text, err := os.ReadFile("testdata/bridge.txt")
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
}()

// withReview returns a loop whose claims nobody has read.
func withReview(t *testing.T) (*harness, string, verify.Result) {
	t.Helper()
	h, loop := newLoop(t, "How important is the bridge at Port Arden?")
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	h.read(loop, "https://example.org/bridge")
	v := h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("Corrosion from salt made it necessary to renew the cables.", "S1"),
		verify.New("Heavy goods traffic more than doubles in the warm season.", "S1"),
		verify.New("Travellers save over half an hour compared with the old boat.", "S1"),
		verify.New("The fishing fleet has welcomed the crossing from the very beginning.", "S1"),
		verify.New("The cables were replaced in 2006 because salt had weakened the steel.", "S1"),
	}})
	return h, loop, v
}

// answerAll answers a whole batch, in as many calls as needed.
func answerAll(t *testing.T, h *harness, loop string, answer func(verify.ReviewItem) loopstate.ReviewAnswer) loops.ReviewResult {
	t.Helper()
	r := h.review(loops.ReviewInput{Loop: loop})
	for calls := 0; r.Status == loopstate.BatchOpen; calls++ {
		if calls > 40 || len(r.Items) == 0 {
			t.Fatalf("batch %s stays open with %d items left", r.Batch, r.Left)
		}
		var answers []loopstate.ReviewAnswer
		for _, it := range r.Items {
			a := answer(it)
			a.Item = it.Item
			answers = append(answers, a)
		}
		changed := r.Changed
		r = h.review(loops.ReviewInput{Loop: loop, Batch: r.Batch, Answers: answers})
		r.Changed = append(changed, r.Changed...)
	}
	return r
}

// roles returns the items of all batches by id, with what a reader cannot see.
func roles(h *harness, loop string) map[string]loopstate.ReviewItem {
	out := map[string]loopstate.ReviewItem{}
	for _, r := range h.stateOf(loop).Reviews {
		for _, it := range r.Items {
			out[it.Item] = it
		}
	}
	return out
}

// honest returns the answers of a good reader: it knows the truth of each item.
func honest(t *testing.T, h *harness, loop string) func(verify.ReviewItem) loopstate.ReviewAnswer {
	return func(it verify.ReviewItem) loopstate.ReviewAnswer {
		logged := roles(h, loop)[it.Item]
		words := strings.Fields(it.Passages[0].Text)
		quote := strings.Join(words[:4], " ")
		switch {
		case logged.Role == loopstate.ReviewPlanted:
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerContradicted, Quote: quote}
		case strings.Contains(it.Claim, "fishing fleet"):
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerContradicted, Quote: quote}
		}
		return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: quote}
	}
}

func TestReviewGroundsSupportedClaims(t *testing.T) {
	t.Parallel()
	h, loop, v := withReview(t)
	if v.Review.Pending != 5 || v.Verdict != verify.Review {
		t.Fatalf("pending %d, verdict %s, want 5 pending (%v)", v.Review.Pending, v.Verdict, statuses(v))
	}
	r := answerAll(t, h, loop, honest(t, h, loop))
	if r.Status != loopstate.BatchCounted || r.Planted.N < 3 || r.Planted.Good != r.Planted.N || r.Controls.N < 3 ||
		r.Controls.Good != r.Controls.N || r.Left != 0 {
		t.Fatalf("got %s, planted %+v, controls %+v, left %d", r.Status, r.Planted, r.Controls, r.Left)
	}
	to := map[string]string{}
	for _, c := range r.Changed {
		to[c.Claim] = c.To
	}
	if to["Corrosion from salt made it necessary to renew the cables."] != loopstate.Grounded ||
		to["The fishing fleet has welcomed the crossing from the very beginning."] == loopstate.Grounded {
		t.Errorf("changed: %+v", r.Changed)
	}
	again := h.check(loops.VerifyInput{Loop: loop,
		Claims: []verify.Claim{verify.New("Heavy goods traffic more than doubles in the warm season.", "S1")}})
	if c := again.Claims[0]; c.Status != loopstate.Grounded || c.Basis() != verify.BasisReview || c.Reading == nil ||
		again.Review.Pending != 0 {
		t.Errorf("verified again: %s %s, %d pending; a claim that was read is not asked again", c.Status, c.Basis(), again.Review.Pending)
	}
	// A reader who was believed once gets fewer test items.
	h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The speed of all traffic is restricted.", "S1")}})
	h.review(loops.ReviewInput{Loop: loop})
	counts := map[string]int{}
	for _, it := range h.stateOf(loop).Review("").Items {
		counts[it.Role]++
	}
	if diff := cmp.Diff(map[string]int{"pending": 1, "planted": 1, "control": 1}, counts); diff != "" {
		t.Errorf("items of the second batch (-want +got):\n%s", diff)
	}
}

// Batches of careless readers are void and change nothing, and the next batch has other items. A host whose two batches in a row were void
// gets no third: it would pass by chance. A person does.
func TestReviewVoidsBadReaders(t *testing.T) {
	t.Parallel()
	for name, reader := range map[string]func(verify.ReviewItem) loopstate.ReviewAnswer{
		"supports everything": func(it verify.ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: strings.Join(strings.Fields(it.Passages[0].Text)[:5],
				" ")}
		},
		"denies everything": func(verify.ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerNotStated}
		},
		"invents quotes": func(it verify.ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: "as everybody knows: " + it.Claim}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, loop, _ := withReview(t)
			planted := map[string]bool{}
			for batch := range 2 {
				if r := answerAll(t, h, loop, reader); r.Status != loopstate.BatchVoid || len(r.Changed) > 0 {
					t.Fatalf("batch %s is %s with %+v and %+v, changed %d", r.Batch, r.Status, r.Planted, r.Controls, len(r.Changed))
				}
				other := 0
				for _, it := range h.stateOf(loop).Reviews[batch].Items {
					if it.Role == loopstate.ReviewPlanted && !planted[it.Claim] {
						other++
						planted[it.Claim] = true
					}
				}
				if other == 0 {
					t.Error("the next batch has the planted errors of the void one")
				}
			}
			if _, err := h.Review(t.Context(), loops.ReviewInput{Loop: loop}); !loopstate.Has(err, loopstate.CodeReaderFailed) {
				t.Errorf("a third batch: %v", err)
			}
			h.review(loops.ReviewInput{Loop: loop, Reader: loopstate.Reader{Kind: loops.ReaderPerson}})
		})
	}
}

// A batch that is requested again is the same. Answers, by two readers or a repeated call, count once; an open batch does not reveal its
// score.
func TestReviewIsIdempotent(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	a := h.review(loops.ReviewInput{Loop: loop, Operation: "op-1"})
	if diff := cmp.Diff(a, h.review(loops.ReviewInput{Loop: loop, Operation: "op-1"})); diff != "" {
		t.Errorf("a second reader gets another batch:\n%s", diff)
	}
	item := a.Items[0].Item
	for i, answer := range []string{loopstate.AnswerNotStated, loopstate.AnswerContradicted} {
		r := h.review(loops.ReviewInput{Loop: loop, Operation: fmt.Sprintf("answer-%d", i),
			Answers: []loopstate.ReviewAnswer{{Item: item, Answer: answer, Quote: "The bridge at Port Arden"}}})
		if r.Planted.N != 0 || r.Controls.N != 0 || len(r.Changed) > 0 || r.Items[0].Item == item {
			t.Errorf("an open batch tells %+v %+v %+v, and hands out %s", r.Planted, r.Controls, r.Changed, r.Items[0].Item)
		}
	}
	r := h.stateOf(loop).Review("")
	if got := r.Answers[item].Answer; got != loopstate.AnswerNotStated || len(r.Answers) != 1 {
		t.Errorf("the item has the answer %s of %d, want the first", got, len(r.Answers))
	}
	refusal(t, errOf(h.Review(t.Context(), loops.ReviewInput{Loop: loop, Batch: "R9"})), "batch", loopstate.CodeUnknownBatch)
	refusal(t, errOf(h.Review(t.Context(), loops.ReviewInput{Loop: h.start("Nothing was verified here")})), "claims",
		loopstate.CodeNothingToRead)
}

// The seed of a batch differs between loops, and nothing that a reader can ask for shows it.
func TestSeedsAreSecret(t *testing.T) {
	t.Parallel()
	seeds := map[string]bool{}
	for range 2 {
		h, loop, _ := withReview(t)
		shown := []any{h.review(loops.ReviewInput{Loop: loop}).Items, h.report(loops.ReportInput{Loop: loop})}
		for _, name := range loops.Views() {
			shown = append(shown, h.view(loops.ViewInput{Loop: loop, View: name}))
		}
		seed := h.stateOf(loop).Reviews[0].Seed
		if seed == "" || seeds[seed] {
			t.Errorf("the seed %q", seed)
		}
		seeds[seed] = true
		for _, x := range shown {
			if body := must(json.Marshal(x))(t); strings.Contains(string(body), seed) {
				t.Errorf("%T shows the seed", x)
			}
		}
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
		for _, e := range h.log(loop) {
			if e.Kind == loopstate.KindReviewAnswered {
				answered++
			}
		}
		return h.stateOf(loop).Reviews[0].Status, answered
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
