package grounding

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

func monthNumber(word string) int {
	if len(word) < 3 || len(word) > len("september") || strings.IndexByte("JFMASOND", word[0]) < 0 {
		return 0
	}
	low := strings.ToLower(word)
	for i, name := range months {
		if low == name || low == name[:3] || low == "sept" && i == 8 {
			return i + 1
		}
	}
	return 0
}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// monthFirst reads what follows a month's name: "March 3, 2024", "March 3", "March 2024".
func (r *numberReader) monthFirst(month, i int) (quantity, int, bool) {
	q := quantity{kind: date, month: month}
	i = skip(r.s, i, ".")
	i = skip(r.s, i, " ")
	n, end := r.shortNumber(i)
	switch {
	case end-i == 4 && n >= 1000 && n < 2200:
		q.year = n
		return q, end, true
	case n < 1 || n > 31 || end-i > 2 || end == i:
		return q, i, false
	}
	q.day = n
	end += ordinalSuffix(r.s[end:])
	if r.measured(end) {
		return q, i, false
	}
	if y, yearEnd, ok := r.yearAt(end); ok {
		q.year, end = y, yearEnd
	}
	return q, end, true
}

// measured reports whether the number that ends at i continues as one: "May 5.5", "March 10,000".
func (r *numberReader) measured(i int) bool {
	return i+1 < len(r.s) && (r.s[i] == '.' || r.s[i] == ',') && r.s[i+1] >= '0' && r.s[i+1] <= '9'
}

// yearAt reads ", 2024" or " 2024" at i.
func (r *numberReader) yearAt(i int) (int, int, bool) {
	i = skip(r.s, i, " ")
	i = skip(r.s, i, ",")
	i = skip(r.s, i, " ")
	n, end := r.shortNumber(i)
	if end-i == 4 && n >= 1000 && n < 2200 && !r.measured(end) {
		return n, end, true
	}
	return 0, 0, false
}

// shortNumber reads at most five ASCII digits at i.
func (r *numberReader) shortNumber(i int) (int, int) {
	end := i
	for end < len(r.s) && end-i < 5 && r.s[end] >= '0' && r.s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(r.s[i:end])
	if err != nil {
		return 0, i
	}
	return n, end
}

func skip(s string, i int, what string) int {
	if i <= len(s) && strings.HasPrefix(s[i:], what) {
		return i + len(what)
	}
	return i
}

// numericDate reads the dates that begin with digits: 2024-03-03, 3/4/2024, "3 March 2024", 2024年3月3日.
// plain is the number that ends at end.
func (r *numberReader) numericDate(start int, plain string, end int) (quantity, int, bool) {
	whole, fraction, pointed := strings.Cut(plain, ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return quantity{}, 0, false
	}
	q := quantity{kind: date}
	if pointed { // 3.4.2024 is read as 3.4 before the second point
		d2, err := strconv.Atoi(fraction)
		if err != nil || len(fraction) > 2 || end >= len(r.s) || r.s[end] != '.' {
			return q, 0, false
		}
		y, yearEnd := r.shortNumber(end + 1)
		if yearEnd-end-1 != 4 || n < 1 || n > 31 || d2 < 1 || d2 > 12 {
			return q, 0, false
		}
		q.day, q.month, q.year = n, d2, y
		return q, yearEnd, true
	}
	if d, dateEnd, ok := r.chineseDate(float64(n), end); ok {
		return d, dateEnd, true
	}
	if d, dateEnd, ok := r.dotted(n, end); ok && r.comma {
		return d, dateEnd, true
	}
	if end < len(r.s) && (r.s[end] == '-' || r.s[end] == '/') {
		if d, dateEnd, ok := r.threeParts(n, len(plain), end); ok {
			return d, dateEnd, true
		}
	}
	return r.dayFirst(n, end)
}

// dotted reads 14.11.2026 and 14. 11. 2026 from the first point on.
func (r *numberReader) dotted(day, i int) (quantity, int, bool) {
	part := func(i int) (int, int) { return r.shortNumber(skip(r.s, i+1, " ")) }
	if i >= len(r.s) || r.s[i] != '.' || day < 1 || day > 31 {
		return quantity{}, 0, false
	}
	month, i := part(i)
	if i >= len(r.s) || r.s[i] != '.' || month < 1 || month > 12 {
		return quantity{}, 0, false
	}
	year, end := part(i)
	return quantity{kind: date, day: day, month: month, year: year}, end, year >= 1000 && year < 2200
}

