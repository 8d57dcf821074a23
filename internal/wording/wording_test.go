package wording_test

import (
	"slices"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

func TestFigures(t *testing.T) {
	for got, want := range map[string]string{
		wording.Thousands(0):          "0",
		wording.Thousands(999):        "999",
		wording.Thousands(1000):       "1,000",
		wording.Thousands(-100):       "-100",
		wording.Thousands(-1234567):   "-1,234,567",
		wording.Plural(0, "round"):    "0 rounds",
		wording.Plural(1, "round"):    "1 round",
		wording.Plural(1200, "round"): "1,200 rounds",
		wording.Dollars(0.005):        "$0.01",
		wording.Dollars(12.3):         "$12.30",
		wording.When(time.Time{}):     "–",
		wording.When(time.Date(2026, 11, 21, 1, 30, 59, 0, time.FixedZone("", 3600))): "2026-11-21 00:30 UTC",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Each next action has words of its own.
func TestActions(t *testing.T) {
	words := wording.Actions()
	var seen []string
	for _, action := range []string{loopstate.SearchMore, loopstate.FetchMore, loopstate.Finalize, loopstate.EscalateBudget, loopstate.Abort} {
		if w := words[action]; w == "" || slices.Contains(seen, w) {
			t.Errorf("%s is said as %q", action, w)
		}
		seen = append(seen, words[action])
	}
	if len(words) != len(seen) {
		t.Errorf("%d actions have words, %d are known here", len(words), len(seen))
	}
}
