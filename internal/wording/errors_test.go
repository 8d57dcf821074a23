package wording_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Each code has its own problem.
func TestEachCodeHasAProblem(t *testing.T) {
	seen := map[string]loopstate.Code{}
	for _, code := range loopstate.Codes() {
		words := wording.Problem(&loopstate.Error{Code: code, Subject: "loop", Value: "v"})
		if other, twice := seen[words]; words == "" || twice {
			t.Errorf("%s reads %q, and so does %s", code, words, other)
		}
		seen[words] = code
	}
}
