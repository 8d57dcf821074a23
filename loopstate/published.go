package loopstate

import (
	"strconv"
	"strings"
	"time"
)

// DateParts parses a date of publication: YYYY, YYYY-MM or YYYY-MM-DD. Missing or invalid parts are 0.
func DateParts(s string) (year, month, day int) {
	parts := strings.Split(s, "-")
	if len(parts) > 3 || len(parts[0]) != 4 {
		return 0, 0, 0
	}
	n := make([]int, 3)
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 1 || i > 0 && len(p) != 2 || i == 1 && v > 12 || i == 2 && v > 31 {
			break
		}
		n[i] = v
	}
	return n[0], n[1], n[2]
}

// recentMonths is the period in which newer sources may contradict older ones.
const recentMonths = 18

// RecentSince returns the first day of the last 18 months before asOf (YYYY-MM-DD), or "" if asOf is not a date.
func RecentSince(asOf string) string {
	day, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		return ""
	}
	return day.AddDate(0, -recentMonths, 0).Format(time.DateOnly)
}

// onOrAfter compares dates that may lack day or month: a year counts as recent if any of its days does.
func onOrAfter(date, day string) bool {
	n := min(len(date), len(day))
	return n >= 4 && date[:n] >= day[:n]
}