// threeParts reads year-month-day, or day/month/year in either order.
func (r *numberReader) threeParts(first, width, end int) (quantity, int, bool) {
	sep := r.s[end : end+1]
	second, i := r.shortNumber(end + 1)
	if i == end+1 || !strings.HasPrefix(r.s[i:], sep) {
		return quantity{}, 0, false
	}
	third, j := r.shortNumber(i + 1)
	thirdWidth := j - i - 1
	q := quantity{kind: date}
	switch {
	case width == 4 && first >= 1000 && first < 2200 && second >= 1 && second <= 12 && third >= 1 && third <= 31:
		q.year, q.month, q.day = first, second, third
	case thirdWidth == 4 && third >= 1000 && third < 2200 && first >= 1 && second >= 1 && first <= 31 && second <= 31 && (first <= 12 || second <= 12):
		q.year = third
		if first > 12 {
			q.day, q.month = first, second
		} else {
			q.month, q.day = first, second
			q.swappable = second <= 12
		}
	default:
		return q, 0, false
	}
	return q, j, true
}

// dayFirst reads "3 March 2024", "3rd of March".
func (r *numberReader) dayFirst(day, end int) (quantity, int, bool) {
	if day < 1 || day > 31 {
		return quantity{}, 0, false
	}
	i := end + ordinalSuffix(r.s[end:])
	if r.comma {
		i = skip(r.s, i, ".")
	}
	i = skip(r.s, i, " ")
	i = skip(r.s, i, "of ")
	i = skip(r.s, i, "de ")
	word := wideWord(r.s[i:])
	m := r.month(word)
	if m == 0 || i == end {
		return quantity{}, 0, false
	}
	q := quantity{kind: date, day: day, month: m}
	i += len(word)
	i = skip(r.s, i, ".")
	if r.comma && strings.HasPrefix(r.s[i:], " de ") {
		i += len(" de")
	}
	if y, yearEnd, ok := r.yearAt(i); ok {
		q.year, i = y, yearEnd
	}
	return q, i, true
}

// chineseDate reads 年, 月 and 日 after the number n that ends at i.
func (r *numberReader) chineseDate(n float64, i int) (quantity, int, bool) {
	q := quantity{kind: date}
	v := int(n)
	switch {
	case strings.HasPrefix(r.s[i:], "年") && v >= 1000 && v < 2200:
		q.year = v
		i += len("年")
		m, w := r.cjkNumber(i)
		if m < 1 || m > 12 || !strings.HasPrefix(r.s[i+w:], "月") {
			return q, i, true
		}
		v, i = m, i+w
	case strings.HasPrefix(r.s[i:], "月") && v >= 1 && v <= 12:
	case (strings.HasPrefix(r.s[i:], "日") || strings.HasPrefix(r.s[i:], "号")) && v >= 1 && v <= 31:
		q.day = v
		return q, i + len("日"), true
	default:
		return q, 0, false
	}
	q.month = v
	i += len("月")
	d, w := r.cjkNumber(i)
	if d >= 1 && d <= 31 && (strings.HasPrefix(r.s[i+w:], "日") || strings.HasPrefix(r.s[i+w:], "号")) {
		q.day = d
		i += w + len("日")
	}
	return q, i, true
}

// cjkNumber reads a number up to 99 in digits of any width or Chinese numerals; it returns the bytes read.
func (r *numberReader) cjkNumber(i int) (int, int) {
	start, n := i, 0
	for i < len(r.s) && i-start < 12 {
		if d, w := r.digitAt(i); d >= 0 {
			n = n*10 + d
			i += w
			continue
		}
		c, w := utf8.DecodeRuneInString(r.s[i:])
		if d, ok := chineseDigit(c); ok {
			n += int(d)
		} else if c == '十' {
			n = max(n, 1) * 10
		} else {
			break
		}
		i += w
	}
	return n, i - start
}

// yearBefore reports whether b is the short second year of a range that q begins: 2018–19, 1998/99.
func (q quantity) yearBefore(b quantity, s string) bool {
	if q.kind != cardinal || b.kind != cardinal || q.unit != "" || q.word || b.word || b.end < b.start+2 || !digitByte(s[b.start+1]) || b.start+2 < len(s) && digitByte(s[b.start+2]) {
		return false
	}
	if q.value < 1500 || q.value >= 2100 || q.value != math.Trunc(q.value) || b.value <= math.Mod(q.value, 100) || b.value > 99 || b.value != math.Trunc(b.value) {
		return false
	}
	switch s[q.end:b.start] {
	case "-", "–", "—", "/":
		return true
	}
	return false
}

// joinDates completes times of day, which were read as two numbers with a colon between.
func (r *numberReader) joinDates(in []quantity) []quantity {
	out := in[:0]
	for i := 0; i < len(in); i++ {
		a := in[i]
		if i+1 < len(in) && a.kind == cardinal && in[i+1].kind == cardinal && a.end+1 == in[i+1].start && r.s[a.end] == ':' &&
			a.value < 25 && in[i+1].value < 60 && in[i+1].start+2 <= in[i+1].end && !a.word && !in[i+1].word {
			out = append(out, quantity{kind: clock, month: int(a.value), day: int(in[i+1].value), start: a.start, end: in[i+1].end})
			i++
			continue
		}
		if n := len(out); n > 0 && out[n-1].yearBefore(a, r.s) { // 2018–19
			a.value += out[n-1].value - math.Mod(out[n-1].value, 100)
		}
		out = append(out, a)
	}
	return out
}
