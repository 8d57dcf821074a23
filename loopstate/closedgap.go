package loopstate

import "fmt"

// takeClosedGaps checks gaps that a person closes. A host closes gaps by answering them or with its round; a
// person who looks at a loop may do so at any time, and says why. Unlike a host's answer, theirs is not weighed
// against what was found: it stands in the log as theirs. A gap that is closed already is rejected.
func (s *State) takeClosedGaps(in []ClosedGap, p *Updated) error {
	if err := checkCount("closed_gaps", len(in)); err != nil {
		return err
	}
	done := map[string]bool{}
	for i, c := range in {
		name := fmt.Sprintf("closed_gaps[%d]", i)
		g, ok := s.GapByID(c.GapID)
		if !ok {
			return badArgument(name+".gap_id", "choose one of the open gaps", "there is no gap %q in this loop", clip(c.GapID, 40))
		}
		if c.Status != GapAnswered && c.Status != GapUnanswerable {
			return badArgument(name+".status", "use one of "+GapAnswered+", "+GapUnanswerable, "%q is not a way to close a gap", clip(c.Status, 40))
		}
		why, err := checkText(name+".why", c.Why, MaxTextChars)
		if err != nil {
			return err
		}
		if g.Status != GapOpen {
			p.Rejected = append(p.Rejected, Rejected{Item: g.ID, Why: fmt.Sprintf("it was closed in round %d as %s", g.ClosedRound, g.Status)})
			continue
		}
		if !done[g.ID] {
			done[g.ID] = true
			p.ClosedGaps = append(p.ClosedGaps, ClosedGap{GapID: g.ID, Status: c.Status, Why: why})
		}
	}
	return nil
}
