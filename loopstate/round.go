package loopstate

import (
	"sort"
	"strings"
	"time"
)

// Round is one row of the rounds table: what a round found, and the decision at its end.
type Round struct {
	Round       int       `json:"round"`       // from 1
	Sources     int       `json:"sources"`     // in the store at its end
	NewSources  int       `json:"new_sources"` // read in this round
	NewEvidence int       `json:"new_evidence"`
	Searches    int       `json:"searches"`
	Claims      int       `json:"claims"`    // recorded at its end
	OpenGaps    int       `json:"open_gaps"` // material ones
	SignOff     bool      `json:"signoff"`   // the host's, unless a material gap was open or the round's last verification had a hallucinated citation
	Guardrails  []string  `json:"guardrails"`
	Confidence  string    `json:"confidence,omitempty"` // "low" if the synthesis is too short for its coverage
	StartedAt   time.Time `json:"started_at"`
	EndedAt     time.Time `json:"ended_at"`
	TookMS      int64     `json:"took_ms"`
	Usage       Usage     `json:"usage"`
	Unseen      *Unseen   `json:"unseen,omitempty"` // nil while no hit was found twice
	Decision    Decision  `json:"decision"`
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
	ids := make([]string, len(gaps))
	for i, g := range gaps {
		ids[i] = g.ID
	}
	sort.Strings(ids)
	return strings.Join(ids, " ")
}
