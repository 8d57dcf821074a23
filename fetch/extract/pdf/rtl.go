package pdf

import (
	"cmp"
	"slices"
	"strings"
)

// Scripts that run to the left come from PDFium in an order that is sometimes theirs and sometimes that of the page.

// textOf returns the characters of a word. Those of a word that runs to the left, and whose letters PDFium lists from the left, are
// put into their order.
func textOf(glyphs []pdfGlyph) string {
	toLeft := func(g pdfGlyph) bool { return isRightToLeft(g.text) }
	first := slices.IndexFunc(glyphs, toLeft)
	if first >= 0 {
		last := first
		for i := range glyphs {
			if toLeft(glyphs[i]) {
				last = i
			}
		}
		if glyphs[first].box.x1 <= glyphs[last].box.x0+1 && last > first {
			glyphs = slices.Clone(glyphs)
			slices.SortStableFunc(glyphs, func(a, b pdfGlyph) int { return cmp.Compare(b.box.x0+b.box.x1, a.box.x0+a.box.x1) })
		}
	}
	var b strings.Builder
	for _, g := range glyphs {
		b.WriteString(g.text)
	}
	return b.String()
}

// In lines that run to the left, brackets are words: which way a bracket opens is known from what stands beside it alone.
var brackets = map[string][2]string{"(": {"(", ")"}, ")": {"(", ")"}, "[": {"[", "]"}, "]": {"[", "]"}, "{": {"{", "}"}, "}": {"{", "}"},
	"«": {"«", "»"}, "»": {"«", "»"}}

func isBracket(s string) bool { return brackets[s][0] != "" }

// nearRightToLeft reports letters that run to the left near a character, in its line.
func nearRightToLeft(glyphs []pdfGlyph, i int) bool {
	const near = 20
	return slices.ContainsFunc(glyphs[max(0, i-near):min(len(glyphs), i+near)], func(g pdfGlyph) bool {
		return g.box.overlap(glyphs[i].box) > 0.5 && isRightToLeft(g.text)
	})
}

// toLeftRow puts the words of a line that runs to the left into their order: words of other scripts run to the right, a bracket opens
// if its content is on its left, and a mark at the left of a number follows it. The segments come from the right.
func toLeftRow(row []segment) (out []segment) {
	for _, s := range row {
		for i := range s.words {
			w := &s.words[i]
			if i > 0 && (isBracket(w.text) || isBracket(s.words[i-1].text)) && w.box.x0 >= s.words[i-1].box.x1 {
				*w, s.words[i-1] = s.words[i-1], *w
			}
		}
		for i := range s.words {
			w := &s.words[i]
			if pair := brackets[w.text]; isBracket(w.text) {
				w.text = pair[1]
				if opensToLeft(row, w.box) {
					w.text = pair[0]
				}
			}
			if number := strings.TrimLeft(w.text, ",.;:"); len(number) == len(w.text)-1 && !hasLetter(number) {
				w.text = number + w.text[:1]
			}
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
func foreign(s segment) bool {
	return !slices.ContainsFunc(s.words, func(w pdfWord) bool { return isRightToLeft(w.text) || !hasLetter(w.text) })
}

// opensToLeft reports whether a bracket is nearer to the word on its left than to the one on its right.
func opensToLeft(row []segment, bracket box) bool {
	left, right := 1e9, 1e9
	for _, s := range row {
		for _, w := range s.words {
			if d := bracket.x0 - w.box.x1; w.box.x0 < bracket.x0 {
				left = min(left, max(d, 0))
			}
			if d := w.box.x0 - bracket.x1; w.box.x0 > bracket.x0 {
				right = min(right, max(d, 0))
			}
		}
	}
	return left < right
}

// bracketed reports whether no space is between two words of a line that runs to the left, because of a bracket.
func bracketed(a, b pdfWord) bool {
	opens, closes := brackets[a.text][0], brackets[b.text][1]
	return opens != "" && opens == a.text || closes != "" && closes == b.text || closes == "" && strings.Trim(b.text, ".,،؛:;") == ""
}
