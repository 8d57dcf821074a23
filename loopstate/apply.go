package loopstate

import (
	"fmt"
	"iter"
	"sort"
	"strings"
	"time"
)

// Apply folds the next event of a loop into its state. Like append with a slice, it may change s: use only the result. A
// nil state is empty.
//
// An event of an unknown kind changes only the sequence number, the time and the count of bytes, so that an older replica works
// beside a newer one. An event that is out of order, belongs to another loop or has a damaged payload is an error
// and changes nothing.
func Apply(s *State, e Event) (*State, error) {
	if s == nil {
		s = &State{Loop: e.Loop}
		s.reindex()
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
	s.Seq, s.UpdatedAt, s.Stored = e.Seq, e.At, s.Stored+storedBy(e, p)
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
		s.addGap(p.Gap)
		if p.Gap.Material { // sign-offs count only in rounds without a new material gap
			s.SignOffs = 0
		}
	case *Searched:
		s.search(e.At, *p)
	case *Read:
		s.read(*p)
	case *Shown:
		s.show(p.Shown)
		s.Answers.add(p.Answers)
	case *Verified:
		s.verify(e.Seq, e.At, *p)
	case *Closed:
		s.closeRound(e.At, *p)
	case *Criticised:
		s.Answers.add(p.AnswerCount)
		s.criticise(e.At, p.Critique)
	case *ReviewOpened:
		s.openReview(e.At, *p)
	case *ReviewAnswered:
		s.answerReview(e.At, *p)
	case *Imported:
		s.imported(e.At, *p)
	}
	return s, nil
}

// Fold applies events in order, starting from s (nil for the empty state).
func Fold(s *State, events iter.Seq2[Event, error]) (*State, error) {
	for e, err := range events {
		if err != nil {
			return s, err
		}
		if s, err = Apply(s, e); err != nil {
			return s, err
		}
	}
	return s, nil
}

// closeRound folds the end of a round.
func (s *State) closeRound(at time.Time, p Closed) {
	if p.Critique != nil {
		s.criticise(at, *p.Critique)
	}
	for _, g := range p.Gaps {
		s.addGap(g)
	}
	for _, id := range p.Answered {
		s.setGap(id, GapAnswered, "")
	}
	for _, q := range p.OpenQuestions {
		s.setGap(q.GapID, GapUnanswerable, q.Why)
	}
	s.changeGaps(p.Changed)
	s.Answers.add(p.Answers)
	if s.FailuresRound != s.Round+1 {
		s.Failures = nil // those of an earlier round are fixed, unless the host repeats them
	}
	s.addFailures(p.Failures)
	if p.Coverage != nil {
		s.Coverage = p.Coverage
	}
	if p.Synthesis != "" {
		s.Synthesis, s.SynthesisLen = p.Synthesis, p.SynthesisLen
	}
	mostlyAbsent := p.Absence > absenceMost
	if mostlyAbsent && s.Coverage != nil && s.Coverage.Overall > coverageAbsent {
		capped := *s.Coverage
		capped.Overall = coverageAbsent
		s.Coverage = &capped
	}

	material := s.MaterialGaps()
	row := Round{
		Round: s.Round + 1, Sources: len(s.Sources), NewSources: s.Open.Sources, NewEvidence: s.Open.Evidence,
		Searches: s.Open.Searches, Claims: len(s.CurrentClaims()), OpenGaps: len(material), Guardrails: []string{},
		StartedAt: s.Open.StartedAt, EndedAt: at, TookMS: max(0, at.Sub(s.Open.StartedAt).Milliseconds()), Usage: s.Open.Usage,
	}
	if u, ok := s.Unseen(); ok {
		row.Unseen = &u
	}
	// A sign-off does not count while a material gap is open or a citation is hallucinated.
	invented := s.Verification != nil && s.Verification.Round == s.Round+1 && s.Verification.Hallucinated > 0
	row.SignOff = p.SignOff && len(material) == 0 && !invented
	if p.SignOff && len(material) > 0 {
		row.Guardrails = append(row.Guardrails, "signoff_with_open_gaps")
	}
	if p.SignOff && invented {
		row.Guardrails = append(row.Guardrails, "signoff_with_hallucinated_citations")
	}
	if row.SignOff {
		s.SignOffs++
	} else {
		s.SignOffs = 0
	}
	if mostlyAbsent {
		row.Guardrails = append(row.Guardrails, "admitted_absence")
	}
	if s.Coverage != nil && s.Coverage.Overall > HighCoverage && s.SynthesisLen < ShortSynthesis && s.Checked == nil { // a checked draft is the synthesis
		row.Guardrails = append(row.Guardrails, "short_synthesis")
		row.Confidence = "low"
	}
	gaps := gapSet(material)
	if gaps != "" && gaps == s.LastGaps {
		s.SameGaps++
	} else {
		s.SameGaps = 0
	}
	s.LastGaps = gaps

	s.Round++
	s.escalate()
	s.Open = roundSoFar{StartedAt: at}
	s.Rounds = append(s.Rounds, row)
	last := &s.Rounds[len(s.Rounds)-1]
	last.Decision = Decide(s)
	if g := last.Decision.guardrail(); g != "" {
		last.Guardrails = append(last.Guardrails, g)
	}
}

// gapSet identifies a set of gaps, whatever their order; "" is the empty set.
func gapSet(gaps []Gap) string {
	ids := each(gaps, func(g Gap) string { return g.ID })
	sort.Strings(ids)
	return strings.Join(ids, " ")
}
