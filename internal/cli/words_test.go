package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// Each code has a problem and a remedy.
func TestEachCodeHasWords(t *testing.T) {
	for _, code := range loopstate.Codes() {
		e := &loopstate.Error{Code: code, Subject: "loop", Value: "v", Valid: []string{"w"}}
		if remedy(e) == "" || problem(e) == e.Error() {
			t.Errorf("%s reads %q", code, problem(e))
		}
	}
}

func TestProblem(t *testing.T) {
	wrapped := fmt.Errorf("loop x was not deleted: %w", &loopstate.Error{Code: loopstate.CodeRoundOpen, Subject: "round", Value: "7", Limit: 2})
	for err, want := range map[error]string{
		wrapped:                 "loop x was not deleted: round: round not closed: 7 (closed: 2); leave --round out for the loop as it is now",
		errors.New("disk full"): "disk full",
	} {
		if got := problem(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
