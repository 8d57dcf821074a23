package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a stretch of a text. Start and End count Unicode code points, half open, and Text is the text between them.
// Texts should be valid UTF-8; every byte that is not counts as one code point, as in Go's range over a string.
type Span struct {
	Start, End int
	Text       string
	Byte       int // of Start
}

// stretch is a stretch of a text between two bytes.
type stretch struct{ start, end int }

// spans returns stretches, which ascend, without the white space at their ends; blank ones are left out.
func spans(text string, stretches []stretch) (out []Span) {
	at, n := 0, 0 // bytes and code points
	for _, s := range stretches {
		body := strings.TrimLeftFunc(text[s.start:s.end], unicode.IsSpace)
		start := s.end - len(body)
		if body = strings.TrimRightFunc(body, unicode.IsSpace); body == "" {
			continue
		}
		n += utf8.RuneCountInString(text[at:start])
		span := Span{Start: n, End: n + utf8.RuneCountInString(body), Text: body, Byte: start}
		out = append(out, span)
		at, n = start+len(body), span.End
	}
	return out
}

// Cut divides a text into pieces of at most size code points (at least 1), at white space where it has any. Pieces have no
// white space at their ends; a blank text has none.
func Cut(text string, size int) []Span {
	var pieces []stretch
	for start := 0; start < len(text); {
		start = len(text) - len(strings.TrimLeftFunc(text[start:], unicode.IsSpace))
		end, broken := start, start // broken is before the last white space
		for n := 0; end < len(text); n++ {
			r, w := utf8.DecodeRuneInString(text[end:])
			if unicode.IsSpace(r) {
				broken = end
			}
			if n >= max(1, size) {
				break
			}
			end += w
		}
		if end < len(text) && broken > start {
			end = broken
		}
		pieces = append(pieces, stretch{start, end})
		start = end
	}
	return spans(text, pieces)
}

// First is the beginning of a text, at most n code points.
func First(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
