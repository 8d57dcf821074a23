package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/loopstate"
)

// A claim that was read keeps its reading through edits that change no word, and through citations of further sources. Any
// other edit is read again.
func TestReadingSurvivesEditsOfForm(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.web.put("https://example.org/harbour", "The harbour", harbour)
	h.read(loop, "https://example.org/lighthouse", "https://example.org/harbour")
	check := func(draft string) verdict.Verification {
		t.Helper()
		return h.check(loops.VerifyInput{Loop: loop, Draft: draft})
	}
	const first = "Salt made it necessary to renew the cables, at a load of x ≤ 5 units [S1][S2]."
	if v := check(first); v.Review.Pending != 1 {
		t.Fatalf("%d pending, want 1", v.Review.Pending)
	}
	if r := answerAll(t, h, loop, honest(t, h, loop)); r.Status != loopstate.BatchCounted {
		t.Fatalf("batch %s", r.Status)
	}
	for _, tt := range []struct {
		name, draft string
		kept        bool
	}{
		{"unchanged", first, true},
		{"punctuation", "Salt made it necessary to renew the cables; at a load of x ≤ 5 units [S1][S2]!", true},
		{"emphasis", "**Salt** made it *necessary* to renew the cables, at a load of x ≤ 5 units [S1][S2].", true},
		{"a list", "- Salt made it necessary to renew the cables, at a load of x ≤ 5 units [S1][S2].", true},
		{"case of the first letter", "salt made it necessary to renew the cables, at a load of x ≤ 5 units [S1][S2].", true},
		{"white space", "Salt made it   necessary\nto renew the cables, at a load of x ≤ 5 units [S1] [S2].", true},
		{"quotation marks", "Salt made it necessary to “renew” the cables, at a load of x ≤ 5 units [S1][S2].", true},
		{"order of citations", "Salt made it necessary to renew the cables, at a load of x ≤ 5 units [S2][S1].", true},
		{"another place", "# The bridge\n\nWhat is it?\n\n" + first, true},
		{"a further citation", "Salt made it necessary to renew the cables, at a load of x ≤ 5 units [S1][S2][S3].", true},
		{"a citation less", "Salt made it necessary to renew the cables, at a load of x ≤ 5 units [S1].", false},
		{"another citation", "Salt made it necessary to renew the cables, at a load of x ≤ 5 units [S1][S3].", false},
		{"a word more", "Salt made it absolutely necessary to renew the cables, at a load of x ≤ 5 units [S1][S2].", false},
		{"a word less", "Salt made it necessary to renew the cables, at a load of 5 units [S1][S2].", false},
		{"another figure", "Salt made it necessary to renew the cables, at a load of x ≤ 6 units [S1][S2].", false},
		{"another relation", "Salt made it necessary to renew the cables, at a load of x ≥ 5 units [S1][S2].", false},
		{"a denial", "Salt made it not necessary to renew the cables, at a load of x ≤ 5 units [S1][S2].", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := check(tt.draft)
			if len(v.Claims) != 1 {
				t.Fatalf("%d claims", len(v.Claims))
			}
			if kept := v.Claims[0].Reading != nil; kept != tt.kept || kept != (v.Review.Pending == 0) {
				t.Errorf("reading kept: %v, %d pending; want kept %v (%s)", kept, v.Review.Pending, tt.kept, v.Claims[0].Text)
			}
		})
	}
	if r, err := h.Review(t.Context(), loops.ReviewInput{Loop: loop}); err != nil || len(r.Items) == 0 {
		t.Errorf("the last edit is not read: %v", err)
	}
}

// Only a claim that was found supported keeps its reading when a source is added: the source may have what was missing.
func TestAnAddedSourceReopensADeniedClaim(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.read(loop, "https://example.org/lighthouse")
	const claim = "The fishing fleet has welcomed the crossing from the very beginning"
	answerAll(t, h, loop, honest(t, h, loop))
	for _, tt := range []struct {
		draft   string
		pending int
	}{{claim + " [S1].", 0}, {claim + " [S1][S2].", 1}} {
		v := h.check(loops.VerifyInput{Loop: loop, Draft: tt.draft})
		if v.Review.Pending != tt.pending {
			t.Errorf("%s: %d pending, want %d", tt.draft, v.Review.Pending, tt.pending)
		}
	}
}

// Cited lines may change as long as the reader would still be shown all that the reading rests on.
func TestReadingSurvivesFurtherLines(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.read(loop, "https://example.org/lighthouse")
	const claim = "Salt made it necessary to renew the cables "
	readThrough(t, h, loops.VerifyInput{Loop: loop, Draft: claim + "[S1:4-5]."}, nil)
	for _, tt := range []struct {
		cite string
		kept bool
	}{
		{"[S1:4-5]", true}, {"[S1:4-6]", true}, {"[S1:2,4-5]", true}, {"[S1:4-5][S2:3]", true}, {"[S1:4-5][S2]", true},
		{"[S1:5]", false}, {"[S1:9]", false}, {"[S2:1]", false},
	} {
		v := h.check(loops.VerifyInput{Loop: loop, Draft: claim + tt.cite + "."})
		if c := v.Claims[0]; c.Read() != tt.kept || c.Pending() == tt.kept {
			t.Errorf("%s: read %v by %s", tt.cite, c.Read(), c.Lines())
		}
	}
}

// The reply to answers does not repeat the passages of the items that it answers; a reader who asks without answers gets
// them all. A passage has one id in the whole batch.
func TestReviewDoesNotRepeatAnsweredPassages(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	all := h.review(loops.ReviewInput{Loop: loop, Limit: loopstate.MaxReviewItems})
	const cut = 6
	ids := map[string]string{}
	sharing := all.Known
	for _, it := range all.Items {
		for _, p := range it.Passages {
			id, _, _ := sharing.Give(it.Item, p)
			ids[it.Item+p.Text] = id
		}
	}
	var answers []loopstate.ReviewAnswer
	had := map[string]bool{}
	for _, it := range all.Items[:cut] {
		answers = append(answers, loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerNotStated})
		for _, p := range it.Passages {
			had[p.Text] = true
		}
	}
	repeated := func(r loops.ReviewResult) (n int) {
		t.Helper()
		given := map[string]bool{}
		for _, it := range r.Items {
			for _, p := range it.Passages {
				id, _, again := r.Known.Give(it.Item, p)
				if id != ids[it.Item+p.Text] {
					t.Errorf("%s: a passage is %s now and was %s", it.Item, id, ids[it.Item+p.Text])
				}
				if !again && had[p.Text] {
					n++
				}
				if again && !had[p.Text] && !given[p.Text] {
					t.Errorf("%s refers to a passage that its reader does not have", it.Item)
				}
				given[p.Text] = true
			}
		}
		return n
	}
	next := h.review(loops.ReviewInput{Loop: loop, Answers: answers})
	if n := repeated(next); n != 0 {
		t.Errorf("%d passages of the answered items are given again", n)
	}
	had = map[string]bool{}
	fresh := h.review(loops.ReviewInput{Loop: loop})
	repeated(fresh)
}
