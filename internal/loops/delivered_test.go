package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
)

// The last verified draft is stored with the loop, and an archive has it.
func TestDelivered(t *testing.T) {
	h, loop := withSources(t)
	if text, err := h.Delivered(t.Context(), loop); text != "" || err != nil {
		t.Errorf("before any draft: %q, %v", text, err)
	}
	const draft = "# The lighthouse\n\nThe lighthouse was built in 1874 [S1]."
	if _, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: draft}); err != nil {
		t.Fatal(err)
	}
	to := newHarness(t)
	if _, err := importInto(to, exported(t, h, loop)); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]*harness{"here": h, "imported": to} {
		if text, err := h.Delivered(t.Context(), loop); text != draft || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if d, err := h.Detail(t.Context(), loop, 0); err != nil || d.Draft == nil || d.Draft.Chars != len(draft) {
			t.Errorf("%s: the detail has %+v, %v", name, d.Draft, err)
		}
	}
	if err := to.Delete(t.Context(), loop); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Delivered(t.Context(), loop); err == nil {
		t.Error("a deleted loop has a draft")
	}
}
