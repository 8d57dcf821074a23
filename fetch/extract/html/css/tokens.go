package css

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The text of style sheets and style attributes is normalized before it is split, so that braces, colons, semicolons,
// commas and parentheses only mean structure: comments become commentMark, escapes the characters that they stand for,
// and structural characters of names, strings and addresses move to a private range.

const (
	commentMark  = '\x01' // separates two words of a value, as a comment does
	privateStart = 0xe000 // plus an ASCII character
)

// normalize returns css in that form.
func normalize(css string) string {
	if !strings.ContainsAny(css, `\"'`) && !strings.Contains(css, "/*") && !strings.Contains(css, "(") {
		return css
	}
	var b strings.Builder
	b.Grow(len(css))
	for i := 0; i < len(css); {
		switch c := css[i]; {
		case c == '/' && strings.HasPrefix(css[i:], "/*"):
			b.WriteByte(commentMark)
			end := strings.Index(css[i+2:], "*/")
			if end < 0 {
				return b.String()
			}
			i += 2 + end + 2
		case c == '\\':
			r, size := unescape(css[i:])
			if size == 0 {
				b.WriteByte(' ')
				i++
				continue
			}
			writeName(&b, r)
			i += size
		case c == '"' || c == '\'':
			i = writeString(&b, css, i, c)
		case c == '(' && i >= 3 && strings.EqualFold(css[i-3:i], "url"):
			b.WriteByte('(')
			for i++; i < len(css) && isSpace(css[i]); i++ {
			}
			if i < len(css) && css[i] != '"' && css[i] != '\'' {
				i = writeString(&b, css, i-1, ')')
				b.WriteByte(')')
			}
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// writeString writes a string that begins at i with any character and ends with the given one, and returns where it
// ends. A string also ends with its line.
func writeString(b *strings.Builder, css string, i int, end byte) int {
	if end != ')' {
		b.WriteByte(end)
	}
	for i++; i < len(css) && css[i] != end && (css[i] != '\n' || end == ')'); {
		if css[i] == '\\' {
			r, size := unescape(css[i:])
			i += max(size, 1)
			if size > 0 {
				writeName(b, r)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(css[i:])
		writeName(b, r)
		i += size
	}
	if end != ')' {
		b.WriteByte(end)
	}
	return min(i+1, len(css))
}

// writeName writes a character that is no structure.
func writeName(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf && !isNameByte(byte(r)) {
		r += privateStart
	}
	b.WriteRune(r)
}

// plainName undoes writeName.
func plainName(s string) string {
	return strings.Map(plainRune, s)
}

func plainRune(r rune) rune {
	if r >= privateStart && r < privateStart+utf8.RuneSelf {
		return r - privateStart
	}
	return r
}

// unescape reads the escape at the start of s; size is 0 if it is none.
func unescape(s string) (r rune, size int) {
	i := 1
	for ; i < len(s) && i < 7; i++ {
		digit := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if digit < 0 || s[i] < '0' {
			break
		}
		r = r<<4 | rune(digit)
	}
	if i > 1 {
		if i < len(s) && isSpace(s[i]) {
			i++
		}
		if r == 0 || !utf8.ValidRune(r) {
			r = utf8.RuneError
		}
		return r, i
	}
	if len(s) < 2 || s[1] == '\n' {
		return 0, 0
	}
	r, i = utf8.DecodeRuneInString(s[1:])
	return r, i + 1
}

// blockOf returns what follows an opening brace up to the closing one, and the rest. The end of a sheet closes all
// blocks.
func blockOf(css string) (body, rest string) {
	end := closing(css, '{', '}')
	return css[:end], css[min(end+1, len(css)):]
}

// closing is where the first end is that closes what s does not begin, or the end of s.
func closing(s string, begin, end byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case begin:
			depth++
		case end:
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(s)
}

// indexOutside is where the first of some characters is where no parenthesis or bracket is open, or the end of s.
func indexOutside(s, chars string) int {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth <= 0 && strings.IndexByte(chars, c) >= 0:
			return i
		}
	}
	return len(s)
}

// splitOutside splits a list at characters where no parenthesis or bracket is open.
func splitOutside(s, chars string) (parts []string) {
	for {
		end := indexOutside(s, chars)
		parts = append(parts, s[:end])
		if end == len(s) {
			return parts
		}
		s = s[end+1:]
	}
}

// valueWords splits a value at white space outside of parentheses.
func valueWords(s string) []string {
	if strings.IndexByte(s, '(') < 0 {
		return strings.Fields(s)
	}
	return slices.DeleteFunc(splitOutside(s, spaces), func(word string) bool { return word == "" })
}

// function splits a value such as "scale(0, 1)" in its name and what is in the parentheses.
func function(s string) (name, args string, ok bool) {
	name, args, ok = strings.Cut(s, "(")
	if !ok {
		return "", "", false
	}
	return name, strings.TrimSuffix(args, ")"), true
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

const spaces = " \t\r\n\f"
