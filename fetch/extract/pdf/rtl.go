package pdf

import (
	"cmp"
	"slices"
	"strings"
)

// runsToLeft reports whether most words of a line are of a right-to-left script.
func runsToLeft(row []segment) bool {
	n := 0
	for _, s := range row {
		for _, w := range s.words {
			switch {
			case isRightToLeft(w.text):
				n++
			case hasLetter(w.text):
				n--
			}
		}
	}
	return n > 0
}

// toLeftRow puts the words of a line that runs to the left into their order. Neighbouring words of other scripts run to the right, a
// bracket opens if its content is on its left, and a mark at the left of a number follows it.
func toLeftRow(row []segment) (out []segment) {
	var words []segment
	for _, s := range row {
		for _, w := range s.words {
			words = append(words, segment{[]word{w}, w.box, s.size})
		}
	}
	slices.SortStableFunc(words, func(a, b segment) int { return cmp.Compare(b.box.x1, a.box.x1) })
	for _, s := range words {
		w := &s.words[0]
		if pair := brackets[w.text]; isBracket(w.text) {
			if w.text = pair[1]; opensToLeft(words, w.box) {
				w.text = pair[0]
			}
		}
		if number := strings.TrimLeft(w.text, ",.;:"); len(number) == len(w.text)-1 && !hasLetter(number) {
			w.text = number + w.text[:1]
		}
		if n := len(out); n > 0 && foreign(s) && foreign(out[n-1]) && out[n-1].box.x0-s.box.x1 < wideGap*s.size {
			right := out[n-1]
			out[n-1] = segment{slices.Concat(s.words, right.words), s.box.union(right.box), max(s.size, right.size)}
			continue
		}
		out = append(out, s)
	}
	return out
}

// foreign reports whether the words of a segment run to the right.
func foreign(s segment) bool { return hasLetter(s.words[0].text) && !isRightToLeft(s.words[0].text) }

// In lines that run to the left, brackets are words: which way a bracket opens is known from what stands beside it alone.
var brackets = map[string][2]string{"(": {"(", ")"}, ")": {"(", ")"}, "[": {"[", "]"}, "]": {"[", "]"}, "{": {"{", "}"}, "}": {"{", "}"},
	"«": {"«", "»"}, "»": {"«", "»"}}

func isBracket(s string) bool { return brackets[s][0] != "" }

// nearRightToLeft reports letters that run to the left near a character, in its line.
func nearRightToLeft(glyphs []glyph, i int) bool {
	const near = 20
	return slices.ContainsFunc(glyphs[max(0, i-near):min(len(glyphs), i+near)], func(g glyph) bool {
		return g.box.overlap(glyphs[i].box) > 0.5 && isRightToLeft(g.text)
	})
}

// opensToLeft reports whether a bracket is nearer to the word on its left than to the one on its right.
func opensToLeft(words []segment, bracket box) bool {
	left, right := 1e9, 1e9
	for _, s := range words {
		if s.box.x0 < bracket.x0 {
			left = min(left, max(bracket.x0-s.box.x1, 0))
		}
		if s.box.x0 > bracket.x0 {
			right = min(right, max(s.box.x0-bracket.x1, 0))
		}
	}
	return left < right
}

// bracketed reports whether no space is between two words of a line that runs to the left, because of a bracket or a mark.
func bracketed(a, b word) bool {
	opens, closes := brackets[a.text][0], brackets[b.text][1]
	return opens != "" && opens == a.text || closes != "" && closes == b.text || closes == "" && strings.Trim(b.text, ".,،؛:;") == ""
}
