package judge

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleaned makes one line of a text that others wrote, of at most so many code points: without control and format
// characters, which could hide words from a reader.
func cleaned(s string, chars int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	return shortened(strings.Join(strings.Fields(s), " "), chars)
}

// shortened cuts a text to so many code points, the ellipsis included.
func shortened(s string, chars int) string {
	n := 0
	for i := range s {
		if n++; n == chars { // the last one that fits; whether it is needed for the ellipsis shows behind it
			if rest := s[i:]; utf8.RuneCountInString(rest) > 1 {
				return strings.TrimRight(s[:i], " ") + "…"
			}
			break
		}
	}
	return s
}
