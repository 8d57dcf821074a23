package pdf

import (
	"cmp"
	"math"
	"slices"
)

// word is characters without space, of one size and on one base line.
type word struct {
	text   string
	box    // turned upright
	angle  int
	hyphen bool    // at its end, which a line break may have added; it is not in the text
	tight  bool    // no space between it and the word before: x and its exponent
	raised bool    // it is smaller than a neighbouring word, and above its base line
	space  bool    // before it in its line
	gap    float64 // before it in its line, in points, if it begins a segment
}

// Gaps between two words, in line heights: between characters on two base lines, and between characters on one base line
// where PDFium finds no space. A space of a book font is 0.25 wide and 0.17 in a tight line; kerning is below 0.08.
const (
	guessedGap = 0.09
	silentGap  = 0.25
)

// scriptShift is the distance of base lines, in line heights, from which characters count as raised or lowered. Exponents
// are at 0.35, indices at 0.15.
const scriptShift = 0.1

// maxWordChars splits what has no spaces, so that a box never spans much more than a line.
const maxWordChars = 200

// wordsOf joins characters to words. A word ends before a wide gap. PDFium's own spaces are unreliable: it reports kerning,
// accents and raised characters as spaces, and misses narrow ones.
func wordsOf(glyphs []glyph) []word {
	var words []word
	start, tight := 0, false // of the current word
	for i := range glyphs {
		next := apart
		if i+1 < len(glyphs) && i+1-start < maxWordChars {
			next = jointOf(glyphs, i+1)
		}
		if next == together {
			continue
		}
		w := wordOf(glyphs[start : i+1])
		if w.tight = tight; tight {
			if glyphs[start].base > glyphs[start-1].base {
				w.raised = true
			} else if before := &words[len(words)-1]; !before.tight {
				before.raised = true
			}
		}
		words = append(words, w)
		start, tight = i+1, next == beside
	}
	return words
}

// joint is how a character relates to the one before it.
type joint int

const (
	apart  joint = iota
	beside       // of another size or on another base line, without a space between
	together
)

// jointOf returns how the character i relates to the one before it.
func jointOf(glyphs []glyph, i int) joint {
	a, b := &glyphs[i-1], &glyphs[i]
	h := max(a.box.height(), b.box.height())
	switch {
	case a.angle != b.angle || a.hyphen || b.space == writtenSpace:
		return apart
	case a.box == b.box && b.space == noSpace: // the letters of a ligature share its box
		return together
	case (isBracket(a.text) || isBracket(b.text)) && nearRightToLeft(glyphs, i):
		return apart
	case h <= 0 || isRightToLeft(a.text) || isRightToLeft(b.text): // no usable boxes, or the other direction
		if b.space == noSpace {
			return together
		}
		return apart
	}
	gap, shift := b.box.x0-a.box.x1, math.Abs(b.base-a.base)
	limit := silentGap * h
	switch {
	case shift > scriptShift*h:
		limit = guessedGap * h
	case b.space != noSpace && gap > -0.1*h && gap < 0.03*h: // the next letter: PDFium begins a line for each of a turned text
	case b.space != noSpace:
		return apart
	case isWide(firstRune(a.text)) || isWide(firstRune(b.text)): // printed with space around them
		limit = h
	case i+1 < len(glyphs) && glyphs[i+1].space == noSpace && glyphs[i+1].box.x0-b.box.x1 > 0.6*gap,
		i > 1 && a.space == noSpace && a.box.x0-glyphs[i-2].box.x1 > 0.6*gap: // l e t t e r s
		limit = h
	}
	switch {
	case gap > limit, gap < -0.5*h, shift > 0.9*h:
		return apart
	case shift > scriptShift*h:
		return beside
	}
	return together
}

// wordOf makes a word of its characters. PDFium lists the letters of scripts that run to the left in their order, or from the left.
func wordOf(glyphs []glyph) word {
	w := word{box: around(glyphs), angle: glyphs[0].angle, hyphen: glyphs[len(glyphs)-1].hyphen}
	var toLeft []box
	for _, g := range glyphs {
		if isRightToLeft(g.text) {
			toLeft = append(toLeft, g.box)
		}
	}
	if n := len(toLeft); n > 1 && toLeft[0].x1 <= toLeft[n-1].x0+1 {
		glyphs = slices.Clone(glyphs)
		slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(b.box.x0+b.box.x1, a.box.x0+a.box.x1) })
	}
	for _, g := range glyphs {
		w.text += g.text
	}
	return w
}
