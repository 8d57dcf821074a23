package loopstate

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// StartInput is a host's request to start a loop. All fields are optional.
type StartInput struct {
	Query      string
	Rubrics    []string
	Gaps       []GapInput
	Dimensions []Dimension
	Entity     *Entity
	Complexity string
	Budget     BudgetInput
	AsOf       string   // YYYY-MM-DD; today when empty
	Readings   []string // possible meanings of a vague question, each a question
	Complete   *float64 // the coverage at which the question counts as answered; nil for DefaultComplete
}

var isoDate = lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)

// Start is the first step of a loop. today is the default of AsOf.
func Start(in StartInput, owner string, today time.Time) (Started, error) {
	p := Started{Owner: owner, Complexity: in.Complexity, AsOf: in.AsOf}
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
	p.Complexity = cmp.Or(p.Complexity, "moderate")
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
	// minReadings is the smallest choice.
	minReadings = 2
	// maxReadings is what a form can show at a glance.
	maxReadings = 6
	// MaxReadingChars bounds one reading: a question of a few lines.
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
		d.Priority = cmp.Or(d.Priority, "medium")
		out = append(out, Dimension{Dimension: text, Priority: d.Priority})
	}
	return out, nil
}
