package report

import (
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func TestCriticismOf(t *testing.T) {
	if got := CriticismOf(&loopstate.State{Complexity: "moderate"}); got != nil {
		t.Errorf("of a loop that read nothing: %+v", got)
	}
	missing := &loopstate.State{Complexity: "moderate", Sources: []loopstate.Source{{ID: "S1"}}}
	if got := CriticismOf(missing); got == nil || !got.Missing || got.Points == nil {
		t.Errorf("of a loop that nobody criticised: %+v", got)
	}
	missing.CriticDeclined = "no time"
	if got := CriticismOf(missing); got == nil || got.Missing || got.Declined != "no time" {
		t.Errorf("of a loop whose user said no: %+v", got)
	}
}
