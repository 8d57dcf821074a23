package pdf

// pdfPage is the text of a page with positions.
type pdfPage struct {
	words         []pdfWord // in the order of the file
	width, height float64   // points
}

// pdfWord is characters without space, of one size and on one base line.
type pdfWord struct {
	text   string
	box    box
	angle  int  // 0, 90, 180 or 270 degrees
	hyphen bool // PDFium removed a hyphen at its end, as one of a line break
	tight  bool // no space between it and the word before: x and its exponent
	raised bool // it is smaller than a neighbouring word, and above its base line
}

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
