// Package passages reads a text as sentences, passages and search terms, and ranks passages for a query by
// BM25. It is pure: the same text gives the same result, and every offset counts Unicode code points.
package passages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Passage is a stretch of a text. Start and End count Unicode code points, half open, and Text is the text
// between them. Texts should be valid UTF-8; every byte that is not counts as one code point, as in Go's
// range over a string.
type Passage struct {
	Start, End int
	Text       string
}

// DefaultChars is the size of a passage, in code points, where nobody asks for another: four or five
// sentences, about what a reader takes in at a glance (chosen).
const DefaultChars = 800

// Split cuts a text into passages: consecutive sentences of one paragraph, joined while they stay within
// maxChars code points (below 1: [DefaultChars]). A heading or the introduction of a list is joined with what it
// leads to. Every character that is not white space is in exactly one passage. A single sentence that is too long
// is cut at white space, or where it has none, at maxChars.
func Split(text string, maxChars int) []Passage {
	if maxChars < 1 {
		maxChars = DefaultChars
	}
	var out []Passage
	var open span
	flush := func() {
		if open.end > open.start {
			out = append(out, open.passage(text))
		}
		open = span{}
	}
	for _, s := range sentenceSpans(text) {
		if open.end > open.start && (!s.opensParagraph || open.leads(text)) && s.end-open.start <= maxChars {
			open.end, open.byteEnd, open.heading = s.end, s.byteEnd, open.heading && s.heading
			continue
		}
		flush()
		if s.end-s.start > maxChars {
			pieces := s.cut(text, maxChars)
			for _, p := range pieces[:len(pieces)-1] {
				out = append(out, p.passage(text))
			}
			s = pieces[len(pieces)-1]
		}
		open = s
	}
	flush()
	return out
}

// span is a stretch in both measures: code points for callers, bytes for slicing.
type span struct {
	start, end         int
	byteStart, byteEnd int
	opensParagraph     bool
	heading            bool // a line that begins with #
}

func (s span) blank() bool { return s.end <= s.start }

// maxLeadChars is the length of the longest line that counts as a heading without a mark (chosen).
const maxLeadChars = 90

// leads reports whether a span says nothing alone: a heading, or a list's introduction.
func (s span) leads(text string) bool {
	if s.heading {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(text[s.byteStart:s.byteEnd])
	return last == ':' || last == '：' || s.end-s.start <= maxLeadChars && s.oneLine(text) && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

func (s span) oneLine(text string) bool {
	line := text[s.byteStart:s.byteEnd]
	return !strings.Contains(line, "\n") && !opensItem(line)
}

func (s span) passage(text string) Passage {
	return Passage{Start: s.start, End: s.end, Text: text[s.byteStart:s.byteEnd]}
}

// cut divides an over-long span into pieces of at most size code points, each free of white space at its ends.
func (s span) cut(text string, size int) []span {
	var out []span
	for s.end-s.start > size {
		var lastSpace span // ends before the last run of white space that fits
		n, b := 0, s.byteStart
		inSpace := false
		for n < size {
			r, w := utf8.DecodeRuneInString(text[b:s.byteEnd])
			if unicode.IsSpace(r) {
				if !inSpace {
					lastSpace = span{start: s.start, end: s.start + n, byteStart: s.byteStart, byteEnd: b}
				}
				inSpace = true
			} else {
				inSpace = false
			}
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
		out = append(out, piece)
		s.start, s.byteStart = piece.end, piece.byteEnd
		s = trim(text, s)
	}
	return append(out, s)
}

// maxLeadLine is the length of the longest line that [JoinLeads] takes for a heading or the name of a parameter (chosen).
const maxLeadLine = 120

// JoinLeads joins a passage that says nothing alone (a heading, a question, the name and type of a parameter) with the next
// one. ps are passages of text, in order.
func JoinLeads(text string, ps []Passage) []Passage {
	var out []Passage
	at := 0    // end of the last passage, in bytes
	from := -1 // begin of a lead that waits for its passage, in bytes
	start := 0 // the same in code points
	for i, p := range ps {
		begin := at + strings.Index(text[at:], p.Text)
		at = begin + len(p.Text)
		if from < 0 {
			from, start = begin, p.Start
		}
		if i+1 < len(ps) && p.End-start <= maxLeadLine && leadLine(p.Text) {
			continue
		}
		out = append(out, Passage{Start: start, End: p.End, Text: text[from:at]})
		from = -1
	}
	return out
}

// leadLine reports whether a passage is a line that leads to the next one: no sentence, list item or row of a table.
func leadLine(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && !strings.Contains(s, "\n") && (last == '?' || !opensItem(s)) && !strings.ContainsRune(".!;,。！；，", last)
}
