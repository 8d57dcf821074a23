package pdf

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf16"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// box is a rectangle in points. y grows upwards.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) height() float64 { return b.y1 - b.y0 }
func (b box) width() float64  { return b.x1 - b.x0 }

// overlap returns the share of the lower of two boxes that is beside the other.
func (b box) overlap(o box) float64 {
	low := min(b.height(), o.height())
	if low <= 0 {
		return 0
	}
	return (min(b.y1, o.y1) - max(b.y0, o.y0)) / low
}

// turned returns the box on a page rotated so that text of this direction runs to the right.
func (b box) turned(angle int) box {
	switch angle {
	case 90: // it runs down
		return box{-b.y1, b.x0, -b.y0, b.x1}
	case 180:
		return box{-b.x1, -b.y1, -b.x0, -b.y0}
	case 270: // it runs up
		return box{b.y0, -b.x1, b.y1, -b.x0}
	}
	return b
}

// union returns the box around two. That of a box and the zero box is the box.
func (b box) union(o box) box {
	switch (box{}) {
	case b:
		return o
	case o:
		return b
	}
	return box{min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1)}
}

// place is the box of what has one.
func (b box) place() box { return b }

// around returns the box around others.
func around[T interface{ place() box }](all []T) (whole box) {
	for _, at := range all {
		whole = whole.union(at.place())
	}
	return whole
}

// glyph is a character with its position.
type glyph struct {
	text   string
	box            // with the full height of its font, turned upright
	base   float64 // its base line
	angle  int     // 0, 90, 180 or 270 degrees
	space  spacing // before it
	hyphen bool    // PDFium removed a hyphen after it, as one of a line break
}

// spacing is PDFium's information about the space between two characters.
type spacing int

const (
	noSpace      spacing = iota
	guessedSpace         // by their distance, or by the end of a line
	writtenSpace         // the file has a character for it
)

const (
	lineHyphen = 0x02   // PDFium's character for a hyphen at the end of a line
	lostCode   = 0xfffe // for a character without a code, and for some hyphens
)

// glyphs returns the characters of a page.
func (l *pdfLibrary) glyphs(text uint64, chars int) []glyph {
	out := make([]glyph, 0, chars)
	space, angle := guessedSpace, 0
	for i := 0; i < chars && l.err == nil; i++ {
		at, r := i, rune(l.call("FPDFText_GetUnicode", text, uint64(i)))
		if utf16.IsSurrogate(r) && i+1 < chars {
			i++
			r = utf16.DecodeRune(r, rune(l.call("FPDFText_GetUnicode", text, uint64(i))))
		}
		made := (r < ' ' || r == lostCode || unicode.IsSpace(r)) && l.number("FPDFText_IsGenerated", text, uint64(at)) == 1
		hyphen := r == lineHyphen || r == lostCode && (made || l.number("FPDFText_IsHyphen", text, uint64(at)) == 1)
		switch {
		case hyphen:
			if len(out) > 0 {
				out[len(out)-1].hyphen = true
			}
			space = guessedSpace
			continue
		case r == '\n' || r == '\r' || made && r < ' ':
			space = guessedSpace
			continue
		case r == '\t' || r == 0xffff || r >= ' ' && unicode.IsSpace(r):
			if space = max(space, guessedSpace); !made {
				space = writtenSpace
			}
			continue
		case r == lostCode || r < ' ': // the font maps it to nothing, or to a code of its own
			r = unicode.ReplacementChar
			l.missing++
		case unicode.IsLetter(r):
			l.letters++
		}
		l.unseen += sanitize.CountInvisible(string(r))
		if space != noSpace {
			angle = l.angle(text, at)
		}
		g := glyph{text: string(r), box: l.box(text, at).turned(angle), angle: angle, space: space}
		if n := len(out); n > 0 && out[n-1].angle == angle && out[n-1].box.y0 == g.box.y0 && out[n-1].box.y1 == g.box.y1 {
			g.base = out[n-1].base // saves a call: characters of one font on one line have the same base line
		} else {
			g.base = l.origin(text, at).turned(angle).y0
		}
		out, space = append(out, g), noSpace
	}
	return out
}

// box returns the box of a character with the full height of its font, so that all boxes of a line have the same height.
func (l *pdfLibrary) box(text uint64, index int) box {
	if l.number("FPDFText_GetLooseCharBox", text, uint64(index), uint64(l.scratch)) == 0 {
		return box{}
	}
	var edges [4]float64
	for i, raw := 0, l.read(l.scratch, 16); i < len(edges); i++ {
		edges[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return boxOf(edges)
}

// origin returns the point on the base line where a character begins, as an empty box.
func (l *pdfLibrary) origin(text uint64, index int) box {
	if l.number("FPDFText_GetCharOrigin", text, uint64(index), uint64(l.scratch), uint64(l.scratch+8)) == 0 {
		return box{}
	}
	raw := l.read(l.scratch, 16)
	x, y := math.Float64frombits(binary.LittleEndian.Uint64(raw)), math.Float64frombits(binary.LittleEndian.Uint64(raw[8:]))
	return boxOf([4]float64{x, y, x, y})
}

// boxOf is a box by its left, top, right and bottom edge, or the zero box if one is not usable.
func boxOf(v [4]float64) box {
	for _, f := range v {
		if math.IsNaN(f) || math.Abs(f) > 1e6 {
			return box{}
		}
	}
	return box{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
}

// angle returns a character's direction, rounded to a right angle.
func (l *pdfLibrary) angle(text uint64, index int) int {
	radians := float64(math.Float32frombits(uint32(l.call("FPDFText_GetCharAngle", text, uint64(index)))))
	if math.IsNaN(radians) || radians < 0 || radians > 7 {
		return 0
	}
	return int(math.Round(radians/(math.Pi/2))) % 4 * 90
}
