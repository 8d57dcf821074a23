package loops

import (
	"errors"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// Long texts wait for each other; one that waits too long is refused, and short ones never wait.
func TestLongTextsWaitForEachOther(t *testing.T) {
	t.Parallel()
	l := newLongTexts(1) // a nanosecond
	begin := func(owner string, n int) (func(), error) { return l.begin(t.Context(), owner, n) }
	anna, err := begin("anna", MaxDraftChars)
	if err != nil {
		t.Fatal(err)
	}
	busy := func(err error) bool {
		e, ok := errors.AsType[*loopstate.Error](err)
		return ok && e.Code == loopstate.CodeBusy && e.Subject == "draft"
	}
	if _, err := begin("anna", 30_000); !busy(err) {
		t.Errorf("a second long text of an owner: %v", err)
	}
	if _, err := begin("anna", 10_000); err != nil {
		t.Errorf("a short text: %v", err)
	}
	ben, err := begin("ben", MaxDraftChars)
	if err != nil {
		t.Fatalf("a long text of another owner: %v", err)
	}
	if _, err := begin("eve", MaxDraftChars); !busy(err) {
		t.Errorf("a third long text: %v", err)
	}
	anna()
	ben()
	if _, err := begin("anna", 10*MaxDraftChars); err != nil {
		t.Errorf("after they ended: %v", err)
	}
}
