package drawing

import (
	"strconv"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Actions returns the words for each next action of a decision.
func Actions() map[string]string {
	return map[string]string{
		loopstate.SearchMore:     "Continue searching",
		loopstate.FetchMore:      "Read what was found",
		loopstate.Finalize:       "Write the result",
		loopstate.EscalateBudget: "Your approval is required",
		loopstate.Abort:          "Stopped",
	}
}

// Plural formats a count of a noun whose plural ends in s: "1 round", "1,200 rounds".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(n) + " " + noun + "s"
}

// Thousands formats 1234567 as 1,234,567.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Dollars formats an amount with two decimals.
func Dollars(usd float64) string { return "$" + strconv.FormatFloat(usd, 'f', 2, 64) }

// When formats a time to the minute, in UTC. The zero time is a dash.
func When(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
