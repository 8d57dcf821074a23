package document

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	isoDate = lazyregexp.New(`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ].*)?$`)
	packed  = lazyregexp.New(`^(\d{4})(\d{2})(\d{2})(?:T?\d*.*)?$`)
	// seconds or milliseconds since 1970, from 2001 to 2033
	sinceEpoch = lazyregexp.New(`^(1\d{9})(?:\d{3})?$`)
	weekday    = lazyregexp.New(`^\p{L}{2,12}\.?,? +`)
	monthYear  = lazyregexp.New(`^(\p{L}{3,12})\.?,? (\d{4})$`)
)

// Date writes a date as YYYY, YYYY-MM or YYYY-MM-DD, or "" when s is not a date. It reads ISO 8601, the
// slashed form of citation tags, days before months with dots between them, and dates written out. A slashed date
// with the year last is left out unless only one reading is possible, since 3/4/2021 is two dates. Times and zones
// are dropped: the day is the one that was written.
func Date(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 64 {
		return ""
	}
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return DateOf(m[1], m[2], m[3])
	}
	if m := packed.FindStringSubmatch(s); m != nil {
		if date := DateOf(m[1], m[2], m[3]); len(date) == len(time.DateOnly) {
			return date
		}
	}
	if m := sinceEpoch.FindStringSubmatch(s); m != nil {
		seconds, _ := strconv.ParseInt(m[1], 10, 64)
		return time.Unix(seconds, 0).UTC().Format(time.DateOnly)
	}
	if m := monthYear.FindStringSubmatch(s); m != nil {
		if month := monthNumber(m[1]); month != "" {
			return DateOf(m[2], month, "")
		}
	}
	if found := DatesIn(s, ""); len(found) > 0 {
		if before := s[:found[0].Start]; before == "" || weekday.FindString(before) == before {
			return found[0].Date
		}
	}
	return ""
}

// FirstDate is the first of values that is a date, as [Date] writes it. Where it is a month or a year, a later value that
// names a day in it completes it.
func FirstDate(values ...string) string {
	first := ""
	for _, s := range values {
		if d := Date(s); first == "" || len(d) > len(first) && strings.HasPrefix(d, first+"-") {
			first = d
		}
	}
	return first
}

// WrittenDate is a date that a text mentions: its day, and the bytes of the text that name it.
type WrittenDate struct {
	Date       string // YYYY-MM-DD
	Start, End int
}

var writtenDate = lazyregexp.New(
	`(\d{4})([-/.])(\d{1,2})[-/.](\d{1,2})` + // 1-4: 2026-01-12
		`|(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})` + // 5-7: 12.01.2026
		`|(\d{1,2})[/-](\d{1,2})[/-](\d{4})` + // 8-10: 12/01/2026
		`|(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]` + // 11-13
		`|(\d{1,2})(?:st|nd|rd|th|er|\.?[ºª°]|\.)?(?: of| de)? (\p{L}{3,12})\.?,?(?: de| del)? (\d{4})` + // 14-16: 12 January 2026
		`|(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})`) // 17-19: January 12, 2026

// DatesIn lists the days that a text names in full, in order. language is the BCP 47 tag of the text, or empty: it
// tells which number of 3/4/2021 is the month. Where the language does not tell, such a date is left out.
func DatesIn(text, language string) []WrittenDate {
	var all []WrittenDate
	for _, m := range writtenDate.FindAllStringSubmatchIndex(text, -1) {
		if isDigitAt(text, m[0]-1) && isDigitAt(text, m[0]) || isDigitAt(text, m[1]) && isDigitAt(text, m[1]-1) {
			continue // a part of a longer number
		}
		if isNumberDot(text, m[0]-1, m[0]-2) || isNumberDot(text, m[1], m[1]+1) {
			continue // an address or a version
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		date := ""
		switch {
		case group(1) != "":
			date = DateOf(group(1), group(3), group(4))
		case group(5) != "":
			if len(group(7)) == 4 || len(group(6)) == 2 { // 1.2.34 is a version
				date = DateOf(fullYear(group(7)), group(6), group(5))
			}
		case group(8) != "":
			day, month, ok := dayAndMonth(group(8), group(9), language)
			if ok {
				date = DateOf(group(10), month, day)
			}
		case group(11) != "":
			date = DateOf(group(11), group(12), group(13))
		case group(14) != "":
			date = DateOf(group(16), monthNumber(group(15)), group(14))
		default:
			date = DateOf(group(19), monthNumber(group(17)), group(18))
		}
		if len(date) == len("2006-01-02") {
			all = append(all, WrittenDate{date, m[0], m[1]})
		}
	}
	return all
}

func isDigitAt(s string, i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }

// isNumberDot reports a dot between digits, of which the outer one is at digit.
func isNumberDot(s string, dot, digit int) bool {
	return dot >= 0 && dot < len(s) && s[dot] == '.' && isDigitAt(s, digit)
}

// fullYear completes a year of two digits: 70 to 99 are of the last century.
func fullYear(s string) string {
	switch {
	case len(s) == 4:
		return s
	case s >= "70":
		return "19" + s
	}
	return "20" + s
}

// dayAndMonth tells the two numbers of a date with slashes apart: by their size, or by the language. Only American
// English puts the month first; English without a region may be either.
func dayAndMonth(first, second, language string) (day, month string, ok bool) {
	a, _ := strconv.Atoi(first)
	b, _ := strconv.Atoi(second)
	language = strings.ToLower(language)
	switch {
	case a > 12 || a == b:
		return first, second, true
	case b > 12 || language == "en-us":
		return second, first, true
	case language == "" || language == "en":
		return "", "", false
	}
	return first, second, true
}

// DateOf joins the parts that make sense; an impossible month or day leaves out what is behind it.
func DateOf(year, month, day string) string {
	y, _ := strconv.Atoi(year)
	if y < 1400 || y > 2200 { // before printing, or not a year
		return ""
	}
	m, _ := strconv.Atoi(month)
	if m < 1 || m > 12 {
		return year
	}
	out := fmt.Sprintf("%s-%02d", year, m)
	d, _ := strconv.Atoi(day)
	if d < 1 || time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Day() != d {
		return out
	}
	return fmt.Sprintf("%s-%02d", out, d)
}

//go:embed months.txt
var monthList string

// monthNames maps the names of months to their numbers.
var monthNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range datafile.Lines(monthList) {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			names[name] = fields[0]
		}
	}
	return names
})

func monthNumber(name string) string { return monthNames()[strings.ToLower(name)] }
