package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// A critic who has not written the draft reads it and hands over points; the author answers each. A draft that was wrong in two and in
// four places had no proven error left after its critic (measured on two texts of 2,500 words).

// Limits of one critic.
const (
	// MaxPoints is what one critic may hand over (measured: 20 and 25 points were worth weighing), the most material first.
	MaxPoints = 25
	// MaxPointChars bounds each text of a point or an answer (chosen: a long paragraph).
	MaxPointChars = 2_000
)

// Answers to a point.
const (
	PointTaken   = "taken"
	PointPartly  = "partly"
	PointRefused = "refused"
)

// PointAnswers lists the answers to a point.
func PointAnswers() []string { return []string{PointTaken, PointPartly, PointRefused} }

// What a host may say about the critic.
const (
	CriticRead     = "read"     // a critic read the draft: the points are all that it found, even none
	CriticDeclined = "declined" // the user wants none
)

// Point is what a critic found in a draft, and the author's answer.
type Point struct {
	ID     string `json:"point_id"` // P1, P2, …
	What   string `json:"what"`
	Where  string `json:"where,omitempty"`  // in the draft
	Lines  string `json:"lines,omitempty"`  // the evidence: "S1:120; S3:7"
	Cut    string `json:"cut,omitempty"`    // what the draft can do without instead
	Critic int    `json:"critic"`           // whose point it is, from 1
	Answer string `json:"answer,omitempty"` // one of PointAnswers; empty until the author answers
	Why    string `json:"why,omitempty"`
}

// CriticReading is one reading of a draft by a critic.
type CriticReading struct {
	Draft  string    `json:"draft_sha256"`
	Chars  int       `json:"draft_chars"`
	Points int       `json:"points"` // new ones
	Round  int       `json:"round"`
	At     time.Time `json:"at"`
}

// Critique is what a call says about the critic of the draft.
type Critique struct {
	Draft    string        `json:"draft_sha256,omitempty"` // the draft that the critic read; empty without a critic
	Chars    int           `json:"draft_chars,omitempty"`
	Points   []Point       `json:"points,omitempty"` // with their ids
	Answers  []PointAnswer `json:"answers,omitempty"`
	Declined string        `json:"declined,omitempty"` // why the user wants no critic
}

// PointAnswer is the author's answer to a point.
type PointAnswer struct {
	Point  string `json:"point"`
	Answer string `json:"answer"`
	Why    string `json:"why,omitempty"`
}

// Criticised is the critique of a call that closes no round.
type Criticised struct {
	Critique
	AnswerCount Answered `json:"answer_count,omitzero"` // of the calls that no earlier event counts
}

// CritiqueInput is a host's critique. The caller has checked that the lines of the points exist.
type CritiqueInput struct {
	Points  []PointInput
	Critic  string // CriticRead, CriticDeclined or empty
	Why     string // of CriticDeclined
	Answers []PointAnswer
}

// PointInput is one point of a critic.
type PointInput struct{ What, Where, Lines, Cut string }

// given reports whether the host says anything about the critic.
func (in CritiqueInput) given() bool {
	return len(in.Points) > 0 || in.Critic != "" || len(in.Answers) > 0
}

// OnlyCritique reports whether a call has a critique and nothing that a round ends with. Such a call closes no round, so that neither the
// critic nor the author's answers use up the rounds of the loop or end a sign-off.
func (in CloseInput) OnlyCritique() bool {
	return in.Critique.given() && len(in.Gaps) == 0 && !in.SignOff && in.Coverage == nil && len(in.Failures) == 0 && len(in.AnsweredGaps) == 0 &&
		len(in.OpenQuestions) == 0 && in.Synthesis == ""
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

var pointID = lazyregexp.New(`^[Pp]\d+$`)

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

// pointByID returns the position of a point.
func (s *State) pointByID(id string) (position int, ok bool) {
	if !pointID.MatchString(id) {
		return 0, false
	}
	position = slices.IndexFunc(s.Points, func(p Point) bool { return p.ID == id })
	return position, position >= 0
}

// criticise folds a critique. A critic who repeats what is recorded for a draft counts once.
func (s *State) criticise(at time.Time, p Critique) {
	if n := len(s.Critics); p.Draft != "" && (len(p.Points) > 0 || n == 0 || s.Critics[n-1].Draft != p.Draft) {
		s.Critics = append(s.Critics, CriticReading{Draft: p.Draft, Chars: p.Chars, Points: len(p.Points), Round: s.Round + 1, At: at})
		s.Points = append(s.Points, p.Points...)
	}
	for _, a := range p.Answers {
		if i, ok := s.pointByID(a.Point); ok {
			s.Points[i].Answer, s.Points[i].Why = a.Answer, a.Why
		}
	}
	if p.Declined != "" {
		s.CriticDeclined = p.Declined
	}
}

// UnansweredPoints returns the points that the author has not answered.
func (s *State) UnansweredPoints() []Point {
	var out []Point
	for _, p := range s.Points {
		if p.Answer == "" {
			out = append(out, p)
		}
	}
	return out
}
