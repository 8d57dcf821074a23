package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/query"
)

// CloseInput is a host's report at the end of a round.
type CloseInput struct {
	Gaps          []GapInput // found by the critic
	SignOff       bool
	Coverage      *Coverage
	Failures      []string
	AnsweredGaps  []string
	OpenQuestions []OpenQuestionInput
	Synthesis     string
	SynthesisHash string // of the synthesis, which the caller stores
	Critique      CritiqueInput
}

// OnlyCritique reports whether a call has a critique and nothing that a round ends with. Such a call closes no round, so that neither the
// critic nor the author's answers use up the rounds of the loop or end a sign-off.
func (in CloseInput) OnlyCritique() bool {
	return in.Critique.given() && len(in.Gaps) == 0 && !in.SignOff && in.Coverage == nil && len(in.Failures) == 0 && len(in.AnsweredGaps) == 0 &&
		len(in.OpenQuestions) == 0 && in.Synthesis == ""
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
		p.Synthesis, p.SynthesisLen, p.SynthesisBytes = in.SynthesisHash, utf8.RuneCountInString(in.Synthesis), int64(len(in.Synthesis))
	}
	if in.Critique.given() {
		p.Critique = s.critique(&c, in.Critique)
	}
	if c.err != nil {
		return p, c.err
	}
	absent, share := query.Absences(in.Synthesis)
	p.Absence = share
	s.entityGap(&p)
	s.takeDebts(&p, absent)
	return p, nil
}

// Criticise is the step that records a critique without closing a round.
func (s *State) Criticise(in CritiqueInput) (Criticised, error) {
	c := s.running()
	p := s.critique(&c, in)
	return Criticised{Critique: *p}, c.err
}

// critique checks a critique and assigns the ids of its points. It omits points that were recorded for the same draft.
func (s *State) critique(c *checks, in CritiqueInput) *Critique {
	p := &Critique{}
	c.word("critic", in.Critic, []string{CriticRead, CriticDeclined}, "")
	if in.Critic == CriticDeclined {
		if len(in.Points) > 0 {
			c.fail(&Error{Code: CodeConflict, Subject: "critic", Value: "points"})
		}
		p.Declined = c.text("critic why", in.Why, MaxPointChars)
	}
	if len(in.Points) > 0 || in.Critic == CriticRead {
		s.takePoints(c, in.Points, p)
	}
	s.takeAnswers(c, in.Answers, p)
	return p
}

func (s *State) takePoints(c *checks, in []Point, p *Critique) {
	if s.Checked == nil {
		c.fail(&Error{Code: CodeNoDraft, Subject: "points"})
		return
	}
	p.Draft, p.Chars = s.Checked.SHA256, s.Checked.Chars
	known := map[string]bool{}
	for _, point := range s.Points {
		if s.Critics[point.Critic-1].Draft == p.Draft {
			known[foldText(point.What)] = true
		}
	}
	for i, pi := range listed(c, "points", in, MaxPoints) {
		name := fmt.Sprintf("points[%d]", i)
		point := Point{ID: fmt.Sprintf("P%d", len(s.Points)+len(p.Points)+1), Critic: len(s.Critics) + 1,
			What: c.text(name+".what", pi.What, MaxPointChars), Where: c.optional(name+".where", pi.Where, MaxPointChars),
			Lines: c.optional(name+".lines", pi.Lines, MaxPointChars), Cut: c.optional(name+".cut", pi.Cut, MaxPointChars)}
		s.checkSourceIDs(c, name+".lines", point.What, sourcesOf(point.Lines))
		if key := foldText(point.What); !known[key] {
			known[key] = true
			p.Points = append(p.Points, point)
		}
	}
}

// sourcesOf returns the ids in references to lines: S1 and S3 of "S1:120; S3:7".
func sourcesOf(lines string) []string {
	if lines == "" {
		return nil
	}
	ids, _ := splitReferences(strings.Split(lines, ";"))
	return ids
}

func (s *State) takeAnswers(c *checks, in []PointAnswer, p *Critique) {
	for i, a := range listed(c, "answers", in, MaxItems) {
		name := fmt.Sprintf("answers[%d]", i)
		id := strings.ToUpper(strings.TrimSpace(a.Point))
		switch _, ok := s.pointByID(id); {
		case !ok:
			c.fail(&Error{Code: CodeUnknownPoint, Subject: name + ".point", Value: clip(a.Point, 40)})
		case slices.ContainsFunc(p.Answers, func(other PointAnswer) bool { return other.Point == id }):
			c.fail(&Error{Code: CodeRepeated, Subject: name + ".point", Value: id})
		case a.Answer == "":
			c.fail(&Error{Code: CodeUnknownValue, Subject: name + ".answer", Valid: PointAnswers()})
		}
		c.word(name+".answer", a.Answer, PointAnswers(), "")
		why := c.optional(name+".why", a.Why, MaxPointChars)
		if a.Answer != PointTaken {
			why = c.text(name+".why", a.Why, MaxPointChars)
		}
		p.Answers = append(p.Answers, PointAnswer{Point: id, Answer: a.Answer, Why: why})
	}
}
