package loopstate

import (
	"math"
	"time"
)

// StartInput is a host's request to start a loop. All fields are optional.
type StartInput struct {
	Query      string      `json:"query"`
	Rubrics    []string    `json:"rubrics"`
	Gaps       []GapInput  `json:"gaps"`
	Dimensions []Dimension `json:"dimensions"`
	Entity     *Entity     `json:"entity"`
	Complexity string      `json:"complexity"`
	Budget     Amounts     `json:"budget"`
	AsOf       string      `json:"as_of"`              // YYYY-MM-DD; today when empty
	Complete   *float64    `json:"coverage_threshold"` // the coverage at which the question counts as answered; nil for DefaultComplete
}

// Start is the first step of a loop. today is the default of AsOf.
func Start(in StartInput, owner string, today time.Time) (Started, error) {
	var c checks
	p := Started{Owner: owner, AsOf: in.AsOf, Complete: DefaultComplete}
	p.Query = c.optional("query", in.Query, MaxTextChars)
	p.Rubrics = c.texts("rubrics", in.Rubrics)
	p.Complexity = c.word("complexity", in.Complexity, Complexities(), "moderate")
	p.Budget = in.Budget.budget(&c, p.Complexity)
	if p.AsOf == "" {
		p.AsOf = today.UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, p.AsOf); err != nil {
		c.fail(&Error{Code: CodeNotDate, Subject: "date", Value: Shorten(p.AsOf, 40)})
	}
	if in.Complete != nil {
		p.Complete = *in.Complete
		c.fail(CheckRange("complete from", p.Complete, math.SmallestNonzeroFloat64, 1))
	}
	p.Dimensions = make([]Dimension, 0, len(in.Dimensions))
	for name, d := range listed(&c, "dimensions", in.Dimensions) {
		p.Dimensions = append(p.Dimensions, Dimension{Dimension: c.text(name+".name", d.Dimension, MaxTextChars),
			Priority: c.word(name+".priority", d.Priority, []string{"high", "medium", "low"}, "medium")})
	}
	if e := in.Entity; e != nil {
		p.Entity = &Entity{Name: c.text("entity.name", e.Name, MaxTextChars), Aliases: c.texts("entity.aliases", e.Aliases),
			OfficialDomains: c.texts("entity.domains", e.OfficialDomains)}
	}
	p.Gaps, _ = (&State{}).mintGaps(&c, "gaps", in.Gaps)
	return p, c.err
}
