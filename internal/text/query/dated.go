package query

import (
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// A search engine does not know the date of the question. Without the year, a query about recent things returns what was
// recent in the past.

var (
	// timeSensitive are words that make a query depend on the date, one language a line.
	timeSensitive = lazyregexp.New(`(?i)\b(latest|newest|currently|current|recent|recently|today|now|nowadays|this (year|month|week)|` +
		`up[- ]to[- ]date|so far)\b|\b(aktuell\w*|neueste\w*|derzeit\w*|heute|dieses Jahr)\b|\b(actuel\w*|récent\w*|aujourd'hui|` +
		`cette année)|\b(dernières? (nouvelles|données|version))|\b(actual(es|mente)?|recientes?|hoy|este ` +
		`año)\b|последн(ие|ий|яя)|` +
		`сейчас|сегодня|текущ|最新|目前|当前|當前|现在|現在|今年|今天|近期|最近|截至|直近|` +
		`현재|최신|최근|올해|오늘`)
	// physical matches other meanings of "current".
	physical = lazyregexp.New(`(?i)\b(alternating|direct|electric(al)?|eddy|ocean|leakage|rip|inrush|dark|persistent|tidal) current\b|` +
		`\bcurrent (density|source|transformer|limiting|sensor)\b`)
	hasYear = lazyregexp.New(`(^|\D)(19|20)\d\d(\D|$)`)
)

// Dated appends the year of asOf (YYYY-MM-DD) to a query about recent things that has no year. It returns other queries
// unchanged.
func Dated(query, asOf string) string {
	if _, err := time.Parse(time.DateOnly, asOf); err != nil || hasYear.MatchString(query) {
		return query
	}
	if !timeSensitive.MatchString(physical.ReplaceAllString(query, "")) {
		return query
	}
	return query + " " + asOf[:4]
}
