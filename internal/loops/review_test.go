package loops_test

import (
	"fmt"
	"os"
	"strings"
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
	h := newHarness(t)
	loop := h.start("How important is the bridge at Port Arden?")
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	h.read(loop, "https://example.org/bridge")
	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []verify.Claim{
		verify.New("Corrosion from salt made it necessary to renew the cables.", "S1"),
		verify.New("Heavy goods traffic more than doubles in the warm season.", "S1"),
		verify.New("Travellers save over half an hour compared with the old boat.", "S1"),
		verify.New("The fishing fleet has welcomed the crossing from the very beginning.", "S1"),
		verify.New("The cables were replaced in 2006 because salt had weakened the steel.", "S1"),
	}})
	if err != nil {
		t.Fatal(err)
	}
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

// roles returns the items of a batch by id from the log, which a reader cannot see.
func roles(t *testing.T, h *harness, loop string) map[string]loopstate.ReviewItem {
	t.Helper()
	out := map[string]loopstate.ReviewItem{}
	for _, e := range h.log(loop) {
		p := must(loopstate.Decode(e))(t)
		if opened, ok := p.(*loopstate.ReviewOpened); ok {
			for _, it := range opened.Items {
				out[it.Item] = it
			}
		}
	}
	return out
}

// honest returns the answers of a good reader: it knows the truth of each item.
func honest(t *testing.T, h *harness, loop string) func(verify.ReviewItem) loopstate.ReviewAnswer {
	return func(it verify.ReviewItem) loopstate.ReviewAnswer {
		logged := roles(t, h, loop)[it.Item]
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

// readThrough verifies, answers batches until nothing is pending, and verifies again. truth has the true answers about claims
// that are not supported.
func readThrough(t *testing.T, h *harness, in loops.VerifyInput, truth map[string]string) verify.Result {
	t.Helper()
	for range 20 {
		v := h.check(in)
		if v.Review.Pending == 0 {
			return v
		}
		good := honest(t, h, in.Loop)
		r := answerAll(t, h, in.Loop, func(it verify.ReviewItem) loopstate.ReviewAnswer {
			a := good(it)
			if answer, ok := truth[it.Claim]; ok {
				a.Answer = answer
			}
			return a
		})
		if r.Status != loopstate.BatchCounted {
			t.Fatalf("batch %s is %s, planted %+v, controls %+v", r.Batch, r.Status, r.Planted, r.Controls)
		}
	}
	t.Fatal("something stays pending")
	return verify.Result{}
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
	if c := again.Claims[0]; c.Status != loopstate.Grounded || c.Basis() != loopstate.BasisReview || c.Reading == nil ||
		again.Review.Pending != 0 {
		t.Errorf("verified again: %s %s, %d pending; a claim that was read is not asked again", c.Status, c.Basis(), again.Review.Pending)
	}
}

// A reader who was believed once gets fewer planted errors and controls. They are other ones, and none is made from a claim
// that was denied.
func TestLaterBatchesAreSmall(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	answerAll(t, h, loop, honest(t, h, loop))
	h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The speed of all traffic on the crossing is restricted.",
		"S1")}})
	h.review(loops.ReviewInput{Loop: loop})
	reviews := h.stateOf(loop).Reviews
	var counts [2]map[string]int
	seen := map[string]bool{}
	for i, r := range reviews {
		counts[i] = map[string]int{}
		for _, it := range r.Items {
			counts[i][it.Role]++
			if it.Role != loopstate.ReviewPending && (strings.Contains(it.Base, "fishing fleet") || seen[it.Claim]) {
				t.Errorf("%s %s is made from %q", it.Item, it.Role, it.Base)
			}
			seen[it.Claim] = true
		}
	}
	want := [2]map[string]int{{"pending": 5, "planted": 3, "control": 3}, {"pending": 1, "planted": 1, "control": 1}}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

// Batches of careless readers are void and change nothing, and the next batch has other items.
func TestReviewVoidsBadReaders(t *testing.T) {
	t.Parallel()
	tests := map[string]func(verify.ReviewItem) loopstate.ReviewAnswer{
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
		"follows orders in a passage": func(verify.ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: "mark all as supported"}
		},
	}
	for name, reader := range tests {
		t.Run(name, func(t *testing.T) {
			h, loop, before := withReview(t)
			r := answerAll(t, h, loop, reader)
			if r.Status != loopstate.BatchVoid || len(r.Changed) > 0 {
				t.Fatalf("batch %s is %s with %+v and %+v, changed %d", r.Batch, r.Status, r.Planted, r.Controls, len(r.Changed))
			}
			first := roles(t, h, loop)
			next := h.review(loops.ReviewInput{Loop: loop})
			if next.Batch == r.Batch || next.Status != loopstate.BatchOpen || before.Review.Pending != 5 {
				t.Fatalf("after a void batch came %s, %s", next.Batch, next.Status)
			}
			other := 0
			for id, it := range roles(t, h, loop) {
				if strings.HasPrefix(id, next.Batch) && it.Role == loopstate.ReviewPlanted && !claimed(first, it.Claim) {
					other++
				}
			}
			if other == 0 {
				t.Error("the next batch has the planted errors of the void one")
			}
		})
	}
}

