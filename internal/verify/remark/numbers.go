package remark

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/quantity"
)

// The thresholds of quantities were chosen on the development half of TestContrast.
const (
	nearWords  = 4 // on each side of two quantities: they tell whether both stand in the same place
	samePlace  = 3 // of these, what must be the same
	leastPlace = 2 // in a claim that has no more
	morePlace  = 3 // by how much another value must beat the claim's own value elsewhere
)

// placed is a quantity with the content words around it.
type placed struct {
	quantity.Quantity
	sentence *sentence // nil in a claim
	year     bool      // a date, or a number that looks like a year
	near     map[string]bool
}

// place finds the quantities of a text and the words around each.
func place(language, text string, tokens []token, s *sentence) (out []placed) {
	for _, q := range quantity.Read(language, text) {
		c, _ := utf8.DecodeRuneInString(q.Text)
		unitLast := q.Unit != "" && !unicode.Is(unicode.Sc, c) // behind it in the words around: not in $1.2 billion
		p := placed{Quantity: q, sentence: s, near: map[string]bool{}}
		p.year = q.Kind == quantity.Date || q.Unit == "" && q.Value >= 1000 && q.Value < 2100 && len(q.Text) == 4
		at, _ := slices.BinarySearchFunc(tokens, q.Start, func(t token, at int) int { return t.Start - at })
		add := func(t token) {
			own := q.Start <= t.Start && t.End <= q.End && (!unitLast || t.End < q.End) // a number in words
			if !t.function && !t.number && !own {
				p.near[t.Term] = true
			}
		}
		for i := at - 1; i >= 0 && len(p.near) < nearWords; i-- {
			add(tokens[i])
		}
		before := len(p.near)
		for i := at; i < len(tokens) && len(p.near) < before+nearWords; i++ {
			add(tokens[i])
		}
		out = append(out, p)
	}
	return out
}

// numbers remarks the quantities of a claim that the sentences of its blocks lack, or have in another place.
func numbers(wanted, have []placed) (out []Remark) {
	for _, q := range wanted {
		other, score := q.counterpart(have, wanted)
		missing, own := true, 0
		for _, h := range have {
			if q.SameValue(h.Quantity) {
				missing, own = false, max(own, q.closeness(h))
			}
		}
		least := min(samePlace, max(leastPlace, len(q.near)))
		sameYear := q.Kind == quantity.Date && q.Year == other.Year && q.Month != other.Month && other.Month > 0
		if q.Value == other.Value && q.Unit != other.Unit || sameYear { // the same figure of something else
			least = 1
		}
		if score < least || !missing && score < own+morePlace {
			continue
		}
		r := other.sentence.remark(Number, other.Start, other.End)
		r.Claim, r.Text, r.elsewhere = q.Text, other.Text, !missing
		if q.year {
			r.Kind = Date
		} else if q.Value == other.Value {
			r.Kind = Unit
		}
		out = append(out, r)
	}
	return out
}

// closeness counts the words that two quantities both have around them.
func (q placed) closeness(h placed) (n int) {
	for term := range q.near {
		if h.near[term] {
			n++
		}
	}
	return n
}

// counterpart returns the quantity of the blocks that stands where q stands in the claim, and how close the two are. It is none
// that the claim has too, unless it stands much closer to q.
func (q placed) counterpart(have, wanted []placed) (best placed, score int) {
	for _, h := range have {
		n := q.closeness(h)
		if n <= score || q.year != h.year || q.Kind != h.Kind && !q.year || q.Unit != h.Unit && q.Value != h.Value ||
			q.SameValue(h.Quantity) {
			continue
		}
		if !slices.ContainsFunc(wanted, func(w placed) bool { return w.SameValue(h.Quantity) && w.closeness(h)+morePlace > n }) {
			best, score = h, n
		}
	}
	return best, score
}
