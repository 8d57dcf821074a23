package loopstate

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// AddGap is the step that adds a gap. If the loop already has the gap, it returns the gap's id in duplicateOf, and nothing
// is to be appended.
func (s *State) AddGap(in GapInput) (p GapAdded, duplicateOf string, err error) {
	if err := s.running(); err != nil {
		return p, "", err
	}
	g, err := in.check("gap")
	if err != nil {
		return p, "", err
	}
	if i, ok := s.index.gaps[foldText(g.Gap)]; ok {
		return p, s.Gaps[i].ID, nil
	}
	g.ID, g.OpenedRound = s.nextGapID(0), s.Round+1
	return GapAdded{Gap: g}, "", nil
}

// Numbers of gaps. The host's gaps are numbered from 1, the debts that citeloop opens from 901. From the host's 901st gap
// on, its numbers continue after the last possible debt.
const (
	lastGap   = 900
	lastDebt  = 99_999
	beyondGap = 100_000
)

// nextGapID returns the id of the host's next gap, after ahead others of the same call.
func (s *State) nextGapID(ahead int) string {
	n := len(s.Gaps) - len(s.index.debts) + ahead + 1
	if n > lastGap {
		n += beyondGap
	}
	return fmt.Sprintf("G%d", n)
}

// mintGaps validates new gaps and assigns their ids. It omits a gap that the loop already has, open or closed, or that the
// list repeats, and returns its id in duplicates: a closed gap opens again only in new words.
func (s *State) mintGaps(subject string, in []GapInput) (gaps []Gap, duplicates []string, err error) {
	if err := CheckCount(subject, len(in), MaxItems); err != nil {
		return nil, nil, err
	}
	minted := map[string]string{}
	for i, gi := range in {
		g, err := gi.check(fmt.Sprintf("%s[%d]", subject, i))
		if err != nil {
			return nil, nil, err
		}
		key := foldText(g.Gap)
		if j, ok := s.index.gaps[key]; ok {
			duplicates = append(duplicates, s.Gaps[j].ID)
			continue
		}
		if id, ok := minted[key]; ok {
			duplicates = append(duplicates, id)
			continue
		}
		g.ID = s.nextGapID(len(gaps))
		g.OpenedRound = s.Round + 1
		minted[key] = g.ID
		gaps = append(gaps, g)
	}
	return gaps, duplicates, nil
}

var gapID = lazyregexp.New(`^[Gg]\d+$`)

// resolveGaps finds open gaps by id or text. An unknown id is an error; an unknown text and a closed gap are rejected.
func (s *State) resolveGaps(subject string, names []string, rejected []Rejected) ([]string, []Rejected, error) {
	if err := CheckCount(subject, len(names), MaxItems); err != nil {
		return nil, rejected, err
	}
	var ids []string
	done := map[string]bool{}
	for i, name := range names {
		item := fmt.Sprintf("%s[%d]", subject, i)
		name, err := CheckText(item, name, MaxTextChars)
		if err != nil {
			return nil, rejected, err
		}
		g, ok := s.gapNamed(name)
		switch {
		case !ok && gapID.MatchString(name):
			return nil, rejected, unknownGap(item, name)
		case !ok:
			rejected = append(rejected, Rejected{Item: clip(name, 200), Why: "no gap of this loop has this text; use the gap's id"})
		case g.Status != GapOpen:
			rejected = append(rejected, Rejected{Item: g.ID, Why: g.closedWords()})
		case s.tooFewFacts(g) != "":
			rejected = append(rejected, Rejected{Item: g.ID, Why: s.tooFewFacts(g)})
		case !done[g.ID]:
			done[g.ID] = true
			ids = append(ids, g.ID)
		}
	}
	return ids, rejected, nil
}

func unknownGap(subject, id string) error {
	return &Error{Code: CodeUnknownGap, Subject: subject, Value: clip(id, 40)}
}

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

// OpenQuestionInput is a gap, by id or text, that cannot be answered, and why.
type OpenQuestionInput struct{ Gap, Why string }

// takeOpenQuestions records open questions. A question that is not yet a gap becomes one, so that it has an id and is in
// the report.
func (s *State) takeOpenQuestions(in []OpenQuestionInput, p *Closed) error {
	if err := CheckCount("open questions", len(in), MaxItems); err != nil {
		return err
	}
	for i, q := range in {
		name := fmt.Sprintf("open questions[%d]", i)
		text, err := CheckText(name+".gap", q.Gap, MaxTextChars)
		if err != nil {
			return err
		}
		why, err := CheckText(name+".why", q.Why, MaxTextChars)
		if err != nil {
			return err
		}
		g, ok := s.gapNamed(text)
		if !ok && gapID.MatchString(text) {
			return unknownGap(name+".gap", text)
		}
		if !ok {
			if g, ok = namedIn(p.Gaps, text); !ok {
				minted, err := GapInput{Gap: text}.check(name)
				if err != nil {
					return err
				}
				minted.ID, minted.OpenedRound = s.nextGapID(len(p.Gaps)), s.Round+1
				p.Gaps = append(p.Gaps, minted)
				g = minted
			}
		}
		if g.Status != GapOpen {
			p.Rejected = append(p.Rejected, Rejected{Item: g.ID, Why: g.closedWords()})
			continue
		}
		if slices.Contains(p.Answered, g.ID) {
			p.Rejected = append(p.Rejected, Rejected{Item: g.ID, Why: "the same call also answers it"})
			continue
		}
		p.OpenQuestions = append(p.OpenQuestions, OpenQuestion{GapID: g.ID, Why: why})
	}
	return nil
}

func namedIn(gaps []Gap, text string) (Gap, bool) {
	return first(gaps, func(g Gap) bool { return foldText(g.Gap) == foldText(text) })
}
