package prompts

import (
	"slices"
	"strings"
)

// A report under 1,000 characters is incomplete, a comprehensive one under 3,000. A continuation gets the last 2,000.
const (
	MinReportChars        = 1000
	MinComprehensiveChars = 3000
	excerptChars          = 2000
	tailChars             = 40
)

// minReportChars returns the minimum length of a complete report of this loop.
func (l Loop) minReportChars() int {
	if l.Complexity == "complex" {
		return MinComprehensiveChars
	}
	return MinReportChars
}

// LooksComplete reports whether a text has at least minChars code points and a complete end: . ! ? 。！ or ？, but not
// after a word that needs another (and, or, with, to, 、, と, や), and not an ellipsis after such a word.
func LooksComplete(text string, minChars int) bool {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) == 0 || len(runes) < minChars || !slices.Contains([]rune(".!?。！？"), runes[len(runes)-1]) {
		return false
	}
	tail := strings.ToLower(string(runes[max(0, len(runes)-tailChars):]))
	if trimmed := strings.TrimRight(tail, ".。"); len(tail)-len(trimmed) > 1 &&
		(strings.HasSuffix(tail, "..") || strings.HasSuffix(tail, "。。")) {
		tail = strings.TrimSpace(trimmed)
	}
	for _, unfinished := range []string{" and", " or", " with", " to", "、", "と", "や"} {
		if strings.HasSuffix(tail, unfinished) {
			return false
		}
	}
	return true
}

// Excerpt returns the end of a text for its continuation.
func Excerpt(text string) string {
	runes := []rune(strings.TrimSpace(text))
	return string(runes[max(0, len(runes)-excerptChars):])
}
