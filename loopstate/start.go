package loopstate

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
)

// StartInput is what a host may say when it starts a loop; all of it is optional.
type StartInput struct {
	Query      string
	Rubrics    []string
	Gaps       []GapInput
	Dimensions []Dimension
	Entity     *Entity
	Complexity string
	Budget     BudgetInput
	AsOf       string   // YYYY-MM-DD; today when empty
	Readings   []string // what a vague question may mean, each a question by itself
	Complete   *float64 // the coverage from which on the question counts as answered; nil for DefaultComplete
}

var isoDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// Start takes the first step of a loop. today is the default date that the answer is for.
func Start(in StartInput, owner string, today time.Time) (Started, error) {
	p := Started{Owner: owner, Complexity: in.Complexity, AsOf: in.AsOf, Rules: currentRules}
	var err error
	if strings.TrimSpace(in.Query) != "" {
		if p.Query, err = CheckText("query", in.Query, MaxTextChars); err != nil {
			return p, err
		}
	}
	if p.Rubrics, err = checkTexts("rubrics", in.Rubrics); err != nil {
		return p, err
	}
	if err := CheckOneOf("complexity", in.Complexity, Complexities()); err != nil {
		return p, err
	}
	if p.Complexity == "" {
		p.Complexity = "moderate"
	}
	if p.Budget, err = in.Budget.check(p.Complexity); err != nil {
		return p, err
	}
	if p.AsOf == "" {
		p.AsOf = today.UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, p.AsOf); err != nil || !isoDate.MatchString(p.AsOf) {
		return p, &Error{Code: CodeNotDate, Subject: "date", Value: clip(p.AsOf, 40)}
	}
	p.Complete = DefaultComplete
	if in.Complete != nil {
		p.Complete = *in.Complete
		if err := CheckRange("complete from", p.Complete, math.SmallestNonzeroFloat64, 1); err != nil {
			return p, err
		}
	}
	if p.Dimensions, err = checkDimensions(in.Dimensions); err != nil {
		return p, err
	}
	if in.Entity != nil {
		e := *in.Entity
		if e.Name, err = CheckText("entity.name", e.Name, MaxTextChars); err != nil {
			return p, err
		}
		if e.Aliases, err = checkTexts("entity.aliases", e.Aliases); err != nil {
			return p, err
		}
		if e.OfficialDomains, err = checkTexts("entity.domains", e.OfficialDomains); err != nil {
			return p, err
		}
		p.Entity = &e
	}
	if p.Readings, err = checkReadings(in.Readings); err != nil {
		return p, err
	}
	p.Gaps, _, err = (&State{}).mintGaps("gaps", in.Gaps)
	return p, err
}

const (
	// minReadings: fewer leave nothing to choose.
	minReadings = 2
	// maxReadings of a question: what a form shows at a glance. Chosen.
	maxReadings = 6
	// MaxReadingChars of one reading: a question of a few lines.
	MaxReadingChars = 400
)

func checkReadings(readings []string) ([]string, error) {
	if len(readings) == 0 {
		return nil, nil
	}
	if len(readings) < minReadings {
		return nil, &Error{Code: CodeTooFew, Subject: "readings", Got: int64(len(readings)), Limit: minReadings}
	}
	if err := CheckCount("readings", len(readings), maxReadings); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	out := make([]string, len(readings))
	for i, r := range readings {
		name := fmt.Sprintf("readings[%d]", i)
		r, err := CheckText(name, strings.Join(strings.Fields(r), " "), MaxReadingChars)
		if err != nil {
			return nil, err
		}
		if seen[foldText(r)] {
			return nil, &Error{Code: CodeRepeated, Subject: name, Value: clip(r, 60)}
		}
		seen[foldText(r)], out[i] = true, r
	}
	return out, nil
}

func checkDimensions(dimensions []Dimension) ([]Dimension, error) {
	if err := CheckCount("dimensions", len(dimensions), MaxItems); err != nil {
		return nil, err
	}
	out := make([]Dimension, 0, len(dimensions))
	for i, d := range dimensions {
		name := fmt.Sprintf("dimensions[%d]", i)
		text, err := CheckText(name+".name", d.Dimension, MaxTextChars)
		if err != nil {
			return nil, err
		}
		if err := CheckOneOf(name+".priority", d.Priority, []string{"high", "medium", "low"}); err != nil {
			return nil, err
		}
		if d.Priority == "" {
			d.Priority = "medium"
		}
		out = append(out, Dimension{Dimension: text, Priority: d.Priority})
	}
	return out, nil
}

// Numbers of gaps. The host's own count on from 1 without holes; the debts that citeloop opens by itself stand
// apart from G901 on. A loop of more than 900 gaps of the host goes on behind all debts there can be.
const (
	lastGap   = 900
	lastDebt  = 99_999
	beyondGap = 100_000
)

// nextGapID is the id of the next gap of the host when so many are minted ahead of it already.
func (s *State) nextGapID(ahead int) string {
	n := len(s.Gaps) - len(s.index.debts) + ahead + 1
	if n > lastGap {
		n += beyondGap
	}
	return fmt.Sprintf("G%d", n)
}

// mintGaps checks new gaps and gives each its id. A gap that the loop has already, open or closed, or that
// the list names twice, is left out and counted under the id it has: closing a gap is final unless the
// host finds new words for it.
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
