package loopstate

import "fmt"

// Apply folds the next event of a loop into its state. Like append with a slice, it may change s: use only the result. A
// nil state is empty.
//
// An event of an unknown kind changes only the sequence number and the time, so that an older replica works
// beside a newer one. An event that is out of order, belongs to another loop or has a damaged payload is an error
// and changes nothing.
func Apply(s *State, e Event) (*State, error) {
	if s == nil {
		s = newState(e.Loop)
	}
	if e.Loop != s.Loop || e.Seq != s.Seq+1 {
		return s, fmt.Errorf("loopstate: event %d of loop %s cannot follow event %d of loop %s", e.Seq, e.Loop, s.Seq, s.Loop)
	}
	p, err := Decode(e)
	if err != nil {
		return s, err
	}
	if _, ok := p.(*Started); ok != (e.Seq == 1) {
		return s, fmt.Errorf("loopstate: loop %s has a %s event at %d; a loop starts once, with its first event", e.Loop, e.Kind, e.Seq)
	}
	s.Seq, s.UpdatedAt, s.Bytes = e.Seq, e.At, s.Bytes+len(e.Data)
	if e.Op != "" {
		if _, ok := s.Ops[e.Op]; !ok {
			s.Ops[e.Op] = e.Seq
		}
	}
	switch p := p.(type) {
	case *Started:
		s.start(e.At, *p)
	case *Updated:
		s.update(e.At, *p)
	case *GapAdded:
		if s.addGaps([]Gap{p.Gap}); p.Gap.Material && p.Gap.Debt == "" { // sign-offs count only in rounds without a new material gap
			s.SignOffs = 0
		}
	case *Searched:
		s.search(e.At, *p)
	case *Read:
		s.read(*p)
	case *Verified:
		s.verify(e.At, *p)
	case *Closed:
		s.closeRound(e.At, *p)
	case *ReviewOpened:
		s.openReview(e.At, *p)
	case *ReviewAnswered:
		s.answerReview(e.At, *p)
	case *Imported:
		s.imported(e.At)
	}
	return s, nil
}
