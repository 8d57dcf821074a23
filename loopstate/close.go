package loopstate

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/query"
)

// CloseInput is a host's report at the end of a round.
type CloseInput struct {
	Gaps          []GapInput          `json:"gaps"` // found by the critic
	SignOff       bool                `json:"signoff"`
	Coverage      *Coverage           `json:"coverage"`
	Failures      []string            `json:"evaluator_failures"`
	AnsweredGaps  []string            `json:"answered_gaps"`
	OpenQuestions []OpenQuestionInput `json:"open_questions"`
	Synthesis     string              `json:"synthesis"`
	SynthesisHash string              `json:"-"` // of the synthesis, which the caller stores
}

// Close is the step that ends a round. Gaps that the host does not mention stay open.
func (s *State) Close(in CloseInput) (Closed, error) {
	c := s.running()
	p := Closed{SignOff: in.SignOff, Coverage: in.Coverage}
	var known []string
	p.Gaps, known = s.mintGaps(&c, "gaps", in.Gaps)
	for _, id := range known { // tell the host that a closed gap stays closed
		if g, ok := s.GapByID(id); ok && g.Status != GapOpen {
			reject(&p.Rejected, id, g.closedWords()+"; describe in new words what is still missing")
		}
	}
	p.Answered = s.resolveGaps(&c, "answered gaps", in.AnsweredGaps, &p.Rejected)
	s.takeOpenQuestions(&c, in.OpenQuestions, &p)
	if in.Coverage != nil {
		in.Coverage.check(&c)
	}
	p.Failures = c.texts("failures", in.Failures)
	if in.Synthesis != "" {
		c.text("synthesis", in.Synthesis, MaxSynthesisChars)
		p.Synthesis, p.SynthesisLen = in.SynthesisHash, utf8.RuneCountInString(in.Synthesis)
	}
	if c.err != nil {
		return p, c.err
	}
	p.Absence = query.Absences(in.Synthesis)
	s.entityGap(&p)
	return p, nil
}

// entityGap opens the critical gap of a target entity with too few facts, or answers it once there are enough.
func (s *State) entityGap(p *Closed) {
	if s.Entity == nil {
		return
	}
	g, known := at(s.Gaps, s.index.gaps, foldText(s.entityGapText()))
	switch facts := s.entityFacts(); {
	case facts >= minEntityFacts && known && g.Status == GapOpen:
		p.Answered = append(p.Answered, g.ID)
	case facts < minEntityFacts && !known:
		g, _ := s.mintGap(&checks{}, "gap", GapInput{Gap: s.entityGapText(), Query: s.Entity.Name, Importance: "critical",
			SourceTypes: []string{"primary"}}, len(p.Gaps))
		p.Gaps = append(p.Gaps, g)
	}
}
