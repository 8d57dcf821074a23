package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// colours are the codes by which programs colour what they write to a terminal.
var colours = lazyregexp.New(`\x1b\[[\d;]*m`)

// separators are the signs between files, groups, records and units.
var separators = strings.NewReplacer("\x1c", " ", "\x1d", " ", "\x1e", " ", "\x1f", " ")

// asShown is a text as a terminal or a printer shows it.
func asShown(text string) string {
	return struckOver(separators.Replace(colours.ReplaceAllString(text, "")))
}

const maxMarked = 32 // bytes of a letter with its marks

// struckOver drops the letters that others are printed over, as pages of manuals have bold and underlined words: N, a backspace and
// N is one N. A line or nothing printed over letters leaves them.
func struckOver(text string) string {
	if !strings.Contains(text, "\b") {
		return text
	}
	out := make([]byte, 0, len(text))
	for {
		before, rest, more := strings.Cut(text, "\b")
		out = append(out, before...)
		if !more {
			return string(out)
		}
		text = strings.TrimLeft(rest, "\b")
		back := 1 + len(rest) - len(text)
		over := text[:min(len(text), back)]
		line := len(over) - len(strings.TrimLeft(over, "_ "))
		from := len(out)
		for columns := 0; columns < back && from > 0 && len(out)-from < maxMarked*back; {
			r, size := utf8.DecodeLastRune(out[:from])
			if r == '\n' {
				break
			}
			from -= size
			switch {
			case unicode.Is(unicode.Mn, r):
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				columns += 2
			default:
				columns++
			}
		}
		switch {
		case line == back && strings.Trim(string(out[from:]), "_ ") != "":
			text = text[line:]
		case text != "" && text[0] != '\n' && text[0] != '\r':
			out = out[:from]
		}
	}
}
