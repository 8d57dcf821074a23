package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// Text is wrapped by hand or by mail programs at 60 to 80 columns, by PDF columns from about 40; beyond
	// 120 a line is a paragraph of its own.
	minWrapChars, maxWrapChars = 40, 120
)

// logicalLines reads the lines of text, without the white space around them, and joins those that are one wrapped paragraph.
func logicalLines(text string) []span {
	lines := physicalLines(text)
	var out []span
	for i := 0; i < len(lines); {
		if lines[i].blank() {
			out = append(out, lines[i])
			i++
			continue
		}
		end, width := i, 0 // the block of lines between blank ones, and its width
		for end < len(lines) && !lines[end].blank() {
			width = max(width, lines[end].end-lines[end].start)
			end++
		}
		open := lines[i]
		for j := i + 1; j < end; j++ {
			if wrapped(text, lines[j-1], lines[j], width) {
				open.end, open.byteEnd = lines[j].end, lines[j].byteEnd
				continue
			}
			out = append(out, open)
			open = lines[j]
		}
		out = append(out, open)
		i = end
	}
	return out
}

func physicalLines(text string) []span {
	var out []span
	at := span{}
	for line := range strings.Lines(text) {
		at.start, at.end = at.end, at.end+utf8.RuneCountInString(line)
		at.byteStart, at.byteEnd = at.byteEnd, at.byteEnd+len(line)
		l := trim(text, at)
		l.heading = !l.blank() && text[l.byteStart] == '#'
		out = append(out, l)
	}
	return out
}

// wrapped reports whether b continues with the paragraph of a: a was so full that the first word of b did not
// fit, or b begins in the middle of a sentence.
func wrapped(text string, a, b span, width int) bool {
	if a.heading || b.heading || opensItem(text[b.byteStart:b.byteEnd]) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text[b.byteStart:b.byteEnd])
	if unicode.IsLower(first) {
		return true
	}
	if width < minWrapChars || width > maxWrapChars || text[a.byteStart] == '|' {
		return false
	}
	word := 0
	for _, r := range text[b.byteStart:b.byteEnd] {
		if unicode.IsSpace(r) || unspaced(r) || word > width {
			break
		}
		word++
	}
	const slack = 3 // justified and proportional type wraps a little early
	return a.end-a.start+1+word > width-slack
}

// opensItem reports whether a line begins a list item, a quotation, a table row or a footnote.
func opensItem(s string) bool {
	r, w := utf8.DecodeRuneInString(s)
	rest := s[w:]
	switch r {
	case '•', '◦', '▪', '●', '·', '|', '>':
		return true
	case '-', '*', '+', '–', '—':
		return strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\t")
	case '[', '(', '（', '【':
		i := strings.IndexAny(s[:min(len(s), 8)], "])）】")
		return i > 0 && (strings.ContainsAny(s[:i], "0123456789") || isItemLetter(rest[:i-w]))
	}
	if letter, _, ok := strings.Cut(s[:min(len(s), 6)], ") "); ok && isItemLetter(letter) {
		return true
	}
	i := 0
	for i < len(s) && i < 4 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i == len(s) {
		return false
	}
	after := s[i:]
	return slices.ContainsFunc([]string{". ", ") ", "、", "．"}, func(mark string) bool { return strings.HasPrefix(after, mark) })
}

// isItemLetter reports whether s marks an item as "a" or "iv" does.
func isItemLetter(s string) bool {
	return len(s) == 1 && unicode.IsLetter(rune(s[0])) || s != "" && strings.Trim(s, "ivx") == ""
}
