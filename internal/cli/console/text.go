package console

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/citeloop/citeloop/internal/outcome"
)

func OrNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func FirstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// WriteJSON writes a value for people and programs.
func WriteJSON(out io.Writer, v any) error { return outcome.JSON(out, true).Encode(v) }

func NonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// defaultWidth is the line width without COLUMNS: it fits a terminal of eighty columns.
const defaultWidth = 79

// Width returns the line width in terminal cells.
func (p Process) Width() int {
	if n, err := strconv.Atoi(p.Env("COLUMNS")); err == nil && n >= 40 {
		return min(n, 200)
	}
	return defaultWidth
}

// Cells returns the terminal cells of a character: 0 for a combining mark, 2 for Chinese, Japanese and Korean.
func Cells(r rune) int {
	switch kind := width.LookupRune(r).Kind(); {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Printable returns a text on one line without control characters.
func Printable(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Clipped returns a text of at most n cells, with "…" if it was cut.
func Clipped(s string, n int) string {
	s = Printable(s)
	used, cut := 0, 0
	for i, r := range s {
		if used += Cells(r); used <= n-1 {
			cut = i + len(string(r))
		}
	}
	if used <= n {
		return s
	}
	return s[:cut] + "…"
}

// Wrapped breaks a text between words into lines of at most n cells. A longer word has its own line; scripts without spaces
// break anywhere. An empty text has no lines.
func Wrapped(s string, n int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.FieldsSeq(Printable(s)) {
		size, wide := 0, false
		for _, r := range word {
			size += Cells(r)
			wide = wide || Cells(r) == 2
		}
		if used > 0 && used+1+size > n {
			flush()
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		for _, r := range word {
			if wide && used+Cells(r) > n {
				flush()
			}
			line.WriteRune(r)
			used += Cells(r)
		}
	}
	if used > 0 {
		flush()
	}
	return lines
}

// Counted returns a number with its noun.
func Counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
