package foreign

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Turns reports whether r changes the direction of the text after it (embeddings, overrides, isolates): in foreign
// text it could make a page say something else than it does. The marks U+200E, U+200F and U+061C do not, and Arabic
// and Hebrew need them.
func Turns(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// Line is text for a place that has one line: white space becomes single spaces; control characters and those that
// turn the direction are dropped. What is no UTF-8 becomes U+FFFD.
func Line(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case Turns(r) || unicode.IsControl(r) || r == 0xFEFF:
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

// Short is [Line] with at most so many code points, the ellipsis that says so among them. Of a text of 2 MB it looks at
// the beginning alone, so that a page of hundreds of them is written at once; what begins with thousands of characters
// that nobody sees is cut within them.
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
