package quantity

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

func year(v float64) bool { return v >= 1000 && v < 2200 && v == math.Trunc(v) }

// inFigures matches 2024-03-03, 3.3.2024, 2024年3月3日 and parts of that.
var inFigures = lazyregexp.New(`^(?:([12]\d{3})[-/.](\d\d?)[-/.](\d\d?)|(\d\d?)\.(\d\d?)\.([12]\d{3})|` +
	`(?:([12]\d{3})年)?(?:(\d\d?)月)?(?:(\d\d?)[日号])?)`)

// figures reads a date in figures that begins at token i.
func (r *reader) figures(i int) (q Quantity, next int, ok bool) {
	found := inFigures.FindStringSubmatch(ahead(r.s, r.tokens[i].start))
	end := r.tokens[i].start + len(found[0])
	for next = i; next < len(r.tokens) && r.tokens[next].end <= end; next++ {
	}
	q.Year, _ = strconv.Atoi(found[1] + found[6] + found[7])
	q.Month, _ = strconv.Atoi(found[2] + found[5] + found[8])
	q.Day, _ = strconv.Atoi(found[3] + found[4] + found[9])
	span := r.glued(next) && strings.Contains("代間间", r.token(next).fold) // 1990年代, 3日間
	ok = next > i && r.token(next-1).end == end && q.Month <= 12 && q.Day <= 31 && !span
	return q, next, ok && (q.Year == 0 || year(float64(q.Year)))
}

// whole returns the plain integer in digits at token i, 0 for none.
func (r *reader) whole(i int) int {
	t := r.token(i)
	if t.kind != numberToken || t.rounded || t.end-t.start != len(t.fold) || len(t.fold) > 4 {
		return 0
	}
	return int(t.value)
}

// day returns the day of a month at token i, 0 for none, and the token after it: 3, 3rd.
func (r *reader) day(i int) (n, next int) {
	if n = r.whole(i); n < 1 || n > 31 {
		return 0, i
	}
	if _, end, suffix := r.match("suffix", i+1); suffix && r.glued(i+1) {
		return n, end
	}
	return n, i + 1
}

// month returns the number of the month at token i, 0 for none, and the token after its name and point.
func (r *reader) month(i int) (int, int) {
	e, next, ok := r.match("month", i)
	first, _ := utf8.DecodeRuneInString(r.text(i))
	if !ok || r.english && !unicode.IsUpper(first) { // may, march
		return 0, i
	}
	return int(e.value), next
}

// filler returns the token after i if that is a word or mark inside dates, and i otherwise.
func (r *reader) filler(i int) int {
	if slices.Contains([]string{",", "of", "de", "del"}, r.token(i).fold) {
		return i + 1
	}
	return i
}

// date reads the date that begins at token i: 3 March 2024, March 3, 3. März, marzo de 2024, 2024-03-03, 3月3日.
func (r *reader) date(i int) (q Quantity, next int, ok bool) {
	if q.Day, next = r.day(i); next > i {
		next = r.filler(next)
	}
	if q.Month, next = r.month(next); q.Month == 0 {
		return r.figures(i)
	}
	if q.Day == 0 && r.english {
		q.Day, next = r.day(next)
	}
	if n := r.whole(r.filler(next)); year(float64(n)) {
		q.Year, next = n, r.filler(next)+1
	}
	_, _, dated := r.match("during", i-1)
	return q, next, q.Day > 0 || q.Year > 0 || dated
}
