package quantity

import (
	"cmp"
	"math"
)

// part is a number or a scale, of which numbers are made: three hundred and six thousand.
type part struct {
	value float64
	scale bool
	alone bool // a scale that is also a number: mille
}

// sum adds up the parts of a number.
type sum struct {
	total   float64 // what the big scales have closed
	section float64 // the hundreds before the next big scale
	current float64 // what the next scale multiplies
	biggest float64 // scale
}

// scale multiplies what came before it, all of it by a bigger scale: 三万亿 is 3e12, 一亿二千万 is 1.2e8.
func (s *sum) scale(f float64, east bool) {
	switch {
	case f < 1000 || f == 1000 && east:
		s.section += cmp.Or(s.current, 1) * f
	case f > s.biggest:
		s.total, s.section, s.biggest = cmp.Or(s.total+s.section+s.current, 1)*f, 0, f
	default:
		s.total, s.section = s.total+cmp.Or(s.section+s.current, 1)*f, 0
	}
	s.current = 0
}

// number reads the number at token i: in digits, in words, or in both: 1.2 million, 3万5000.
func (r *reader) number(i int) (q Quantity, next int, ok bool) {
	if e, after, found := r.match("fraction", i); found {
		q = Quantity{Value: 100 * e.value, Step: 1}
		q.setUnit(entry{class: "share", name: "%", value: 0.01})
		return q, after, true
	}
	q.Step, q.word = 1, r.token(i).kind != numberToken
	var s sum
	last := 0.0 // the number word before, to tell "twenty five" from "five six"; 0 after a scale, -1 after digits
	for j := i; j < len(r.tokens); {
		t := r.tokens[j]
		_, after, and := r.match("and", j)
		if ok && (t.hyphen() || and && (last == 0 || last > 0 && !r.english)) {
			j = max(after, j+1)
			continue
		}
		p, after := r.part(j)
		fits := last == 0 || (last == 10 || last >= 20) && p.value < 10 || (last == 60 || last == 80) && p.value < 20
		switch {
		case t.kind == numberToken && !ok && r.spaced(j) > j:
			after = r.spaced(j)
			s.current, last = r.joined(j, after), -1
		case t.kind == numberToken && !ok && r.decimal(j) > j:
			after, last = r.decimal(j), -1
			q.Step, q.rounded = math.Pow10(-len(r.text(j+2))), true
			s.current = t.value + r.token(j+2).value*q.Step
		case t.kind == numberToken && (!ok || last <= 0 && r.glued(j) && r.tokens[j-1].kind == eastToken):
			s.current, q.Step, q.rounded, last, after = t.value, t.step, t.rounded, -1, j+1
		case after == j, p.scale && !ok && !p.alone, !p.scale && !fits:
			after = j
		case p.scale:
			s.scale(p.value, t.kind == eastToken)
			last = min(last, 0)
			if !q.word {
				q.Step, q.rounded = q.Step*p.value, true
			}
		case t.kind == eastToken: // 二〇二四
			s.current, last = s.current*10+p.value, 10
		default:
			s.current, last = s.current+p.value, p.value
			if p.value >= 100 {
				last = 0
			}
		}
		if after == j {
			break
		}
		j, next, ok = after, after, true
	}
	q.Value = s.total + s.section + s.current
	if e, after, half := r.match("added", next); half && ok { // 2½
		q.Value, next = q.Value+e.value, after
	}
	return q, next, ok
}

// spaced returns the token after the groups of 12 500 000, which a single space parts. A language with a decimal point writes so before
// units, and rarely enough that "Room 12 500 people" must stay two numbers.
func (r *reader) spaced(i int) int {
	next := i + 1
	for ; r.token(next).kind == numberToken && len(r.text(next)) == 3 && r.s[r.token(next-1).end:r.token(next).start] == " "; next++ {
	}
	first := r.text(i)
	if _, _, unit := r.match("unit", next); next == i+1 || len(first) > 3 || first != r.token(i).fold || next == i+2 && !unit {
		return i
	}
	return next
}

// decimal returns the token after 42,5 before a unit: people write a comma in languages with a decimal point, too.
func (r *reader) decimal(i int) int {
	fraction := r.text(i + 2)
	if r.token(i+1).fold != "," || !r.glued(i+1) || !r.glued(i+2) || r.token(i+2).kind != numberToken || len(fraction) > 2 ||
		fraction != r.token(i+2).fold {
		return i
	}
	if _, _, unit := r.match("unit", i+3); !unit {
		return i
	}
	return i + 3
}

// joined is the number of the groups of digits from token i to next.
func (r *reader) joined(i, next int) (value float64) {
	for ; i < next; i++ {
		value = value*1000 + r.tokens[i].value
	}
	return value
}

// part reads one number or scale in words; next is i without one.
func (r *reader) part(i int) (p part, next int) {
	e, next, number := r.match("number", i)
	if scale, after, ok := r.match("scale", i); ok && (!number || after >= next) {
		return part{scale.value, true, number && after == next}, after
	}
	if number {
		return part{value: e.value}, next
	}
	if e, after, ok := r.match("short", i); ok && r.glued(i) && r.tokens[i-1].kind == numberToken {
		if _, _, money := r.unitBefore(i - 1); money || e.exact != "m" { // 10k, £5m
			return part{value: e.value, scale: true}, after
		}
	}
	return part{}, i
}
