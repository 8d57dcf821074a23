package reader

import (
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
)

var (
	figure     = lazyregexp.New(`\d+(?:[.,\x{00a0}\x{202f} ]\d{3})*(?:[.,]\d+)?`)
	fourDigits = lazyregexp.New(`\b\d{4}\b`)
	// namedNumber matches what makes the number after it a part of a name: Chapter 4, S&P 500.
	namedNumber = lazyregexp.New(`(?:[^.!?: ] \(?\p{Lu}[\p{L}.&]*|§) $`)
)

// otherNumbers replaces one number by another that the passages do not have and that is on the same side of the other numbers
// of the sentence: "of 250 asked, 405 agreed" would be recognised without reading. Bounds and ranges stay: what is at
// least 40 is at least 30. Of a pending sentence the passages must have the number.
func otherNumbers(s sentence) (out []twin) {
	all, near := quantity.Read(s.language, s.text), quantity.Read(words.Language(s.near), s.near)
	for i, q := range all {
		start := len(string([]rune(s.text)[:q.Start]))
		year, m := q.Kind == quantity.Date || q.Year >= 1500, figure.FindStringIndex(q.Text)
		if year {
			m = fourDigits.FindStringIndex(q.Text)
		}
		if m == nil || loose(all, i) || namedNumber.MatchString(s.text[:start]) || s.pending && loose(near, slices.IndexFunc(near, q.Matches)) {
			continue
		}
		for range 6 {
			t := s.replace(start+m[0], start+m[1], otherFigure(s.Random, q.Text[m[0]:m[1]], year))
			changed := quantity.Read(s.language, t.text)
			disordered := func(o quantity.Quantity) bool {
				return o != q && o.Kind == q.Kind && (q.Value < o.Value) != (changed[i].Value < o.Value)
			}
			if len(changed) == len(all) && (year || differs(q.Value, changed[i].Value)) &&
				!slices.ContainsFunc(all, disordered) && !slices.ContainsFunc(near, changed[i].SameValue) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// loose reports whether another value may be as true as a quantity: it was not found, is a bound, or one end of a range, which stands close.
func loose(all []quantity.Quantity, i int) bool {
	const close = 5
	return i < 0 || all[i].Relation != quantity.Equal && all[i].Relation != quantity.About ||
		i > 0 && all[i].Start-all[i-1].End <= close || i+1 < len(all) && all[i+1].Start-all[i].End <= close
}

// differs reports whether b differs from a by a tenth at least, and is between half and twice of it.
func differs(a, b float64) bool { return (b <= 0.9*a || b >= 1.1*a) && b <= 2*a && a <= 2*b }

// otherFigure changes one digit, or a year to one up to nine years earlier. Form and rounding stay: 1,200 becomes 1,700, not 1,203.
func otherFigure(r *seeded.Random, old string, year bool) string {
	if n, err := strconv.Atoi(old); year && err == nil {
		return strconv.Itoa(n - 1 - r.Intn(9))
	}
	place := max(0, strings.IndexAny(strings.TrimRight(old, "0.,"), "23456789"))
	return old[:place] + strconv.Itoa(1+r.Intn(9)) + old[place+1:]
}
