package loops_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The loop gets the reading that the user chose, its log has the original question, and a repeated call does not ask.
func TestReadingIsChosen(t *testing.T) {
	t.Parallel()
	readings := []string{"Does a four-day week raise output an hour?", "Does a four-day week  raise output a week?"}
	in := loopstate.StartInput{Query: "Is the four-day week better?", Readings: readings}
	for _, tt := range []struct{ name, answer, query, askedAs string }{
		{"one of them", "Does a four-day week raise output an hour?", "Does a four-day week raise output an hour?", in.Query},
		{"none", "", in.Query, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			asked := 0
			ask := func(_ context.Context, q loops.ReadingQuestion) (string, error) {
				asked++
				want := loops.ReadingQuestion{Query: in.Query, Readings: []string{readings[0], "Does a four-day week raise output a week?"}}
				if diff := cmp.Diff(want, q); diff != "" {
					t.Errorf("question (-want +got):\n%s", diff)
				}
				return tt.answer, nil
			}
			var first loops.Started
			for n := range 2 {
				a := must(h.StartAsking(t.Context(), "op", in, ask))(t)
				if n == 0 {
					first = a
				} else if diff := cmp.Diff(first, a); diff != "" {
					t.Errorf("the repeat is answered otherwise (-first +again):\n%s", diff)
				}
			}
			if st := h.stateOf(first.StateID); asked != 1 || st.Query != tt.query || first.Query != tt.query {
				t.Errorf("asked %d times, the loop pursues %q", asked, st.Query)
			}
			for _, e := range h.log(first.StateID) {
				p := must(loopstate.Decode(e))(t)
				if p := p.(*loopstate.Started); p.AskedAs != tt.askedAs || len(p.Readings) != 2 {
					t.Errorf("the log has %+v", p)
				}
			}
		})
	}
}

// An invalid call and one without readings do not ask; a question that ends the call does not start a loop.
func TestReadingsWithoutAQuestion(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.MaxLoops = 1
	ask := func(context.Context, loops.ReadingQuestion) (string, error) { return "", errors.New("asked") }
	long := strings.Repeat("x", loopstate.MaxReadingChars+1)
	for _, tt := range []struct {
		name string
		in   loopstate.StartInput
		want string
	}{
		{"none", loopstate.StartInput{Query: "q"}, ""},
		{"one", loopstate.StartInput{Readings: []string{"a"}}, "readings"},
		{"seven", loopstate.StartInput{Readings: strings.Split("abcdefg", "")}, "readings"},
		{"twice the same", loopstate.StartInput{Readings: []string{"A b", " a  B "}}, "readings[1]"},
		{"an empty one", loopstate.StartInput{Readings: []string{"a", " "}}, "readings[1]"},
		{"a long one", loopstate.StartInput{Readings: []string{"a", long}}, "readings[1]"},
		{"a wrong date", loopstate.StartInput{AsOf: "soon", Readings: []string{"a", "b"}}, "date"},
		{"two", loopstate.StartInput{Readings: []string{"a", "b"}}, "asked"},
	} {
		_, err := h.StartAsking(t.Context(), "", tt.in, ask)
		if tt.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || tt.want == "" {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	anna := loops.WithOwner(t.Context(), "anna")
	must(h.Start(anna, loopstate.StartInput{}))(t)
	if _, err := h.StartAsking(anna, "", loopstate.StartInput{Readings: []string{"a", "b"}}, ask); !loopstate.Has(err, loopstate.CodeTooManyLoops) {
		t.Errorf("an owner with no room: %v", err)
	}
	if heads, err := h.Store.List(t.Context(), loops.LocalOwner); err != nil || len(heads) != 1 {
		t.Errorf("%d loops, %v", len(heads), err)
	}
}
