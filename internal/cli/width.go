package cli

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// defaultWidth is how wide lines are where COLUMNS does not say: it fits a terminal of eighty.
const defaultWidth = 79

// width is how many cells of a terminal a line may have.
func (p Process) width() int {
	if n, err := strconv.Atoi(p.env("COLUMNS")); err == nil && n >= 40 {
		return min(n, 200)
	}
	return defaultWidth
}

// cells is how many cells of a terminal a character takes: none for a mark on the one before, two for Chinese,
// Japanese and Korean.
func cells(r rune) int {
	switch kind := width.LookupRune(r).Kind(); {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// printable is a text in one line without what would steer a terminal.
func printable(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// clipped is a text cut to so many cells, with "…" where something is missing.
func clipped(s string, n int) string {
	s = printable(s)
	used, cut := 0, 0
	for i, r := range s {
		if used += cells(r); used <= n-1 {
			cut = i + len(string(r))
		}
	}
	if used <= n {
		return s
	}
	return s[:cut] + "…"
}

// wrapped is a text in lines of at most so many cells, broken between words; a longer word has a line of its own, and
// scripts that put no spaces are broken anywhere. No text is no line.
func wrapped(s string, n int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.FieldsSeq(printable(s)) {
		size, wide := 0, false
		for _, r := range word {
			size += cells(r)
			wide = wide || cells(r) == 2
		}
		if used > 0 && used+1+size > n {
			flush()
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		for _, r := range word {
			if wide && used+cells(r) > n {
				flush()
			}
			line.WriteRune(r)
			used += cells(r)
		}
	}
	if used > 0 {
		flush()
	}
	return lines
}
