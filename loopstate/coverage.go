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

func (v Coverage) check(c *checks) {
	c.fail(CheckRange("coverage.overall", v.Overall, 0, 1))
	for _, name := range slices.Sorted(maps.Keys(v.Dimensions)) { // deterministic errors
		c.fail(CheckRange("coverage.dimensions."+Shorten(name, 60), v.Dimensions[name], 0, 1))
	}
}
