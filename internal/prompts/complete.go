package prompts

import (
	"slices"
	"strings"
)

// Shannon's chapter 19: a report under 1,000 characters is not complete, a comprehensive one not under 3,000,
// and a continuation sees the last 2,000.
const (
	MinReportChars        = 1000
	MinComprehensiveChars = 3000
	excerptChars          = 2000
	tailChars             = 40
)

// minReportChars is the length below which a report of this loop counts as cut.
func (l Loop) minReportChars() int {
	if l.Complexity == "complex" {
		return MinComprehensiveChars
	}
	return MinReportChars
}

// LooksComplete reports whether a text ends like a finished one: with . ! ? 。！ or ？, on no word that wants
// another (and, or, with, to, 、, と, や), and with at least minChars code points. An ellipsis after such a
// word ends nothing.
func LooksComplete(text string, minChars int) bool {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) == 0 || len(runes) < minChars || !slices.Contains([]rune(".!?。！？"), runes[len(runes)-1]) {
		return false
	}
	tail := strings.ToLower(string(runes[max(0, len(runes)-tailChars):]))
	if trimmed := strings.TrimRight(tail, ".。"); len(tail)-len(trimmed) > 1 && (strings.HasSuffix(tail, "..") || strings.HasSuffix(tail, "。。")) {
		tail = strings.TrimSpace(trimmed)
	}
	for _, unfinished := range []string{" and", " or", " with", " to", "、", "と", "や"} {
		if strings.HasSuffix(tail, unfinished) {
			return false
		}
	}
	return true
}

// Excerpt is the end of a text, of which a continuation goes on.
func Excerpt(text string) string {
	runes := []rune(strings.TrimSpace(text))
	return string(runes[max(0, len(runes)-excerptChars):])
}
