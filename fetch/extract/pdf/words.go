package pdf

import (
	"math"
	"unicode"
	"unicode/utf16"
)

// pdfGlyph is a character with its position.
type pdfGlyph struct {
	text   string
	box    box     // rotated upright
	place  box     // as on the page
	base   float64 // its base line
	angle  int
	space  pdfSpace // before it
	hyphen bool     // PDFium removed a hyphen after it, as one of a line break
}

// pdfSpace is PDFium's information about the space between two characters.
type pdfSpace int

const (
	noSpace pdfSpace = iota
	guessedSpace
	writtenSpace // the file has a character for it
	newLineSpace
)

// Gaps between two words, in line heights: between characters on two base lines, and between characters on one base line
// where PDFium finds no space. A space of a book font is 0.25 wide and 0.17 in a tight line; kerning is below 0.08.
const (
	guessedGap = 0.09
	silentGap  = 0.25
)

// maxWordChars splits what has no spaces, so that a box never spans much more than a line.
const maxWordChars = 200

// wordsOf joins characters to words. A word ends before a wide gap. PDFium's own spaces are unreliable: it reports kerning,
// accents and raised characters as spaces, and misses narrow ones.
func wordsOf(glyphs []pdfGlyph) []pdfWord {
	var words []pdfWord
	start := 0 // of the last word
	for i, g := range glyphs {
		how := wordApart
		if i > 0 && i-start < maxWordChars {
			how = between(glyphs, i)
		}
		if how != wordGoesOn {
			if i > 0 {
				words[len(words)-1].text = textOf(glyphs[start:i])
			}
			start = i
			w := pdfWord{box: g.place, angle: g.angle, tight: how == wordBeside}
			if w.tight {
				if g.base > glyphs[i-1].base {
					w.raised = true
				} else if !words[len(words)-1].tight { // the previous word was raised
					words[len(words)-1].raised = true
				}
			}
			words = append(words, w)
		}
		w := &words[len(words)-1]
		w.box, w.hyphen = w.box.union(g.place), g.hyphen
	}
	if len(words) > 0 {
		words[len(words)-1].text = textOf(glyphs[start:])
	}
	return words
}

// pdfJoint is how a character relates to the one before it.
type pdfJoint int

const (
	wordApart  pdfJoint = iota
	wordBeside          // of another size or on another base line, without a space between
	wordGoesOn
)

// between returns how the character i relates to the one before it.
func between(glyphs []pdfGlyph, i int) pdfJoint {
	a, b := &glyphs[i-1], &glyphs[i]
	if a.angle != b.angle || a.hyphen || b.space == writtenSpace {
		return wordApart
	}
	if a.place == b.place && b.space == noSpace { // the letters of a ligature share its box
		return wordGoesOn
	}
	h := max(a.box.height(), b.box.height())
	if (isBracket(a.text) || isBracket(b.text)) && nearRightToLeft(glyphs, i) {
		return wordApart
	}
	if h <= 0 || isRightToLeft(a.text) || isRightToLeft(b.text) { // no usable boxes, or the other direction
		if b.space == noSpace {
			return wordGoesOn
		}
		return wordApart
	}
	gap, shift := b.box.x0-a.box.x1, math.Abs(b.base-a.base)
	limit := silentGap * h
	switch {
	case shift > scriptShift*h:
		limit = guessedGap * h
	case b.space != noSpace && gap > -0.1*h && gap < 0.03*h: // the next letter: PDFium begins a line for each of a turned text
	case b.space == guessedSpace && gap < 0.2*h && spread(glyphs, i, gap):
	case b.space != noSpace:
		return wordApart
	case isWideText(a.text) || isWideText(b.text): // printed with space around them
		limit = h
	case i+1 < len(glyphs) && glyphs[i+1].space == noSpace && glyphs[i+1].box.x0-b.box.x1 > 0.6*gap,
		i > 1 && a.space == noSpace && a.box.x0-glyphs[i-2].box.x1 > 0.6*gap: // l e t t e r s
		limit = h
	}
	switch {
	case gap > limit, gap < -0.5*h, shift > 0.9*h:
		return wordApart
	case shift > scriptShift*h:
		return wordBeside
	}
	return wordGoesOn
}

// spread reports whether the letters around a character are printed apart, as in titles: most gaps are as wide as the one before it.
func spread(glyphs []pdfGlyph, i int, gap float64) bool {
	wide, all := 0, 0
	for j := max(i-8, 1); j < min(i+9, len(glyphs)); j++ {
		if glyphs[j].base == glyphs[i].base && glyphs[j-1].base == glyphs[i].base {
			if all++; glyphs[j].box.x0-glyphs[j-1].box.x1 > 0.6*gap {
				wide++
			}
		}
	}
	return wide >= 4 && 4*wide >= 3*all
}

// scriptShift is the distance of base lines, in line heights, from which characters count as raised or lowered. Exponents
// are at 0.35, indices at 0.15.
const scriptShift = 0.1

// glyphs returns the characters of a page with their positions.
func (l *pdfLibrary) glyphs(text uint64, chars int) []pdfGlyph {
	units := l.characters(text, chars)
	made := func(i int) bool { return l.number("FPDFText_IsGenerated", text, uint64(i)) == 1 }
	glyphs := make([]pdfGlyph, 0, len(units))
	space, angle := newLineSpace, 0
	for i := 0; i < len(units) && l.err == nil; i++ {
		at := i
		g := pdfGlyph{text: string(utf16.Decode(units[i : i+1]))}
		switch u := units[i]; {
		case u == lostCode && !made(i) && l.number("FPDFText_IsHyphen", text, uint64(i)) != 1:
			g.text = string(unicode.ReplacementChar) // the font maps it to nothing
			l.missing++
		case lineHyphen(u):
			if len(glyphs) > 0 {
				glyphs[len(glyphs)-1].hyphen = true
			}
			space = newLineSpace
			continue
		case u == '\n' || u == '\r':
			space = newLineSpace
			continue
		case u < ' ' && u != '\t' && !made(i):
			g.text = string(unicode.ReplacementChar) // a code of the font, not a character
			l.missing++
		case u < ' ' || u == 0xffff || unicode.IsSpace(rune(u)):
			if space < writtenSpace {
				if space = writtenSpace; made(i) {
					space = guessedSpace
				}
			}
			continue
		case utf16.IsSurrogate(rune(u)) && i+1 < len(units):
			g.text = string(utf16.Decode(units[i : i+2]))
		}
		g.place = l.box(text, i)
		if space != noSpace {
			angle = l.angle(text, i)
		}
		if utf16.IsSurrogate(rune(units[i])) {
			i++
		}
		g.angle, g.box, g.space = angle, g.place.turned(angle), space
		if n := len(glyphs); n > 0 && glyphs[n-1].angle == angle && glyphs[n-1].box.y0 == g.box.y0 && glyphs[n-1].box.y1 == g.box.y1 {
			g.base = glyphs[n-1].base // saves a call: characters of one font on one line have the same base line
		} else {
			g.base = l.origin(text, at).turned(angle).y0
		}
		glyphs = append(glyphs, g)
		space = noSpace
	}
	return glyphs
}
