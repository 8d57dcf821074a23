package document

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoDate   = regexp.MustCompile(`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ].*)?$`)
	packed    = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})(?:T?\d*.*)?$`)
	monthDay  = regexp.MustCompile(`(?i)^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`)
	dayMonth  = regexp.MustCompile(`(?i)^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})\b`)
	monthYear = regexp.MustCompile(`(?i)^([a-z]{3,9})\.?,? (\d{4})$`)
)

// Date writes a date as YYYY, YYYY-MM or YYYY-MM-DD, or "" when s is not a date. It reads ISO 8601, the
// slashed form of citation tags, and dates written out in English; a date of only numbers with the year last
// is left out, since 3/4/2021 is two dates. Times and zones are dropped: the day is the one that was written.
func Date(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 64 {
		return ""
	}
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return DateOf(m[1], m[2], m[3])
	}
	if m := packed.FindStringSubmatch(s); m != nil {
		return DateOf(m[1], m[2], m[3])
	}
	if m := monthDay.FindStringSubmatch(s); m != nil {
		return DateOf(m[3], monthNumber(m[1]), m[2])
	}
	if m := dayMonth.FindStringSubmatch(s); m != nil {
		return DateOf(m[3], monthNumber(m[2]), m[1])
	}
	if m := monthYear.FindStringSubmatch(s); m != nil {
		return DateOf(m[2], monthNumber(m[1]), "")
	}
	return ""
}

// date joins the parts that make sense; an impossible month or day leaves out what is behind it.
func DateOf(year, month, day string) string {
	y, _ := strconv.Atoi(year)
	if y < 1400 || y > 2200 { // before print, or a number that is not a year
		return ""
	}
	m, _ := strconv.Atoi(month)
	if m < 1 || m > 12 {
		return year
	}
	out := year + "-" + two(m)
	d, _ := strconv.Atoi(day)
	if d < 1 || time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Day() != d {
		return out
	}
	return out + "-" + two(d)
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func monthNumber(name string) string {
	name = strings.ToLower(name)
	for m := time.January; m <= time.December; m++ {
		full := strings.ToLower(m.String())
		if name == full || len(name) >= 3 && strings.HasPrefix(full, name) || name == "sept" && m == time.September {
			return strconv.Itoa(int(m))
		}
	}
	return ""
}
