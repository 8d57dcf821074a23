package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// minDoubled is how many characters must have been encoded twice: a few such sequences may be what the author wrote.
const minDoubled = 3

// doubled matches the characters as which Windows-1252 shows two or three bytes of UTF-8.
var doubled = lazyregexp.New(`[ÂÃÐÑ]` + following + `|â` + following + following)

// mayDouble reports a text with the first of such characters. All of them begin with the byte 0xC3 in UTF-8.
func mayDouble(text string) bool {
	for {
		i := strings.IndexByte(text, 0xC3)
		if i < 0 {
			return false
		}
		if text = text[i+1:]; strings.HasPrefix(text, "\x83") || strings.HasPrefix(text, "\x82") ||
			strings.HasPrefix(text, "\xa2") || strings.HasPrefix(text, "\x90") || strings.HasPrefix(text, "\x91") {
			return true
		}
	}
}

const following = `[\x{80}-\x{BF}€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]`

// RepairDoubled undoes a double encoding: UTF-8 that a program read as Windows-1252 and wrote as UTF-8 again, so that
// "é" became "Ã©". It does so where it is certain: a text has several such characters, and only in pieces between tags
// that have no letter beyond ASCII that is intact. repaired is the number of characters that changed.
func RepairDoubled(text string) (result string, repaired int) {
	if !mayDouble(text) || strings.Contains(strings.ToLower(text), "mojibake") {
		return text, 0 // a page about the error shows it
	}
	var b strings.Builder
	b.Grow(len(text))
	for rest := text; rest != ""; {
		end := strings.IndexAny(rest, "<>\n")
		if end < 0 {
			end = len(rest) - 1
		}
		piece := rest[:end+1]
		rest = rest[end+1:]
		if !mayDouble(piece) {
			b.WriteString(piece)
			continue
		}
		n := 0
		fixed := doubled.ReplaceAllStringFunc(piece, func(s string) string {
			n++
			return decodedOnce(s)
		})
		if n > 0 && !strings.ContainsFunc(doubled.ReplaceAllString(piece, ""), func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }) {
			repaired += n
			piece = fixed
		}
		b.WriteString(piece)
	}
	if repaired < minDoubled {
		return text, 0
	}
	return b.String(), repaired
}

// decodedOnce reads the bytes of Windows-1252 as UTF-8.
func decodedOnce(s string) string {
	var bytes []byte
	for _, r := range s {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = byte(r) // a control, which Windows-1252 lacks
		}
		bytes = append(bytes, c)
	}
	if !utf8.Valid(bytes) {
		return s
	}
	return string(bytes)
}
