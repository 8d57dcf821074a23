package markdown

import (
	"strconv"
	"strings"
)

// Escapes reports whether Markdown would interpret byte i of a word as syntax. first means that the word begins a block, row
// that it is part of a table.
func Escapes(s string, i int, first, row bool) bool {
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch c := s[i]; c {
	case '`', '*', '[':
		return true
	case '\\':
		return next > ' ' && next < 0x7f && !isAlphanumeric(next)
	case '<':
		return isAlphanumeric(next) || next == '/' || next == '!'
	case '|':
		return row
	case '_': // plain within a word
		return i == 0 || i == len(s)-1
	case '#', '+', '-', '>', '=', '~':
		return i == 0 && first && (c == '>' || strings.Trim(s, s[:1]) == "")
	case '.', ')': // "1." at the beginning of a block would be a list item
		if i == len(s)-1 && i > 0 && i < 10 && first {
			_, err := strconv.Atoi(s[:i])
			return err == nil
		}
	}
	return false
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

var addressEscaper = strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E", "\n", "", "\t", "", "\\", "%5C")

// Address escapes an address for a link.
func Address(to string) string { return addressEscaper.Replace(to) }
