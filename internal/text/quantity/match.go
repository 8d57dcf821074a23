package quantity

import (
	"math"
	"slices"
)

// In reports whether one of the quantities of a text has the value of q.
func In(q Quantity, texts []Quantity) bool { return slices.ContainsFunc(texts, q.SameValue) }

// SameValue reports whether both have the same value after conversion and rounding, whatever their relations. Tolerance is given
// only where the claim says "about" or the like, or is itself a rounded figure to which the text's value rounds.
func (claim Quantity) SameValue(text Quantity) bool {
	switch {
	case claim.Kind == Date || text.Kind == Date:
		return claim.sameDate(text)
	case claim.dimension == "" || text.dimension == "": // what is not known as a unit excludes nothing
		return claim.near(text.Value, text)
	case claim.dimension == claim.Unit && text.dimension == claim.dimension+"/time": // a sum of money without its time
		return claim.near(text.Value, text)
	}
	return claim.dimension == text.dimension && claim.near(text.Value*text.factor/claim.factor, text)
}

// near reports whether the claim's value can be v, which the text gives with a relation of its own.
func (claim Quantity) near(v float64, text Quantity) bool {
	c := claim.Value
	far := math.Abs(c - v)
	switch {
	case claim.Relation.opposes(text.Relation):
		return false
	case far <= 1e-8*max(math.Abs(c), math.Abs(v)):
		return true
	case claim.Relation != Equal && claim.Relation != About && text.Relation == claim.Relation:
		// Both say "more than": then it is the same figure, unless the claim gives it more roundly.
		return roundness(c) > roundness(v) && far <= roundness(c)/2
	case c < 0 != (v < 0):
		return false
	}
	// Rounding explains half a step of the last digit; "about 300" may have been rounded to the hundred.
	switch claim.Relation {
	case About:
		return far <= max(0.05*math.Abs(c), roundness(c)/2)
	case More, AtLeast:
		return v > c && v <= 1.5*c
	case Less, AtMost:
		return v < c && (v >= c/1.5 || claim.dimension == "" && c <= 0.1) // p < 0.05 of p = 0.003
	}
	return claim.rounded && far <= claim.Step/2*(1+1e-9)
}

// opposes reports whether one says more and the other less: p > 0.05 and p < 0.05.
func (a Relation) opposes(b Relation) bool {
	above := func(r Relation) bool { return r == More || r == AtLeast }
	below := func(r Relation) bool { return r == Less || r == AtMost }
	return above(a) && below(b) || below(a) && above(b)
}

// roundness is the weight of the last digit of v that is not zero: 100 for 300, 1000 for 12,000.
func roundness(v float64) float64 {
	if v == 0 || v != math.Trunc(v) {
		return 0
	}
	step := 1.0
	for math.Mod(v, step*10) == 0 && step < 1e15 {
		step *= 10
	}
	return step
}

// sameDate compares what both dates say; at least one part must be said by both.
func (claim Quantity) sameDate(text Quantity) bool {
	common := false
	for _, p := range [][2]int{{claim.Year, text.Year}, {claim.Month, text.Month}, {claim.Day, text.Day}} {
		switch {
		case p[0] == 0: // the claim does not say
		case p[1] == p[0]:
			common = true
		case p[1] != 0:
			return false
		}
	}
	// A text that says less: "in March" is not the day, but "on the 25th" may be.
	return common && (claim.Day == 0 || text.Day != 0) && (claim.Month == 0 || text.Month != 0 || text.Day != 0)
}
