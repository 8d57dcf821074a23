package pdf

import (
	"encoding/binary"
	"math"
	"unicode"
)

// lineHyphen reports the characters that PDFium uses for a hyphen at the end of a line.
func lineHyphen(u uint16) bool { return u == 0x02 || u == 0xfffe }

// characters returns a UTF-16 unit for each character of the page, or 0 if it has no code.
func (l *pdfLibrary) characters(text uint64, chars int) ([]uint16, error) {
	if chars == 0 {
		return nil, nil
	}
	buf, err := l.allocate(4*chars + 2)
	if err != nil {
		return nil, err
	}
	out, err := l.span(text, 0, chars, buf)
	if err != nil {
		return nil, err
	}
	return out, l.release(buf)
}

// span reads characters with one call, which omits characters without a code. If some are missing it reads the two halves
// in the same way, so that every index of the text is that of a character on the page.
func (l *pdfLibrary) span(text uint64, from, count int, buf uint32) ([]uint16, error) {
	n, err := l.number("FPDFText_GetText", text, uint64(from), uint64(count), uint64(buf))
	if err != nil {
		return nil, err
	}
	if n == count+1 {
		return l.units(buf, count), nil
	}
	if count > 16 {
		left, err := l.span(text, from, count/2, buf)
		if err != nil {
			return nil, err
		}
		right, err := l.span(text, from+count/2, count-count/2, buf)
		return append(left, right...), err
	}
	out := make([]uint16, 0, count)
	for i := range count {
		u, err := l.call("FPDFText_GetUnicode", text, uint64(from+i))
		if err != nil {
			return nil, err
		}
		if u > 0xffff {
			u = unicode.ReplacementChar
		}
		out = append(out, uint16(u))
	}
	return out, nil
}

// box returns the box of a character with the full height of its font, so that all boxes of a line have the same height.
func (l *pdfLibrary) box(text uint64, index int) (box, error) {
	ok, err := l.number("FPDFText_GetLooseCharBox", text, uint64(index), uint64(l.scratch))
	if err != nil || ok == 0 {
		return box{}, err
	}
	v := l.floats() // left, top, right, bottom
	for _, f := range v {
		if math.IsNaN(f) || math.Abs(f) > 1e6 {
			return box{}, nil
		}
	}
	return box{math.Min(v[0], v[2]), math.Min(v[1], v[3]), math.Max(v[0], v[2]), math.Max(v[1], v[3])}, nil
}

// origin returns the point on the base line where a character begins, as an empty box.
func (l *pdfLibrary) origin(text uint64, index int) (box, error) {
	ok, err := l.number("FPDFText_GetCharOrigin", text, uint64(index), uint64(l.scratch), uint64(l.scratch+8))
	if err != nil || ok == 0 {
		return box{}, err
	}
	raw, whole := l.module.Memory().Read(l.scratch, 16)
	if !whole {
		return box{}, nil
	}
	x, y := math.Float64frombits(binary.LittleEndian.Uint64(raw)), math.Float64frombits(binary.LittleEndian.Uint64(raw[8:]))
	if math.IsNaN(x) || math.IsNaN(y) || math.Abs(x) > 1e6 || math.Abs(y) > 1e6 {
		return box{}, nil
	}
	return box{x, y, x, y}, nil
}

// angle returns a character's direction, rounded to a right angle.
func (l *pdfLibrary) angle(text uint64, index int) (int, error) {
	bits, err := l.call("FPDFText_GetCharAngle", text, uint64(index))
	if err != nil {
		return 0, err
	}
	radians := float64(math.Float32frombits(uint32(bits)))
	if math.IsNaN(radians) || radians < 0 || radians > 7 {
		return 0, nil
	}
	return int(math.Round(radians/(math.Pi/2))) % 4 * 90, nil
}
