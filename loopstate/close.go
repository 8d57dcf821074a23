package loopstate

import (
	"fmt"
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
	p := Closed{SignOff: in.SignOff, Coverage: in.Coverage}
	if err := s.running(); err != nil {
		return p, err
	}
	var err error
	var known []string
	if p.Gaps, known, err = s.mintGaps("gaps", in.Gaps); err != nil {
		return p, err
	}
	for _, id := range known { // tell the host that a closed gap stays closed
		if g, ok := s.GapByID(id); ok && g.Status != GapOpen {
			p.Rejected = append(p.Rejected, Rejected{Item: id, Why: g.closedWords() + "; describe in new words what is still missing"})
		}
	}
	if p.Answered, p.Rejected, err = s.resolveGaps("answered gaps", in.AnsweredGaps, p.Rejected); err != nil {
		return p, err
	}
	if err := s.takeOpenQuestions(in.OpenQuestions, &p); err != nil {
		return p, err
	}
	if in.Coverage != nil {
		if err := in.Coverage.check(); err != nil {
			return p, err
		}
	}
	if p.Failures, err = checkTexts("failures", in.Failures); err != nil {
		return p, err
	}
	if in.Synthesis != "" {
		if _, err := CheckText("synthesis", in.Synthesis, MaxSynthesisChars); err != nil {
			return p, err
		}
		p.Synthesis, p.SynthesisLen, p.SynthesisBytes = in.SynthesisHash, utf8.RuneCountInString(in.Synthesis), int64(len(in.Synthesis))
	}
	if in.Critique.given() {
		critique, err := s.critique(in.Critique)
		if err != nil {
			return p, err
		}
		p.Critique = &critique
	}
	absent, share := query.Absences(in.Synthesis)
	p.Absence = share
	s.entityGap(&p)
	s.takeDebts(&p, absent)
	return p, nil
}

// Criticise is the step that records a critique without closing a round.
func (s *State) Criticise(in CritiqueInput) (Criticised, error) {
	if err := s.running(); err != nil {
		return Criticised{}, err
	}
	p, err := s.critique(in)
	return Criticised{Critique: p}, err
}

// critique checks a critique and assigns the ids of its points. It omits points that were recorded for the same draft.
func (s *State) critique(in CritiqueInput) (p Critique, err error) {
	if err := CheckOneOf("critic", in.Critic, []string{CriticRead, CriticDeclined}); err != nil {
		return p, err
	}
	if in.Critic == CriticDeclined {
		if len(in.Points) > 0 {
			return p, &Error{Code: CodeConflict, Subject: "critic", Value: "points"}
		}
		if p.Declined, err = CheckText("critic why", in.Why, MaxPointChars); err != nil {
			return p, err
		}
	}
	if len(in.Points) > 0 || in.Critic == CriticRead {
		if err := s.takePoints(in.Points, &p); err != nil {
			return p, err
		}
	}
	return p, s.takeAnswers(in.Answers, &p)
}

func (s *State) takePoints(in []PointInput, p *Critique) error {
	if s.Checked == nil {
		return &Error{Code: CodeNoDraft, Subject: "points"}
	}
	if err := CheckCount("points", len(in), MaxPoints); err != nil {
		return err
	}
	p.Draft, p.Chars = s.Checked.SHA256, s.Checked.Chars
	known := map[string]bool{}
	for _, point := range s.Points {
		if s.Critics[point.Critic-1].Draft == p.Draft {
			known[foldText(point.What)] = true
		}
	}
	for i, pi := range in {
		name := fmt.Sprintf("points[%d]", i)
		point := Point{ID: fmt.Sprintf("P%d", len(s.Points)+len(p.Points)+1), Critic: len(s.Critics) + 1}
		var err error
		if point.What, err = CheckText(name+".what", pi.What, MaxPointChars); err != nil {
			return err
		}
		for _, f := range []struct {
			part, text string
			to         *string
		}{{".where", pi.Where, &point.Where}, {".lines", pi.Lines, &point.Lines}, {".cut", pi.Cut, &point.Cut}} {
			if *f.to, err = optionalText(name+f.part, f.text, MaxPointChars); err != nil {
				return err
			}
		}
		if err := s.checkSourceIDs(name+".lines", point.What, sourcesOf(point.Lines)); err != nil {
			return err
		}
		if key := foldText(point.What); !known[key] {
			known[key] = true
			p.Points = append(p.Points, point)
		}
	}
	return nil
}

// sourcesOf returns the ids in references to lines: S1 and S3 of "S1:120; S3:7".
func sourcesOf(lines string) []string {
	if lines == "" {
		return nil
	}
	ids, _ := splitReferences(strings.Split(lines, ";"))
	return ids
}

func (s *State) takeAnswers(in []PointAnswer, p *Critique) error {
	if err := CheckCount("answers", len(in), MaxItems); err != nil {
		return err
	}
	done := map[string]bool{}
	for i, a := range in {
		name := fmt.Sprintf("answers[%d]", i)
		id := strings.ToUpper(strings.TrimSpace(a.Point))
		switch _, ok := s.pointByID(id); {
		case !ok:
			return &Error{Code: CodeUnknownPoint, Subject: name + ".point", Value: clip(a.Point, 40)}
		case done[id]:
			return &Error{Code: CodeRepeated, Subject: name + ".point", Value: id}
		case a.Answer == "":
			return &Error{Code: CodeUnknownValue, Subject: name + ".answer", Valid: PointAnswers()}
		}
		if err := CheckOneOf(name+".answer", a.Answer, PointAnswers()); err != nil {
			return err
		}
		why, err := optionalText(name+".why", a.Why, MaxPointChars)
		if err == nil && a.Answer != PointTaken {
			why, err = CheckText(name+".why", a.Why, MaxPointChars)
		}
		if err != nil {
			return err
		}
		done[id] = true
		p.Answers = append(p.Answers, PointAnswer{Point: id, Answer: a.Answer, Why: why})
	}
	return nil
}
