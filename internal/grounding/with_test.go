package grounding

import (
	"reflect"
	"testing"
)

// A checker that took its sources one after the other answers like one that took them at once.
func TestWith(t *testing.T) {
	sources := []Source{
		{ID: "S1", Text: "The Albera line carried 48,000 passengers in 2021. Ticket revenue rose by 12 percent."},
		{ID: "S2", Text: "A lighthouse at Morvan burned 40 litres of whale oil a week until 1871."},
		{ID: "S3", Text: "Ticket revenue of the Albera line fell by 3 percent in the year after."},
	}
	claims := []Claim{
		{Text: "Ticket revenue rose by 12 percent.", Citations: cite("S1")},
		{Text: "The lighthouse burned 40 litres of whale oil a week.", Citations: cite("S1")},
		{Text: "The Albera line sold fewer lighthouse tickets.", Citations: cite("S2", "S3")},
	}
	grown := NewChecker(nil)
	for i, s := range sources {
		before := grown
		grown = grown.With([]Source{s})
		for _, c := range claims {
			if got, want := grown.Check(c), NewChecker(sources[:i+1]).Check(c); !reflect.DeepEqual(got, want) {
				t.Errorf("%d sources, %q:\n%+v, want\n%+v", i+1, c.Text, got, want)
			}
		}
		if _, ok := before.Source(s.ID); ok {
			t.Errorf("%s came into the checker before", s.ID)
		}
	}
	replaced := grown.With([]Source{{ID: "S1", Text: "Ticket revenue fell by 12 percent on the Albera line."}})
	if v := replaced.Check(claims[0]); v.Status != Unsupported {
		t.Errorf("with another text of S1: %s, want %s", v.Status, Unsupported)
	}
	if v := grown.Check(claims[0]); v.Status != Grounded {
		t.Errorf("the checker before: %s, want %s", v.Status, Grounded)
	}
}
