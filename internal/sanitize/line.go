package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// changesDirection reports whether r changes the direction of the text after it (embeddings, overrides, isolates): an address
// with one is none. [Visible] removes them from texts.
func changesDirection(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// Line returns s on one line: the text that [Visible] keeps, with single spaces for white space.
func Line(s string) string {
	var b strings.Builder
	space := false
	for _, r := range Visible(s) {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Short is [Line] with at most chars code points, an ellipsis included. It reads only the beginning of a long text,
// so that a page of hundreds of them is fast; a text that begins with thousands of invisible characters is cut there.
func Short(s string, chars int) string {
	most := 16*chars + utf8.UTFMax
	if len(s) <= most {
		return cut(Line(s), chars)
	}
	if s = strings.TrimLeftFunc(s, unicode.IsSpace); len(s) <= most {
		return cut(Line(s), chars)
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	line := Line(s[:most])
	if utf8.RuneCountInString(line) < chars {
		return line + "…"
	}
	return cut(line+"…", chars)
}

func cut(line string, chars int) string {
	if len(line) <= chars || utf8.RuneCountInString(line) <= chars {
		return line
	}
	for i := range line {
		if chars--; chars == 0 {
			return strings.TrimSpace(line[:i]) + "…"
		}
	}
	return ""
}
