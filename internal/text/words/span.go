package words

import (
	"unicode"
	"unicode/utf8"
)

// Span is a stretch of a text. Start and End count Unicode code points, half open, and Text is the text between them.
// Texts should be valid UTF-8; every byte that is not counts as one code point, as in Go's range over a string.
type Span struct {
	Start, End int
	Text       string
}

// span is a stretch in both measures: code points for callers, bytes for slicing.
type span struct {
	start, end         int
	byteStart, byteEnd int
	opensParagraph     bool
	heading            bool // a line that begins with #
}

func (s span) blank() bool { return s.end <= s.start }

func (s span) of(text string) Span {
	return Span{Start: s.start, End: s.end, Text: text[s.byteStart:s.byteEnd]}
}

// Cut divides a text into pieces of at most size code points, at white space where it has any.
func Cut(text string, size int) []Span {
	s := span{end: utf8.RuneCountInString(text), byteEnd: len(text)}
	var out []Span
	for s.end-s.start > size {
		var lastSpace span // ends before the last run of white space that fits
		n, b := 0, s.byteStart
		inSpace := false
		for n < size {
			r, w := utf8.DecodeRuneInString(text[b:s.byteEnd])
			if unicode.IsSpace(r) && !inSpace {
				lastSpace = span{start: s.start, end: s.start + n, byteStart: s.byteStart, byteEnd: b}
			}
			inSpace = unicode.IsSpace(r)
			n++
			b += w
		}
		if r, _ := utf8.DecodeRuneInString(text[b:s.byteEnd]); unicode.IsSpace(r) && !inSpace {
			lastSpace = span{start: s.start, end: s.start + n, byteStart: s.byteStart, byteEnd: b}
		}
		piece := lastSpace
		if piece.end <= piece.start { // no white space at all
			piece = span{start: s.start, end: s.start + n, byteStart: s.byteStart, byteEnd: b}
		}
		out = append(out, piece.of(text))
		s.start, s.byteStart = piece.end, piece.byteEnd
		s = trim(text, s)
	}
	return append(out, s.of(text))
}
