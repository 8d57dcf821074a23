package quantity

import (
	"cmp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// setUnit gives q its unit.
func (q *Quantity) setUnit(unit entry) {
	q.Unit, q.dimension, q.factor = unit.name, unit.class, unit.value
	if unit.class == "temperature" || unit.class == "money" { // not converted
		q.dimension = unit.name
	}
	q.rounded = q.rounded || unit.name == "%" // percentages mostly are
}

// unit reads the unit at token i, behind a number.
func (r *reader) unit(i int, q Quantity) (entry, int, bool) {
	if r.token(i).hyphen() || r.token(i).fold == "." && r.token(i-1).kind == wordToken { // "a 5-km walk", 3 Mio. Euro
		i++
	}
	unit, next, ok := r.match("unit", i)
	if !ok {
		return entry{}, i, false
	}
	short := r.tokens[i].kind == wordToken && r.tokens[next-1].end-r.tokens[i].start < 3
	_, _, rate := r.match("unit", next+1)
	unknown := !rate && r.glued(next) && r.token(next).fold == "/" && unit.class != "money" // kg/person
	decade := year(q.Value) && r.glued(i) && r.text(i) == "s"                               // 1990s
	if q.word && short || unknown || decade {
		return entry{}, i, false
	}
	return unit, next, true
}

var perWords = map[string]bool{"/": true, "per": true, "a": true, "an": true, "each": true, "every": true, "pro": true, "je": true,
	"par": true, "por": true, "al": true}

// inverse matches what makes the unit before it the one that a rate is of: 10 m s⁻¹, 10 mg L-1.
var inverse = lazyregexp.New(`^(?:⁻¹|\^?\{?[-−–]1\}?)`)

// per reads what a rate is of, behind a unit: 40 litres per minute, 40 l/min, 300 euros a month, 10 m s⁻¹.
func (r *reader) per(q *Quantity, i int) int {
	if unit, next, ok := r.match("unit", i); ok && unit.value != 0 && q.dimension != "" {
		end := r.tokens[next-1].end
		power := inverse.FindString(ahead(r.s, end))
		for power != "" && r.token(next).kind != wordToken && next < len(r.tokens) && r.tokens[next].end <= end+len(power) {
			next++
		}
		if power != "" && r.tokens[next-1].end == end+len(power) {
			return q.of(unit, next)
		}
	}
	if !perWords[r.token(i).fold] || r.token(i).fold == "/" && !r.glued(i) {
		return i
	}
	unit, next, ok := r.match("unit", i+1)
	if !ok || unit.value == 0 || q.dimension == "" || unit.class != "time" && r.token(i).fold != "/" && r.token(i).fold != "per" {
		return i
	}
	return q.of(unit, next)
}

// of makes a rate of q.
func (q *Quantity) of(unit entry, next int) int {
	q.Unit, q.dimension, q.factor = q.Unit+"/"+unit.name, q.dimension+"/"+unit.class, cmp.Or(q.factor, 1)/unit.value
	return next
}

// unitBefore reads the currency or the like that ends before token i, and where it begins: $5, US$ 5, EUR 5, 百分之五.
func (r *reader) unitBefore(i int) (unit entry, first int, ok bool) {
	if e, next, ok := r.match("unit", i-3); ok && next == i && e.class == "share" && r.token(i-1).kind == eastToken {
		return e, i - 3, true
	}
	for first = max(0, i-2); first < i; first++ { // A$ 5
		unit, next, found := r.match("unit", first)
		currency := unit.class == "money" || unit.name == "¥"
		if found && next == i && currency && unit.exact == norm.NFKC.String(r.s[r.token(first).start:r.token(i-1).end]) {
			return unit, first, true
		}
	}
	return unit, i - 1, false
}

// signed looks for a minus before token i. A dash is one where nothing is directly before it.
func (r *reader) signed(q *Quantity, i int) int {
	t, before := r.token(i-1), r.token(i-2)
	dash := t.kind == markToken && r.glued(i) && strings.ContainsAny(t.fold, "-−–") &&
		(!r.glued(i-1) || before.kind == markToken && strings.ContainsAny(before.fold, "([{=:;/<>≤≥~≈±\"“„«$€£¥"))
	if !dash && t.fold != "minus" && !(r.glued(i) && (t.fold == "负" || t.fold == "負")) {
		return i
	}
	q.Value = -q.Value
	return i - 1
}

var relations = map[string]Relation{"at-least": AtLeast, "at-most": AtMost, "more": More, "less": Less, "about": About}

// relation reads "at least", ≥ and the like before the token first, and "or more" from the token next on.
func (r *reader) relation(first, next int) Relation {
	const look, between = 7, 3 // tokens; 最多可容纳200名 has some between
	east := func(i int) bool { return r.token(i).kind == eastToken }
	for k := next; k == next || k == next+1 && east(next); k++ { // 200人以上
		if e, _, ok := r.match("behind", k); ok {
			return relations[e.name]
		}
	}
	for k := max(0, first-look); k < first; k++ {
		e, after, ok := r.match("before", k)
		if filler := r.token(after).fold; filler == "." || filler == "the" {
			after++
		}
		if ok && (after == first || after < first && first-after <= between && east(k) && east(first-1)) {
			return relations[e.name]
		}
	}
	return Equal
}
