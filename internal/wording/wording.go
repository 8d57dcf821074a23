// Package wording says figures and decisions to people in the same words wherever a loop is looked at: on the page,
// and inside a host. It is pure.
package wording

import (
	"strconv"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Actions are the next actions of a decision in words.
func Actions() map[string]string {
	return map[string]string{
		loopstate.SearchMore:     "Search on",
		loopstate.FetchMore:      "Read what was found",
		loopstate.Finalize:       "Write the result",
		loopstate.EscalateBudget: "Your word is needed",
		loopstate.Abort:          "Stopped",
	}
}

// Plural counts a noun whose plural ends in s: "1 round", "1,200 rounds".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(n) + " " + noun + "s"
}

// Thousands writes 1234567 as 1,234,567.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Dollars writes an amount with its cents.
func Dollars(usd float64) string { return "$" + strconv.FormatFloat(usd, 'f', 2, 64) }

// When writes a moment to the minute; none is a dash.
func When(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
