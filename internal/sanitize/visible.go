package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns text without the characters that no reader sees: controls other than newline and tab, zero-width
// characters, bidirectional controls, tags, byte order marks, soft hyphens, fillers, and variation selectors that
// select nothing. An invalid byte becomes U+FFFD; every control that ends a line becomes a newline.
//
// Some of these characters stay where a script needs them: a joiner between letters that are not Latin, Greek or
// Cyrillic and inside emoji, a selector after an emoji, an ideograph, a mathematical sign or a letter of Mongolian,
// Myanmar or Phags-pa, and a filler next to letters of old Korean. Applying Visible twice changes nothing.
func Visible(text string) string {
	if !strings.ContainsFunc(text, IsInvisible) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	var before rune
	for i, r := range text { // an invalid byte is read as U+FFFD
		switch {
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			continue
		case r == '\r' || r == '\f' || r == '\v' || r == 0x85:
			r = '\n'
		case IsInvisible(r):
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if !needed(r, before, after) {
				continue
			}
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// IsInvisible reports a character that [Visible] removes, unless a script needs it where it is.
func IsInvisible(r rune) bool {
	switch {
	case r < 0xad:
		return r != '\n' && r != '\t' && (r < 0x20 || r >= 0x7f && r < 0xa0)
	case r > 0x206f && r < 0x3164 || r > 0x3164 && r < 0xfe00: // ideographs and most symbols
		return false
	case r >= 0x0600 && r <= 0x0605 || r == 0x06dd || r == 0x070f || r == 0x0890 || r == 0x0891 || r == 0x08e2,
		r == 0x110bd || r == 0x110cd || r >= 0x13430 && r <= 0x1343f:
		return false // format characters that are drawn
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// needed reports whether a script needs the invisible character r between the kept character before it and the
// character after it.
func needed(r, before, after rune) bool {
	switch {
	case r == 0x200c || r == 0x200d:
		return joins(before) && joins(after) && !IsInvisible(after)
	case r == 0x115f || r == 0x1160:
		return isJamo(before) || isJamo(after)
	case unicode.Is(unicode.Variation_Selector, r):
		return selects(r, before)
	}
	return false
}

func joins(r rune) bool {
	return r > 0x0590 && r != utf8.RuneError && (unicode.In(r, unicode.L, unicode.M, unicode.So) || r >= 0x1f3fb && r <= 0x1f3ff)
}

func isJamo(r rune) bool {
	return r >= 0x1100 && r <= 0x11ff || r >= 0xa960 && r <= 0xa97f || r >= 0xd7b0 && r <= 0xd7ff
}

// selects reports whether a variation selector can change how the character before it is drawn.
func selects(selector, before rune) bool {
	ideograph := unicode.Is(unicode.Han, before)
	switch {
	case selector >= 0xe0100:
		return ideograph
	case selector == 0xfe0e || selector == 0xfe0f: // as text, as an emoji
		return unicode.In(before, unicode.So, unicode.Sm) || strings.ContainsRune("0123456789#*‼⁉ℹ〰", before)
	case selector >= 0xfe00 && selector <= 0xfe02:
		return ideograph || before == '0' || unicode.In(before, unicode.Sm, unicode.Myanmar, unicode.Phags_Pa) ||
			before >= 0x3001 && before <= 0x303f || before >= 0xff01 && before <= 0xff65
	case selector >= 0x180b && selector <= 0x180f:
		return unicode.Is(unicode.Mongolian, before)
	}
	return false
}
