package pdf

import (
	"encoding/binary"
	"math"
	"unicode"
)

// lostCode is what PDFium returns for a character without a code, besides some hyphens.
const lostCode = 0xfffe

// lineHyphen reports the characters that PDFium uses for a hyphen at the end of a line.
func lineHyphen(u uint16) bool { return u == 0x02 || u == lostCode }

// characters returns a UTF-16 unit for each character of the page.
func (l *pdfLibrary) characters(text uint64, chars int) []uint16 {
	out := make([]uint16, chars)
	for i := range out {
		out[i] = unicode.ReplacementChar
		if u := l.call("FPDFText_GetUnicode", text, uint64(i)); u <= 0xffff {
			out[i] = uint16(u)
		}
	}
	return out
}

// box returns the box of a character with the full height of its font, so that all boxes of a line have the same height.
func (l *pdfLibrary) box(text uint64, index int) box {
	if l.number("FPDFText_GetLooseCharBox", text, uint64(index), uint64(l.scratch)) == 0 {
		return box{}
	}
	return boxOf(l.floats())
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

// origin returns the point on the base line where a character begins, as an empty box.
func (l *pdfLibrary) origin(text uint64, index int) box {
	if l.number("FPDFText_GetCharOrigin", text, uint64(index), uint64(l.scratch), uint64(l.scratch+8)) == 0 {
		return box{}
	}
	raw := l.read(l.scratch, 16)
	x, y := math.Float64frombits(binary.LittleEndian.Uint64(raw)), math.Float64frombits(binary.LittleEndian.Uint64(raw[8:]))
	return boxOf([4]float64{x, y, x, y})
}

// angle returns a character's direction, rounded to a right angle.
func (l *pdfLibrary) angle(text uint64, index int) int {
	radians := float64(math.Float32frombits(uint32(l.call("FPDFText_GetCharAngle", text, uint64(index)))))
	if math.IsNaN(radians) || radians < 0 || radians > 7 {
		return 0
	}
	return int(math.Round(radians/(math.Pi/2))) % 4 * 90
}
