package references

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// accents are TeX's commands for accents, and the combining characters that they stand for.
var accents = map[string]rune{
	`"`: 0x308, `'`: 0x301, "`": 0x300, "^": 0x302, "~": 0x303, "=": 0x304, ".": 0x307,
	"u": 0x306, "v": 0x30c, "H": 0x30b, "c": 0x327, "k": 0x328, "r": 0x30a, "d": 0x323, "b": 0x331,
}

// letters are TeX's commands for letters and signs.
var letters = map[string]string{
	"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
	"i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
	"textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
	"textquotedblright": "”",
	"textasciitilde":    "~", "textasciicircum": "^", "textbackslash": `\`, "textbraceleft": "{", "textbraceright": "}", "ldots": "…",
	"dots": "…",
}

// plainTeX returns the text that TeX would show: accents and letters as such, no braces, no other commands, one line.
func plainTeX(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			name := command(s[i+1:])
			rest := s[i+1+len(name):]
			i += 1 + len(name)
			mark, isAccent := accents[name]
			switch letter, isLetter := letters[name]; {
			case isAccent:
				base, size := accented(rest)
				b.WriteString(base)
				if base != "" {
					b.WriteRune(mark)
				}
				i += size
			case isLetter:
				b.WriteString(letter)
				i += len(rest) - len(strings.TrimPrefix(strings.TrimLeft(rest, " "), "{}"))
			case len(name) == 1 && !unicode.IsLetter(rune(name[0])): // \& \% \_
				b.WriteString(name)
			default: // \emph{x} is x
				i += len(rest) - len(strings.TrimLeft(rest, " "))
			}
		case c == '{' || c == '}' || c == '$':
			i++
		case c == '~':
			b.WriteByte(' ')
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	// of web pages
	text := strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”").Replace(html.UnescapeString(b.String()))
	return strings.Join(strings.Fields(norm.NFC.String(text)), " ")
}

// command returns the name of a command after its backslash: letters, or one other character.
func command(s string) string {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
	}
	return s[:n]
}

// accented returns the letter that an accent is on, and how many bytes it and its braces take: o, {o}, \i, {\i}.
func accented(s string) (base string, size int) {
	trimmed := strings.TrimLeft(s, " ")
	inner, braced := strings.CutPrefix(trimmed, "{")
	if after, ok := strings.CutPrefix(inner, `\`); ok {
		name := command(after)
		base, inner = letters[name], after[len(name):]
	} else if r, n := utf8.DecodeRuneInString(inner); n > 0 && r != '}' {
		base, inner = inner[:n], inner[n:]
	}
	if braced {
		inner = strings.TrimPrefix(inner, "}")
	}
	return base, len(s) - len(inner)
}
