package datafile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSwaps(t *testing.T) {
	got := Swaps("[up]\nrose / grew <-> fell\nmay -> will / must\n[same]\nuntil -> till / to\nfast / quick\n[list]\nno\n")
	want := map[string][]Swap{
		"up": {{"fell", "rose"}, {"fell", "grew"}, {"grew", "fell"}, {"rose", "fell"}, {"may", "will"}, {"may", "must"}},
		"same": {{"quick", "fast"}, {"until", "till"}, {"until", "to"}, {"fast", "quick"}, {"grew", "rose"}, {"must", "will"},
			{"rose", "grew"}, {"will", "must"}},
		"list": {{"no", ""}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
