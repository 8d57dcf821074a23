package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/query"
)

// Round is one row of the rounds table: what a round found, and the decision at its end.
type Round struct {
	Round       int `json:"round"`       // from 1
	Sources     int `json:"sources"`     // in the store at its end
	NewSources  int `json:"new_sources"` // read in this round
	NewEvidence int `json:"new_evidence"`
	NewClaims   int `json:"new_claims,omitempty"`
	ClosedGaps  int `json:"closed_gaps,omitempty"`
	Searches    int `json:"searches"`
	Claims      int `json:"claims"`    // recorded at its end
	OpenGaps    int `json:"open_gaps"` // material ones
	// the host's, unless a material gap was open or the round's last verification had a hallucinated citation
	SignOff    bool      `json:"signoff"`
	Guardrails []string  `json:"guardrails"`
	Confidence string    `json:"confidence,omitempty"` // "low" if the synthesis is too short for its coverage
	StartedAt  time.Time `json:"started_at"`
	EndedAt    time.Time `json:"ended_at"`
	TookMS     int64     `json:"took_ms"`
	Usage      Usage     `json:"usage"`
	Decision   Decision  `json:"decision"`
}

// progress reports whether the round found, read, claimed or answered anything.
func (r Round) progress() bool { return r.NewEvidence > 0 || r.worked() }

// worked reports whether the round read, claimed or answered anything: more hits alone close no gap.
func (r Round) worked() bool { return r.NewSources+r.NewClaims+r.ClosedGaps > 0 }

// guard adds a guardrail that applies, and reports whether it does.
func (r *Round) guard(applies bool, name string) bool {
	if applies {
		r.Guardrails = append(r.Guardrails, name)
	}
	return applies
}

// Guardrails of a round that no rule of a decision names.
const (
	GuardOpenGaps       = "signoff_with_open_gaps"
	GuardHallucinated   = "signoff_with_hallucinated_citations"
	GuardNothingRead    = "signoff_with_nothing_read"
	GuardAbsence        = "admitted_absence"
	GuardShortSynthesis = "short_synthesis"
)

// fold ends a round.
func (p Closed) fold(s *State, at time.Time) {
	s.addGaps(p.Gaps)
	s.closeGaps(p.Answered, p.OpenQuestions)
	s.addFailures(p.Failures) // those of an earlier round are fixed, unless the host repeats them
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
	row := s.Open
	row.Round, row.Sources, row.Claims, row.OpenGaps = s.Round+1, len(s.Sources), len(s.CurrentClaims()), len(material)
	row.EndedAt, row.TookMS, row.Guardrails = at, max(0, at.Sub(row.StartedAt).Milliseconds()), []string{}
	invented := s.VerifiedRound == row.Round && len(s.Verification.Hallucinated)+s.Verification.Dead > 0
	openGaps := row.guard(p.SignOff && len(material) > 0, GuardOpenGaps)
	row.SignOff = p.SignOff && !openGaps && !row.guard(p.SignOff && invented, GuardHallucinated)
	row.guard(row.SignOff && len(s.Sources) == 0, GuardNothingRead)
	if s.SignOffs++; !row.SignOff {
		s.SignOffs = 0
	}
	row.guard(mostlyAbsent, GuardAbsence)
	short := p.Coverage != nil && s.Coverage.Overall > HighCoverage && s.SynthesisLen < ShortSynthesis && s.Draft == nil
	if row.guard(short, GuardShortSynthesis) {
		row.Confidence = "low"
	}
	gaps := fmt.Sprint(slices.Sorted(slices.Values(each(material, func(g Gap) string { return g.ID })))) // whatever their order
	if s.SameGaps++; len(material) == 0 || gaps != s.LastGaps {
		s.SameGaps = 0
	}
	s.LastGaps = gaps

	s.Round++
	s.escalate()
	s.Open = Round{StartedAt: at}
	s.Rounds = append(s.Rounds, row)
	last := &s.Rounds[len(s.Rounds)-1]
	last.Decision = Decide(s)
	last.guard(strings.HasPrefix(last.Decision.Rule, "guardrail_"), last.Decision.Rule)
}

// Draft is the text of a loop: the draft that was checked last.
type Draft struct {
	SHA256  string    `json:"sha256"` // of the stored text
	Chars   int       `json:"chars"`
	Verdict string    `json:"verdict"` // of its verification
	Round   int       `json:"round"`
	At      time.Time `json:"at"`
}

// CloseInput is a host's report at the end of a round.
type CloseInput struct {
	Gaps          []GapInput `json:"gaps"` // found by the critic
	SignOff       bool       `json:"signoff"`
	Coverage      *Coverage  `json:"coverage"`
	Failures      []string   `json:"evaluator_failures"`
	AnsweredGaps  []string   `json:"answered_gaps"`
	OpenQuestions []Gap      `json:"open_questions"` // ids or texts, and why
	Synthesis     string     `json:"synthesis"`
	SynthesisHash string     `json:"-"` // of the synthesis, which the caller stores
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
