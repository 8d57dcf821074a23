package loopstate

import (
	"maps"
	"slices"
)

// Coverage is the host's estimate of how much of the question is answered, 0 to 1. It is recorded and shown; guardrails
// override it.
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

// Entity is the target entity of the question, if it has one: its name, aliases, and own domains.
type Entity struct {
	Name            string   `json:"name"`
	Aliases         []string `json:"aliases,omitempty"`
	OfficialDomains []string `json:"official_domains,omitempty"`
}

// DefaultComplete is the default coverage at which a question counts as answered.
const DefaultComplete = 0.85

// Thresholds of the guardrails.
const (
	coverageFirstRound = 0.50 // below, after round 1: continue
	coverageLow        = 0.30 // below, in any round: continue
	HighCoverage       = 0.70 // above, with a short synthesis: low confidence
	ShortSynthesis     = 500  // characters
	coverageAbsent     = 0.39 // maximum if most of the synthesis admits absence
	absenceMost        = 0.5  // share of its sentences
)

func (c Coverage) check() error {
	if err := CheckRange("coverage.overall", c.Overall, 0, 1); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Dimensions)) { // deterministic errors
		if err := CheckRange("coverage.dimensions."+clip(name, 60), c.Dimensions[name], 0, 1); err != nil {
			return err
		}
	}
	return nil
}
