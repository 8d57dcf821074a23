package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// FirstLine is a text up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Tidy ends lines in \n and drops invisible characters, trailing white space, and blank lines at the start and the end.
func Tidy(text string) string { return strings.TrimLeft(TidyLines(text), "\n") }

// TidyLines is [Tidy] for a text whose lines are those of its file: blank ones before the text stay, so that line 120 of the
// text is line 120 of the file.
func TidyLines(text string) string {
	text = sanitize.Visible(text)
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// SplitLigatures writes the ligatures of typesetting as the letters that they are drawn from: no keyboard writes them, so
// a search for the word would miss it.
func SplitLigatures(s string) string {
	if !strings.Contains(s, "\xef\xac") { // the first bytes of all of them
		return s
	}
	return ligatures.Replace(s)
}

// Roman writes a number with Roman capitals, one beyond their range in digits.
func Roman(n int) string {
	if n < 1 || n > 9_999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	values := []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	for i, sign := range strings.Fields("M CM D CD C XC L XL X IX V IV I") {
		for ; n >= values[i]; n -= values[i] {
			b.WriteString(sign)
		}
	}
	return b.String()
}

// Raised writes the characters of a text above or below the line, so that 2 to the power of 32 is not 232; ok is false where one of
// them has no such form.
func Raised(s string, below bool) (raised string, ok bool) {
	from, to := "0123456789+-−–=()ni", []rune("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
	if below {
		from, to = "0123456789+-−–=()", []rune("₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
	}
	known := []rune(from)
	ok = true
	raised = strings.Map(func(r rune) rune {
		at := slices.Index(known, r)
		if at < 0 {
			ok = false
			return r
		}
		return to[at]
	}, s)
	return raised, ok
}
