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

// Date returns a date as YYYY, YYYY-MM or YYYY-MM-DD, or "" if s is not a date. It reads ISO 8601, the form of citation tags
// with slashes, and English dates with names of months. Numbers with the year last, such as 3/4/2021, are ambiguous and not
// read. Times and zones are ignored: the day stays as written.
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

// date joins the valid parts: an invalid month or day is left out with what follows it.
func DateOf(year, month, day string) string {
	y, _ := strconv.Atoi(year)
	if y < 1400 || y > 2200 { // before printing, or not a year
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
