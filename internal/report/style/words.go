package style

import (
	"fmt"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

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
	return FormatNumber(n) + " " + noun + "s"
}

// FormatNumber formats 1234567 as 1,234,567.
func FormatNumber(n int) string { return humanize.Comma(int64(n)) }

// FormatDuration formats a duration with the precision that matters: "340 ms", "12 s", "3 min 20 s", "2 h 5 min".
func FormatDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", max(0, d.Milliseconds()))
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// FormatDollars formats an amount with two decimals.
func FormatDollars(usd float64) string { return "$" + strconv.FormatFloat(usd, 'f', 2, 64) }

// FormatTime formats a time to the minute, in UTC. The zero time is a dash.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
