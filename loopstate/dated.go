package loopstate

import (
	"regexp"
	"time"
)

// A search engine does not know which day the question is for. A query that asks for what is new gets the
// year it is asked for, or the engine answers with what was new once (Scira's rule of mandatory date
// injection, by way of Autosearch's reflective-search-loop: "the date-anchor rule").

var (
	// timeSensitive are the words that make a query depend on its day. Each language is a line.
	timeSensitive = regexp.MustCompile(`(?i)\b(latest|newest|currently|current|recent|recently|today|now|nowadays|this (year|month|week)|up[- ]to[- ]date|so far)\b` +
		`|\b(aktuell\w*|neueste\w*|derzeit\w*|heute|dieses Jahr)\b` +
		`|\b(actuel\w*|récent\w*|aujourd'hui|cette année)|\b(dernières? (nouvelles|données|version))` +
		`|\b(actual(es|mente)?|recientes?|hoy|este año)\b` +
		`|последн(ие|ий|яя)|сейчас|сегодня|текущ` +
		`|最新|目前|当前|當前|现在|現在|今年|今天|近期|最近|截至|直近|현재|최신|최근|올해|오늘`)
	// physical is current of another kind.
	physical = regexp.MustCompile(`(?i)\b(alternating|direct|electric(al)?|eddy|ocean|leakage|rip|inrush|dark|persistent|tidal) current\b|\bcurrent (density|source|transformer|limiting|sensor)\b`)
	hasYear  = regexp.MustCompile(`(^|\D)(19|20)\d\d(\D|$)`)
)

// Dated is a query with the year of asOf (YYYY-MM-DD) behind it when it asks for what is new and says no
// year itself; any other query comes back as it is.
func Dated(query, asOf string) string {
	if _, err := time.Parse(time.DateOnly, asOf); err != nil || hasYear.MatchString(query) {
		return query
	}
	if !timeSensitive.MatchString(physical.ReplaceAllString(query, "")) {
		return query
	}
	return query + " " + asOf[:4]
}

// recentMonths: what is newer may overturn what is older (research-synthesis-loop, "byTimeWindow").
const recentMonths = 18

// RecentSince is the first day of the last 18 months before asOf (YYYY-MM-DD), or "" when asOf is no date.
func RecentSince(asOf string) string {
	day, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		return ""
	}
	return day.AddDate(0, -recentMonths, 0).Format(time.DateOnly)
}

// onOrAfter compares dates of which either may be a year or a month alone: a year counts as recent when any
// day of it is.
func onOrAfter(date, day string) bool {
	n := min(len(date), len(day))
	return n >= 4 && date[:n] >= day[:n]
}
