package loops_test

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The last verified draft is stored with the loop, and an archive has it.
func TestDelivered(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	if text, err := h.Delivered(t.Context(), loop); text != "" || err != nil {
		t.Errorf("before any draft: %q, %v", text, err)
	}
	const draft = "# The lighthouse\n\nThe lighthouse was built in 1874 [S1]."
	h.check(loops.VerifyInput{Loop: loop, Draft: draft, Final: true})
	to := newHarness(t)
	must(importInto(to, exported(t, h, loop)))(t)
	for name, h := range map[string]*harness{"here": h, "imported": to} {
		if text, err := h.Delivered(t.Context(), loop); text != draft || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if d, err := h.Detail(t.Context(), loop, 0); err != nil || d.Draft == nil || d.Draft.Chars != len(draft) {
			t.Errorf("%s: the detail has %+v, %v", name, d.Draft, err)
		}
	}
	noError(t, to.Delete(t.Context(), loop))
	if _, err := to.Delivered(t.Context(), loop); err == nil {
		t.Error("a deleted loop has a draft")
	}
}

// A call that records nothing stores no draft: no event names its text, so it would not count, and nothing would delete it.
func TestDraftOfRepeatedCallIsNotStored(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	for i, draft := range []string{"The lighthouse was built in 1874 [S1].", "The lighthouse has 120 steps [S1]."} {
		h.check(loops.VerifyInput{Loop: loop, Draft: draft, Final: true, Operation: "op"})
		_, err := h.Store.Blob(t.Context(), loopstate.HashText([]byte(draft)))
		if stored := err == nil; stored != (i == 0) {
			t.Errorf("draft %d of the operation is stored: %t (%v)", i+1, stored, err)
		}
	}
}

// Stores take no NUL and no huge id, and the caller learns which argument has it.
func TestOperationIsText(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	for operation, want := range map[string]loopstate.Code{
		"a\x00b": loopstate.CodeNotText, "a\xff": loopstate.CodeNotText, strings.Repeat("x", 300): loopstate.CodeTooLong,
	} {
		_, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: "It was built [S1].", Final: true, Operation: operation})
		refusal(t, err, "operation", want)
		_, err = h.StartAsking(t.Context(), operation, loopstate.StartInput{Query: "When was it built?"}, nil)
		refusal(t, err, "operation", want)
	}
}
