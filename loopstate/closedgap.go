package loopstate

import "fmt"

// takeClosedGaps checks gaps that a person closes. A host closes gaps by answering them or with its round; a
// person who looks at a loop may do so at any time, and says why. Unlike a host's answer, theirs is not weighed
// against what was found: it stands in the log as theirs. A gap that is closed already is rejected.
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
