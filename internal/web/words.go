package web

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// longest is how much of what others wrote is shown in one place: a query, a gap, a claim, a reason (chosen). The
// tools take texts of 10,000 characters; nobody reads more of one on a page, and a thousand such do not fit on it.
const longest = 1_000

// plain is foreign text for one line.
func plain(s string) string { return sanitize.Short(s, longest) }

// short is plain, cut earlier.
func short(chars int, s string) string { return sanitize.Short(s, chars) }

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// took is a time with the precision that matters.
func took(d time.Duration) string {
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

func percent(share float64) string { return fmt.Sprintf("%.0f %%", share*100) }

// actionWords says a next action to a person.
func actionWords(action string) string {
	if words, ok := drawing.Actions()[action]; ok {
		return words
	}
	return short(40, action)
}

// guardrailWords says why a round's end was judged more strictly than the host wanted.
func guardrailWords(name string) string {
	switch name {
	case "signoff_with_open_gaps":
		return "a sign-off over open gaps did not count"
	case "signoff_with_hallucinated_citations":
		return "a sign-off over invented citations did not count"
	case "admitted_absence":
		return "the text mostly says what was not found"
	case "short_synthesis":
		return "the text is too short for the coverage claimed"
	case "guardrail_first_round_coverage":
		return "the first round covers too little to end"
	case "guardrail_critical_gap":
		return "a critical gap is open"
	case "guardrail_low_coverage":
		return "the coverage is too low to end"
	}
	return strings.ReplaceAll(short(80, name), "_", " ")
}

// outcomeClass sorts a channel's outcome into those that found, that looked and found nothing, and that could not look.
func outcomeClass(status string) string {
	switch status {
	case "ok", "found", "reported":
		return "ok"
	case "empty":
		return "empty"
	}
	return "bad"
}

// statusWords says a typed outcome, or several, in words.
func statusWords(status string) string { return strings.ReplaceAll(plain(status), "_", " ") }

// flagWords says a flag in words, as the report does.
func flagWords(flag string) string { return report.FlagWords(short(400, flag)) }

func isUnknown(e *loopstate.ArgumentError) bool {
	return strings.HasPrefix(e.Problem, "there is no loop") || strings.HasSuffix(e.Problem, "was never read in this loop")
}
