package cli

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// defaultWidth is the line width without COLUMNS: it fits a terminal of eighty columns.
const defaultWidth = 79

// width returns the line width in terminal cells.
func (p Process) width() int {
	if n, err := strconv.Atoi(p.env("COLUMNS")); err == nil && n >= 40 {
		return min(n, 200)
	}
	return defaultWidth
}

// cells returns the terminal cells of a character: 0 for a combining mark, 2 for Chinese, Japanese and Korean.
func cells(r rune) int {
	switch kind := width.LookupRune(r).Kind(); {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// printable returns a text on one line without control characters.
func printable(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// clipped returns a text of at most n cells, with "…" if it was cut.
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

// wrapped breaks a text between words into lines of at most n cells. A longer word has its own line; scripts without spaces
// break anywhere. An empty text has no lines.
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
