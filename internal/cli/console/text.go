package console

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// OrNone returns a word, or "none" for an empty one.
func OrNone(s string) string { return cmp.Or(s, "none") }

// WriteJSON writes a value for people and programs.
func WriteJSON(out io.Writer, v any) error { return outcome.JSON(out, true).Encode(v) }

// NonEmpty returns the words that are not empty.
func NonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// Width is the width of a line in characters: it fits a terminal of eighty columns.
const Width = 79

// Wrapped breaks a text between words into lines of at most n characters. A longer word has its own line. An empty text has no lines.
func Wrapped(s string, n int) []string {
	var lines []string
	used := 0
	for word := range strings.FieldsSeq(sanitize.Line(s)) {
		size := utf8.RuneCountInString(word)
		if last := len(lines) - 1; last >= 0 && used+1+size <= n {
			lines[last] += " " + word
			used += 1 + size
			continue
		}
		lines, used = append(lines, word), size
	}
	return lines
}

// Quoted returns a word as a shell takes it.
func Quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"'{}`$\\*?;&|<>()") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
