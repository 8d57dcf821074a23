package loops_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// literal is a reader that finds a claim supported where a passage has its words, and knows what is planted.
func literal(t *testing.T, h *harness, loop string) func(verdict.ReviewItem) loopstate.ReviewAnswer {
	return func(it verdict.ReviewItem) loopstate.ReviewAnswer {
		said := strings.TrimSuffix(it.Claim, ".")
		for _, p := range it.Passages {
			if strings.Contains(p.Text, said) {
				return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: said}
			}
		}
		if roles(t, h, loop)[it.Item].Role == loopstate.ReviewPlanted {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerContradicted, Quote: strings.TrimSpace(it.Passages[0].Text)}
		}
		return loopstate.ReviewAnswer{Answer: loopstate.AnswerNotStated}
	}
}

// A claim whose line does not say it is shown once more with lines that may. The host hears where it stands; its words stay.
func TestSecondLook(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	absent := "The keeper of tower 4 sold 221 litres of paraffin to a neighbour"
	draft := draftOf(entries[:3], 0) + strings.TrimSuffix(entries[3], ".") + " [" + lineOfEntry(9) + "].\n\n" + absent + " [" + lineOfEntry(3) + "].\n"
	in := loops.VerifyInput{Loop: loop, Draft: draft}
	if v, err := h.Verify(t.Context(), in); err != nil || v.Review.Pending != 5 {
		t.Fatal(v.Review.Pending, err)
	}
	r := answerAll(t, h, loop, literal(t, h, loop))
	if r.Status != loopstate.BatchCounted || len(r.Changed) != 3 || r.Left != 2 {
		t.Fatalf("first look: %s, %+v, %d left", r.Status, r.Changed, r.Left)
	}
	v, err := h.Verify(t.Context(), in)
	if err != nil || v.Verdict != verify.Review || v.Tally.Supported != 3 || v.Tally.NotStated != 0 || v.Tally.Unread != 2 || v.Review.Pending != 2 {
		t.Fatalf("between the looks: %s, %+v, %v", v.Verdict, v.Tally, err)
	}
	r = answerAll(t, h, loop, literal(t, h, loop))
	if r.Status != loopstate.BatchCounted || len(r.Changed) != 2 || r.Left != 0 {
		t.Fatalf("second look: %s, %+v, %d left", r.Status, r.Changed, r.Left)
	}
	if v, err = h.Verify(t.Context(), in); err != nil || v.Tally.Supported != 4 || v.Tally.Corrected != 1 || v.Tally.NotStated != 1 || v.Review.Pending != 0 {
		t.Fatalf("after both: %+v, %d pending, %v", v.Tally, v.Review.Pending, err)
	}
	moved := v.Claims[3]
	if moved.Lines() != lineOfEntry(3) || !moved.Has(verify.FlagCorrected) || !strings.HasPrefix(moved.Because, lineOfEntry(9)+" does not say it, "+lineOfEntry(3)+" does: ") {
		t.Errorf("%s, %q, %q", moved.Lines(), moved.Flags, moved.Because)
	}
	if !strings.Contains(v.Cause(), "4 supported, 1 of these by other lines than cited") {
		t.Error(v.Cause())
	}

	// The citation corrected by hand needs no third look, and is no longer marked.
	in.Draft = strings.Replace(draft, lineOfEntry(9), lineOfEntry(3), 1)
	if v, err = h.Verify(t.Context(), in); err != nil || v.Tally.Supported != 4 || v.Tally.Corrected != 0 || v.Review.Pending != 0 || v.Claims[3].Has(verify.FlagCorrected) {
		t.Errorf("corrected: %+v, %d pending, %q, %v", v.Tally, v.Review.Pending, v.Claims[3].Flags, err)
	}
}

// A claim of a list moves to the lines that say it, in the loop's record as well.
func TestSecondLookOfAListedClaim(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	in := loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(entries[1], lineOfEntry(1)), verify.New(entries[5], lineOfEntry(0))}}
	h.check(in)
	for range 2 {
		answerAll(t, h, loop, literal(t, h, loop))
	}
	recorded, err := h.RecordedClaims(t.Context(), loop, nil)
	if err != nil || len(recorded) != 2 {
		t.Fatal(recorded, err)
	}
	if check := recorded[1].Check; check.Status != loopstate.Grounded || check.Lines != lineOfEntry(5) {
		t.Errorf("%+v", check)
	}
}

// A check of a draft changes nothing that the loop has: no claim, decision or text. It did: one sentence checked in the page
// took a finished loop from 13 claims to none, and its report was gone.
func TestScratchCheckLeavesTheLoop(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	readThrough(t, h, loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(entries[0], lineOfEntry(0)), verify.New(entries[1], lineOfEntry(1))}}, nil)
	final := draftOf(entries[:4], 0)
	readThrough(t, h, loops.VerifyInput{Loop: loop, Draft: final, Final: true}, nil)
	seen := func() (claims []loopstate.Claim, text string, d loops.LoopDetail) {
		t.Helper()
		claims, err := h.RecordedClaims(t.Context(), loop, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = h.Delivered(t.Context(), loop); err != nil {
			t.Fatal(err)
		}
		if d, err = h.Detail(t.Context(), loop, 0); err != nil {
			t.Fatal(err)
		}
		return claims, text, d
	}
	claims, text, before := seen()
	if len(claims) != 2 || text != final {
		t.Fatalf("%d claims, text %q", len(claims), text)
	}
	for _, draft := range []string{"The keeper of tower 9 had a dog [" + lineOfEntry(8) + "].", "It cites nothing that was read [S99].", draftOf(entries[4:6], 0)} {
		h.check(loops.VerifyInput{Loop: loop, Draft: draft})
	}
	after, now, d := seen()
	if len(after) != 2 || now != final || !reflect.DeepEqual(d.Decision, before.Decision) || d.Draft.Verdict != before.Draft.Verdict || after[0].Check.Status != claims[0].Check.Status {
		t.Errorf("%d claims, text %q, %+v instead of %+v", len(after), now, d.Decision, before.Decision)
	}
	if v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: final}); err != nil || v.Verdict != verify.Pass || v.Review.Pending != 0 {
		t.Errorf("the loop's text again: %s, %d pending, %v", v.Verdict, v.Review.Pending, err)
	}
}

// A reported draft is the loop's text.
func TestReportDelivers(t *testing.T) {
	t.Parallel()
	h, loop, entries := withLog(t, 12)
	draft := draftOf(entries[:2], 0)
	readThrough(t, h, loops.VerifyInput{Loop: loop, Draft: draft}, nil)
	if text, _ := h.Delivered(t.Context(), loop); text != "" {
		t.Errorf("a check delivered %q", text)
	}
	for range 2 {
		h.report(loops.ReportInput{Loop: loop, Draft: draft, Deliver: true})
	}
	if text, err := h.Delivered(t.Context(), loop); text != draft || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
