package pdf

import "math"

// pdfPage is the text of a page as it lies there.
type pdfPage struct {
	words         []pdfWord // in the order of the file
	width, height float64   // points
}

// pdfWord is a run of characters without space.
type pdfWord struct {
	text   string
	box    box
	angle  int  // 0, 90, 180 or 270 degrees
	hyphen bool // it ended in a hyphen that PDFium took for one of a line's end; the text has none
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

func (b box) union(o box) box {
	return box{math.Min(b.x0, o.x0), math.Min(b.y0, o.y0), math.Max(b.x1, o.x1), math.Max(b.y1, o.y1)}
}
