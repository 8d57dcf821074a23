package pdf

import (
	"encoding/binary"
	"math"
	"unicode"
)

// lineHyphen reports the characters that PDFium puts in the place of a hyphen at the end of a line.
func lineHyphen(u uint16) bool { return u == 0x02 || u == 0xfffe }

// characters returns a UTF-16 unit for each character of the page, 0 for those without a code.
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

// span reads characters all at once, which leaves out those without a code. Where some are missing it reads
// the two halves, and at last one by one, so that places in the text are places on the page.
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

// box is the place of a character with its font's full height, so that the boxes of a line agree.
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

// origin is the point on the base line at which a character begins, as an empty box.
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

// angle is a character's direction, to the next right angle.
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
