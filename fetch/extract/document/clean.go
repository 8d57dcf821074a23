package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean drops invisible characters: controls other than newline and tab,
// zero-width and bidirectional ones, tags, byte order marks, soft hyphens. A joiner stays where scripts need
// it: between letters that are not Latin, Greek or Cyrillic, and inside of emoji.
func Clean(s string) string {
	if !strings.ContainsFunc(s, Invisible) && utf8.ValidString(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	var before rune
	for i, r := range s {
		if !Invisible(r) {
			b.WriteRune(r)
			before = r
			continue
		}
		if r == '\f' || r == '\v' {
			b.WriteByte('\n')
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if (r == 0x200c || r == 0x200d) && joins(before) && joins(after) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Invisible reports a character that Clean drops.
func Invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	case r >= 0x0600 && r <= 0x0605 || r == 0x06dd || r == 0x070f || r == 0x08e2 || r == 0x110bd || r == 0x110cd:
		return false // format characters that are drawn
	}
	return unicode.Is(unicode.Cf, r)
}

func joins(r rune) bool {
	return r > 0x0590 && r != utf8.RuneError && (unicode.In(r, unicode.L, unicode.M, unicode.So))
}

// IsSpace reports white space of every kind.
func IsSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\f', '\v', 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// FirstLine is a text up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Tidy ends lines in \n and drops invisible characters, trailing white space, and blank lines at the start and the end.
func Tidy(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = Clean(text)
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}