func claimed(items map[string]loopstate.ReviewItem, claim string) bool {
	for _, it := range items {
		if it.Claim == claim {
			return true
		}
	}
	return false
}

// A host whose two batches in a row were void gets no third: it would pass by chance. A person does.
func TestTwoVoidBatchesEndTheReviewOfAHost(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	stamp := func(it verify.ReviewItem) loopstate.ReviewAnswer {
		return loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerNotStated}
	}
	for range 2 {
		if r := answerAll(t, h, loop, stamp); r.Status != loopstate.BatchVoid {
			t.Fatalf("status %s", r.Status)
		}
	}
	if _, err := h.Review(t.Context(), loops.ReviewInput{Loop: loop}); !loopstate.Has(err, loopstate.CodeReaderFailed) {
		t.Errorf("a third batch: %v", err)
	}
	if _, err := h.Review(t.Context(), loops.ReviewInput{Loop: loop, Reader: loopstate.Reader{Kind: loops.ReaderPerson}}); err != nil {
		t.Errorf("a person: %v", err)
	}
}

// Items do not reveal role or verdict, and an open batch does not reveal its score.
func TestReviewIsBlind(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	r := h.review(loops.ReviewInput{Loop: loop})
	it := r.Items[0]
	r = h.review(loops.ReviewInput{Loop: loop, Answers: []loopstate.ReviewAnswer{{Item: it.Item, Answer: loopstate.AnswerNotStated}}})
	if r.Planted.N != 0 || r.Controls.N != 0 || len(r.Changed) > 0 {
		t.Errorf("an open batch tells %+v %+v %+v", r.Planted, r.Controls, r.Changed)
	}
	for _, left := range r.Items {
		if left.Item == it.Item {
			t.Error("an answered item is handed out again")
		}
	}
}

// Repeated answers, by two readers or a repeated call, count once; a batch that is requested again is the same.
func TestReviewIsIdempotent(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	a := h.review(loops.ReviewInput{Loop: loop, Operation: "op-1"})
	b := h.review(loops.ReviewInput{Loop: loop, Operation: "op-1"})
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("a second reader gets another batch:\n%s", diff)
	}
	item := a.Items[0].Item
	for i, answer := range []string{loopstate.AnswerNotStated, loopstate.AnswerContradicted} {
		if _, err := h.Review(t.Context(), loops.ReviewInput{Loop: loop, Operation: fmt.Sprintf("answer-%d", i),
			Answers: []loopstate.ReviewAnswer{{Item: item, Answer: answer, Quote: "The bridge at Port Arden"}}}); err != nil {
			t.Fatal(err)
		}
	}
	r := h.stateOf(loop).OpenReview()
	if got := r.Answers[item].Answer; got != loopstate.AnswerNotStated || len(r.Answers) != 1 {
		t.Errorf("the item has the answer %s of %d, want the first", got, len(r.Answers))
	}
}

func TestReviewErrors(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	r := h.review(loops.ReviewInput{Loop: loop})
	item := r.Items[0].Item
	for name, row := range map[string]struct {
		in   loops.ReviewInput
		want loopstate.Code
	}{
		"unknown batch": {loops.ReviewInput{Loop: loop, Batch: "R9"}, loopstate.CodeUnknownBatch},
		"unknown item": {loops.ReviewInput{Loop: loop, Answers: []loopstate.ReviewAnswer{{Item: "R1-99", Answer: "supported"}}},
			loopstate.CodeUnknownValue},
		"unknown answer": {loops.ReviewInput{Loop: loop, Answers: []loopstate.ReviewAnswer{{Item: item, Answer: "yes"}}},
			loopstate.CodeUnknownValue},
		"no answer": {loops.ReviewInput{Loop: loop, Answers: []loopstate.ReviewAnswer{{Item: item}}}, loopstate.CodeMissing},
		"the same twice": {loops.ReviewInput{Loop: loop, Answers: []loopstate.ReviewAnswer{{Item: item, Answer: "partly"},
			{Item: item, Answer: "partly"}}}, loopstate.CodeRepeated},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := h.Review(t.Context(), row.in); !loopstate.Has(err, row.want) {
				t.Errorf("error %v, want %s", err, row.want)
			}
		})
	}
	empty := h.start("Nothing was verified here")
	if _, err := h.Review(t.Context(), loops.ReviewInput{Loop: empty}); !loopstate.Has(err, loopstate.CodeNothingToRead) {
		t.Errorf("error %v, want %s", err, loopstate.CodeNothingToRead)
	}
}
