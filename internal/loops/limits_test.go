package loops

import (
	"context"
	"errors"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// A long text that waits too long for another is refused as busy, and a short one never waits.
func TestLongTextsWaitForEachOther(t *testing.T) {
	t.Parallel()
	s := New(Config{})
	nothing := func() error { return nil }
	late, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.inTurn(t.Context(), MaxDraftChars, func() error {
		if err := s.inTurn(late, longChars-1, nothing); err != nil {
			t.Errorf("a short text: %v", err)
		}
		return s.inTurn(late, longChars, nothing)
	})
	if e, ok := errors.AsType[*loopstate.Error](err); !ok || e.Code != loopstate.CodeBusy || e.Subject != "draft" {
		t.Errorf("a second long text: %v", err)
	}
	if err := s.inTurn(t.Context(), 10*MaxDraftChars, nothing); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}
