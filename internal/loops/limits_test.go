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
	done, err := s.beginLong(t.Context(), MaxDraftChars)
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.beginLong(late, longChars)
	if e, ok := errors.AsType[*loopstate.Error](err); !ok || e.Code != loopstate.CodeBusy || e.Subject != "draft" {
		t.Errorf("a second long text: %v", err)
	}
	if _, err := s.beginLong(late, longChars-1); err != nil {
		t.Errorf("a short text: %v", err)
	}
	done()
	if _, err := s.beginLong(t.Context(), 10*MaxDraftChars); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}
