package normal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Dates are strings of one to three parts (YYYY, YYYY-MM, YYYY-MM-DD), because half of Crossref's records have no day.
// A date covers all its days.

var isoDate = lazyregexp.New(`^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?$`)

// dateLayouts are other date formats of sources.
var dateLayouts = []string{
	"20060102", "20060102150405", "2006/01/02", "2006/1/2", "2006 Jan 2", "2006 Jan", "2006-1", "2006-Jan", "2006-January",
	"January 2, 2006", "Jan 2, 2006",
	"2 January 2006", "2 Jan 2006", "02.01.2006", time.RFC850, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700",
	"2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700",
}

// Date returns a source's date as YYYY, YYYY-MM or YYYY-MM-DD, or "" if it is not a date.
func Date(s string) string {
	s = strings.TrimSpace(s)
	if m := isoDate.FindStringSubmatch(s); m != nil {
		if d := PartialDate(Atoi(m[1]), Atoi(m[2]), Atoi(m[3])); d != "" {
			return d
		}
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			if !strings.Contains(strings.Replace(layout, "2006", "", 1), "2") { // without a day
				return t.Format("2006-01")
			}
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// PartialDate joins the valid parts of a date: an invalid day leaves the month, an invalid month the year.
func PartialDate(year, month, day int) string {
	switch {
	case year < 1000 || year > 9999:
		return ""
	case month < 1 || month > 12:
		return fmt.Sprintf("%04d", year)
	case day < 1 || day > daysIn(year, month):
		return fmt.Sprintf("%04d-%02d", year, month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// FirstDay and lastDay return the ends of a normal date as YYYY-MM-DD, or "" for "".
func FirstDay(date string) string {
	if date == "" {
		return ""
	}
	return date + "-01-01"[len(date)-len("YYYY"):] // the missing parts
}

func LastDay(date string) string {
	switch len(date) {
	case len("YYYY"):
		return date + "-12-31"
	case len("YYYY-MM"):
		return fmt.Sprintf("%s-%02d", date, daysIn(Atoi(date[:4]), Atoi(date[5:])))
	}
	return date
}

// Within reports whether any day of date lies between since and until; "" means no limit.
func Within(date, since, until string) bool {
	return (since == "" || LastDay(date) >= FirstDay(since)) && (until == "" || FirstDay(date) <= LastDay(until))
}

func Atoi(s string) int {
	n, _ := strconv.Atoi(s) // callers pass digits, or "" for 0
	return n
}

// UnixDay returns the UTC day of a Unix time in seconds, or "" if it is out of range.
func UnixDay(seconds float64) string {
	if !(seconds > 0) || seconds > 1e11 {
		return ""
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly)
}

// UnixOf returns the Unix time at which a day (YYYY-MM-DD, UTC) begins, or 0 for an invalid day.
func UnixOf(day string) int64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0
	}
	return t.Unix()
}
