package local

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/lines"
)

// maxAbove bounds the text above a passage in which its headings are looked for, in bytes (chosen): reading that much takes
// some 10 ms, and a book's chapters begin more often.
const maxAbove = 512 << 10

// place returns the lines of a stretch [start, end) of a text, in code points, and the path of headings above it, or both empty
// where the text has no such stretch.
func place(text string, start, end int) (in, section string) {
	from := byteOf(text, start)
	to := from + byteOf(text[from:], end-start)
	if from == to {
		return "", ""
	}
	first := 1 + strings.Count(text[:from], "\n")
	in = lines.Ranges{{First: first, Last: first + strings.Count(text[from:to-1], "\n")}}.String()
	if rest := strings.IndexByte(text[to:], '\n'); rest >= 0 { // whether a line is a heading shows in the lines after it
		to = min(len(text), to+rest+maxAfter)
	} else {
		to = len(text)
	}
	above := 0
	if from > maxAbove {
		above = from - maxAbove
		above += strings.IndexByte(text[above:], '\n') + 1
	}
	near := lines.New(strings.ToValidUTF8(text[above:to], ""))
	at := 1 + strings.Count(text[above:from], "\n")
	for _, b := range near.Blocks(lines.Ranges{{First: at, Last: near.Len()}}) {
		if section, _ = near.Context(b); b.Kind != lines.Heading {
			break
		}
	}
	return in, section
}

// maxAfter is the text behind a passage that is read for its last heading, in bytes (chosen).
const maxAfter = 200

// byteOf returns the byte at which a code point of a text begins, at most the length of the text.
func byteOf(text string, point int) int {
	at := 0
	for ; point > 0 && at < len(text); point-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
