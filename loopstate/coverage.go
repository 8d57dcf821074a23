package loopstate

import (
	"maps"
	"slices"
)

// Coverage is the host's own judgement of how much of the question is answered, 0 to 1. It is taken in and
// shown; the guardrails override it (Shannon's chapter 19).
type Coverage struct {
	Overall    float64            `json:"overall"`
	Dimensions map[string]float64 `json:"dimensions,omitempty"`
	Reasoning  string             `json:"reasoning,omitempty"`
}

// Dimension is one part of the question, with its weight in the host's plan: high, medium or low.
type Dimension struct {
	Dimension string `json:"dimension"`
	Priority  string `json:"priority"`
}

// Entity is what the question is about, when it is about one: its name, its other names, and its own
// domains.
type Entity struct {
	Name            string   `json:"name"`
	Aliases         []string `json:"aliases,omitempty"`
	OfficialDomains []string `json:"official_domains,omitempty"`
}

// DefaultComplete is the coverage from which on a question counts as answered, unless the loop was started
// with another.
const DefaultComplete = 0.85

// Thresholds of Shannon's chapter 19.
const (
	coverageFirstRound = 0.50 // below, after round 1: go on
	coverageLow        = 0.30 // below, at any round: go on
	coverageHigh       = 0.70 // above, with a short synthesis: low confidence
	shortSynthesis     = 500  // characters
	coverageAbsent     = 0.39 // at most, when most of the synthesis says that nothing was found ("< 0.4")
	absenceMost        = 0.5  // share of its sentences
)

func (c Coverage) check() error {
	if err := CheckRange("coverage.overall", c.Overall, 0, 1); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Dimensions)) { // the same request gets the same error
		if err := CheckRange("coverage.dimensions."+clip(name, 60), c.Dimensions[name], 0, 1); err != nil {
			return err
		}
	}
	return nil
}
