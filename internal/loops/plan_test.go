package loops_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// withLog returns a loop with S1, a log of n entries on lines of their own, and the entries.
func withLog(t *testing.T, n int) (*harness, string, []string) {
	t.Helper()
	h := newHarness(t)
	loop := h.start("What did the lamps burn?")
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf("The keeper of tower %d burned %d litres of oil in the winter of %d.", i+1, 200+7*i, 1800+i)
	}
	h.web.put("https://example.org/log", "The log", strings.Join(entries, "\n\n"))
	h.read(loop, "https://example.org/log")
	return h, loop, entries
}

func lineOfEntry(i int) string { return fmt.Sprintf("S1:%d", 2*i+1) }

// draftOf is a draft that states the entries from one on and cites their lines.
func draftOf(entries []string, from int) string {
	var draft strings.Builder
	for i := from; i < len(entries); i++ {
		fmt.Fprintf(&draft, "%s [%s].\n\n", strings.TrimSuffix(entries[i], "."), lineOfEntry(i))
	}
	return draft.String()
}

// Of a long draft whose sentences cite lines, a sample is read, and all of it on request.
func TestLongDraftIsSampled(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 80)
	in := loops.VerifyInput{Loop: loop, Draft: draftOf(entries, 0)}
	v := h.check(in)
	if v.Verdict != verify.Review || v.Plan.Sampled != 20 || v.Plan.DrawnFrom != 80 || len(v.Plan.Next) != 20 || v.Review.Pending != 20 || v.Plan.AtMost != 1 {
		t.Fatalf("%s, %+v, %d pending", v.Verdict, v.Plan, v.Review.Pending)
	}
	v = readThrough(t, h, in, nil)
	if v.Verdict != verify.Pass || v.Tally.Supported != 20 || v.Plan.Unread != 60 || v.Plan.AtMost <= 0 || v.Plan.AtMost > 0.15 || v.Groundedness != 1 {
		t.Errorf("%s, %+v, %+v", v.Verdict, v.Tally, v.Plan)
	}
	if cause := v.Cause(); !strings.HasPrefix(cause, "pass: 20 of 80 sentences were read, all supported; of the 60 not read, at most ") {
		t.Error(cause)
	}
	in.Coverage = loopstate.CoverageAll
	if v, err := h.Verify(t.Context(), in); err != nil || v.Review.Pending != 60 || v.Verdict != verify.Review {
		t.Fatalf("all: %d pending, %s, %v", v.Review.Pending, v.Verdict, err)
	}
	if v = readThrough(t, h, in, nil); v.Verdict != verify.Pass || v.Tally.Supported != 80 || v.Plan.Unread != 0 {
		t.Errorf("all: %s, %+v", v.Verdict, v.Tally)
	}
}

// A sample in which a sentence fails is doubled.
func TestSampleGrowsWithFailures(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 80)
	in := loops.VerifyInput{Loop: loop, Draft: draftOf(entries, 0)}
	v := h.check(in)
	failing := map[string]string{}
	for _, c := range v.Claims {
		if c.Key == v.Plan.Next[0] {
			failing[c.Text] = loopstate.AnswerPartly
		}
	}
	if v = readThrough(t, h, in, failing); v.Verdict != verify.Pass || v.Plan.Sampled != 40 || v.Plan.Failed != 1 || v.Tally.Supported != 39 || v.Tally.Partly != 1 {
		t.Errorf("%s, %+v, %+v", v.Verdict, v.Tally, v.Plan)
	}
}

// What a verification waits for can be read, however many claims other verifications of the loop had.
func TestEachTextIsPlannedForItself(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 90)
	listed := func(from, to int) loops.VerifyInput {
		in := loops.VerifyInput{Loop: loop}
		for i := from; i < to; i++ {
			in.Claims = append(in.Claims, verify.New(entries[i], lineOfEntry(i)))
		}
		return in
	}
	first, second := listed(0, 30), listed(30, 60)
	h.check(first)
	if v, err := h.Verify(t.Context(), second); err != nil || v.Review.Pending != 60 {
		t.Errorf("%d pending of two lists of 30, %v", v.Review.Pending, err)
	}
	for _, in := range []loops.VerifyInput{second, first} {
		if v := readThrough(t, h, in, nil); v.Verdict != verify.Pass || v.Tally.Supported != 30 {
			t.Errorf("%s", v.Cause())
		}
	}
	last := draftOf(entries, 60)
	if v := readThrough(t, h, loops.VerifyInput{Loop: loop, Draft: last + last}, nil); v.Verdict != verify.Pass || v.Tally.Supported != 60 {
		t.Errorf("%s", v.Cause())
	}
}

// A reading names who read, here and in other loops.
func TestReadingsNameTheirReader(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	ada := loopstate.Reader{Kind: loops.ReaderPerson, Name: "ada"}
	batch := h.review(loops.ReviewInput{Loop: loop, Limit: loopstate.MaxReviewItems, Reader: ada})
	good := honest(t, h, loop)
	var answers []loopstate.ReviewAnswer
	for _, it := range batch.Items {
		a := good(it)
		a.Item = it.Item
		answers = append(answers, a)
	}
	if r, err := h.Review(t.Context(), loops.ReviewInput{Loop: loop, Batch: batch.Batch, Answers: answers, Reader: ada}); err != nil || r.Status != loopstate.BatchCounted {
		t.Fatalf("%s, %v", r.Status, err)
	}
	other := h.start("Is the bridge busy?")
	h.read(other, "https://example.org/bridge")
	for _, loop := range []string{loop, other} {
		v := h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("Heavy goods traffic more than doubles in the warm season.", "S1")}})
		if c := v.Claims[0]; c.Reading == nil || c.Reading.Reader != ada || !strings.Contains(c.Because, "person ada") {
			t.Errorf("%+v: %s", c.Reading, c.Because)
		}
	}
}

// The seed of a batch cannot be worked out from the log, and nothing that a reader can ask for shows it.
func TestSeedsAreSecret(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	seeds := map[string]bool{}
	for range 2 {
		loop := h.start("How important is the bridge?")
		h.read(loop, "https://example.org/bridge")
		h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("Heavy goods traffic more than doubles in the warm season.", "S1")}})
		r := h.review(loops.ReviewInput{Loop: loop})
		seed := h.stateOf(loop).Reviews[0].Seed
		if seed == "" || seeds[seed] {
			t.Errorf("the seed %q", seed)
		}
		seeds[seed] = true
		shown := []any{r.Items}
		for _, name := range loops.Views() {
			v := h.view(loops.ViewInput{Loop: loop, View: name})
			shown = append(shown, v)
		}
		detail := must(h.Detail(t.Context(), loop, 0))(t)
		doc := h.report(loops.ReportInput{Loop: loop})
		for _, x := range append(shown, detail, doc) {
			body := must(json.Marshal(x))(t)
			if strings.Contains(string(body), seed) {
				t.Errorf("%T shows the seed", x)
			}
		}
	}
}
