package loopstate

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAPersonClosesAGap(t *testing.T) {
	begun := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	start, err := Start(StartInput{Query: "q", Gaps: []GapInput{{Gap: "Who paid?"}, {Gap: "What did it cost?"}}}, "local", begun)
	if err != nil {
		t.Fatal(err)
	}
	apply := func(s *State, seq int64, p Payload) *State {
		t.Helper()
		e, err := NewEvent("l", seq, begun, "op", p)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := apply(nil, 1, start)
	p, err := s.Update(UpdateInput{ClosedGaps: []ClosedGap{{"G1", GapUnanswerable, "The books burnt."}, {"G1", GapAnswered, "twice in one call"}, {"G2", GapAnswered, "I know it."}}})
	if err != nil || p.Empty() {
		t.Fatal(p, err)
	}
	s = apply(s, 2, p)
	type closed struct{ ID, Status, Why string }
	var got []closed
	for _, g := range s.Gaps {
		got = append(got, closed{g.ID, g.Status, g.Why})
	}
	if diff := cmp.Diff([]closed{{"G1", GapUnanswerable, "The books burnt."}, {"G2", GapAnswered, "I know it."}}, got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if again, err := s.Update(UpdateInput{ClosedGaps: []ClosedGap{{"G1", GapAnswered, "after all"}}}); err != nil || len(again.Rejected) != 1 || !again.Empty() {
		t.Errorf("a closed gap: %+v %v", again, err)
	}
	for name, bad := range map[string]ClosedGap{"no such gap": {"G9", GapAnswered, "why"}, "no such status": {"G2", "open", "why"}, "no why": {"G2", GapAnswered, " "}} {
		var argument *Error
		if _, err := s.Update(UpdateInput{ClosedGaps: []ClosedGap{bad}}); !errors.As(err, &argument) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
