package loopstate

import "fmt"

// takeClosedGaps validates gaps that a person closes. A person may close a gap at any time, with a reason; unlike a host's
// answer, it is not compared with the results. A gap that is already closed is rejected.
func (s *State) takeClosedGaps(in []ClosedGap, p *Updated) error {
	if err := CheckCount("closed gaps", len(in), MaxItems); err != nil {
		return err
	}
	done := map[string]bool{}
	for i, c := range in {
		name := fmt.Sprintf("closed gaps[%d]", i)
		g, ok := s.GapByID(c.GapID)
		if !ok {
			return unknownGap(name+".gap", c.GapID)
		}
		if c.Status != GapAnswered && c.Status != GapUnanswerable {
			return &Error{Code: CodeUnknownValue, Subject: name + ".status", Value: clip(c.Status, 40), Valid: []string{GapAnswered, GapUnanswerable}}
		}
		why, err := CheckText(name+".why", c.Why, MaxTextChars)
		if err != nil {
			return err
		}
		if g.Status != GapOpen {
			p.Rejected = append(p.Rejected, Rejected{Item: g.ID, Why: g.closedWords()})
			continue
		}
		if !done[g.ID] {
			done[g.ID] = true
			p.ClosedGaps = append(p.ClosedGaps, ClosedGap{GapID: g.ID, Status: c.Status, Why: why})
		}
	}
	return nil
}
