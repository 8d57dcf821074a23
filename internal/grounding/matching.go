package grounding

import "math"

// matches reports whether text can be what claim says. Tolerance is given only where the claim says "about"
// or the like, or is itself a rounded figure to which the text's value rounds.
func (claim quantity) matches(text quantity) bool { return claim.matchesNumber(&text) }

// matchesNumber is matches without the copies, for the loop over all numbers of a text.
func (claim *quantity) matchesNumber(text *quantity) bool {
	switch {
	case claim.kind == multiple || text.kind == multiple:
		return claim.kind == text.kind && claim.value == text.value
	case claim.kind == date && text.kind == date:
		return claim.sameDate(text) || claim.swappable && claim.swapped().sameDate(text) || text.swappable && claim.sameDate(text.swapped())
	case claim.kind == clock || text.kind == clock:
		return claim.kind == text.kind && claim.day == text.day && (claim.month == text.month || claim.month%12 == text.month%12)
	case claim.kind == date: // a year, or a day of a month, standing alone in the text
		return claim.month == 0 && text.kind != date && float64(claim.year) == text.value
	case text.kind == date:
		if claim.kind == decade {
			return text.year != 0 && text.year-text.year%10 == int(claim.value)
		}
		return claim.value != 0 && claim.value == float64(text.year)
	case claim.kind == decade:
		return text.value >= claim.value && text.value < claim.value+10
	}
	if claim.amount() && text.amount() && claim.unit != text.unit {
		return false
	}
	return claim.near(text.value, text) ||
		claim.unit == "%" && text.unit == "" && text.value <= 1 && claim.near(text.value*100, text) ||
		text.unit == "%" && claim.unit == "" && claim.value <= 1 && claim.near(text.value/100, text)
}

// amount reports whether a number is of a known unit: a measure, a currency, percent.
func (q *quantity) amount() bool { return q.measure || measured(q.unit) }

// near reports whether the claim's value can be v, which the text gives with a relation of its own.
func (claim *quantity) near(v float64, said *quantity) bool {
	c := claim.value
	if math.Abs(c-v) <= 1e-9*math.Max(math.Abs(c), math.Abs(v)) {
		return true
	}
	if claim.relation != exactly && claim.relation != about && said.relation == claim.relation {
		// Both say "more than": then it is the same figure, unless the claim gives it more roundly.
		return roundness(c) > roundness(v) && math.Abs(c-v) <= roundness(c)/2
	}
	if (claim.share || said.share) && math.Abs(c-v) <= 0.5 && (claim.share && c != math.Trunc(c) || said.share && v != math.Trunc(v)) {
		return true // a third and 33 %
	}
	// Rounding explains half a step of the last digit; "about 300" may have been rounded to the hundred.
	switch claim.relation {
	case about:
		return math.Abs(c-v) <= math.Max(0.05*math.Abs(c), roundness(c)/2)
	case moreThan, atLeast:
		return v > c && v <= 1.5*c
	case lessThan, atMost:
		return v < c && v >= c/1.5
	case almost:
		return v < c && v >= 0.85*c
	}
	return claim.rounded && math.Abs(c-v) <= claim.step/2*(1+1e-9)
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
func (claim *quantity) sameDate(text *quantity) bool {
	common := false
	for _, p := range [][2]int{{claim.year, text.year}, {claim.month, text.month}, {claim.day, text.day}} {
		switch {
		case p[0] == 0: // the claim does not say
		case p[1] == p[0]:
			common = true
		case p[1] != 0:
			return false
		}
	}
	// A text that says less: "in March" is not the day, but "on the 25th" may be.
	return common && (claim.day == 0 || text.day != 0) && (claim.month == 0 || text.month != 0 || text.day != 0)
}

func (q quantity) swapped() *quantity {
	q.month, q.day = q.day, q.month
	return &q
}

// bounds tells from which side a relation bounds a value: 1 from below, -1 from above, 0 for none.
func (r relation) bounds() int {
	switch r {
	case moreThan, atLeast:
		return 1
	case lessThan, atMost, almost:
		return -1
	}
	return 0
}

// bounded reports whether the claim's bound follows from the text's: "at least 20" from "more than 20". A plain 20 follows from
// neither, and "about" only gives a value more roundly.
func (claim *quantity) bounded(text *quantity) bool {
	own, said := claim.relation, text.relation
	if (own == moreThan || own == lessThan) && said == exactly && claim.value == text.value && claim.unit == text.unit {
		return false // 20 is not more than 20
	}
	if own == about && claim.value != text.value && roundness(claim.value) < roundness(text.value) {
		return false // "about 403" knows more than 400
	}
	return said.bounds() == 0 || own == said || own == atLeast && said == moreThan || own == atMost && said.bounds() < 0 || own == lessThan && said == almost
}
