package pdf

import "math"

// pdfPage is the text of a page as it lies there.
type pdfPage struct {
	words         []pdfWord // in the order of the file
	width, height float64   // points
	label         string    // the name that the file gives to it
}

// pdfWord is a run of characters without space, in one font and on one base line.
type pdfWord struct {
	text   string
	box    box
	angle  int  // 0, 90, 180 or 270 degrees
	hyphen bool // it ended in a hyphen that PDFium took for one of a line's end; the text has none
	tight  bool // no space is between it and the word before: x and its exponent
	raised bool // it is smaller than the word before or behind it, and above its base line
	font   *pdfFont
	link   string // the address to which it leads
}

// box is a rectangle in points. y grows upwards.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) height() float64 { return b.y1 - b.y0 }
func (b box) width() float64  { return b.x1 - b.x0 }

// overlap is the share of the lower of two boxes that lies beside the other.
func (b box) overlap(o box) float64 {
	low := math.Min(b.height(), o.height())
	if low <= 0 {
		return 0
	}
	return (math.Min(b.y1, o.y1) - math.Max(b.y0, o.y0)) / low
}

// turned is the box on a page that is turned so that text of this direction runs to the right.
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

func (b box) union(o box) box {
	return box{math.Min(b.x0, o.x0), math.Min(b.y0, o.y0), math.Max(b.x1, o.x1), math.Max(b.y1, o.y1)}
}
