package pdf

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

const (
	minTableRows = 3
	maxCellChars = 40  // on average; longer cells are prose beside a label
	cellSlack    = 1.0 // of aligned edges, in line heights
	alignedShare = 0.7 // of the cells of a column: numbers of several lengths, a centred head
	riverWidth   = 0.5 // of the space that no cell enters, in line heights
	maxRowGap    = 4.0 // between rows, in line heights
	maxTableRows = 200 // on a page; with maxRivers, it bounds the work for a page of many short lines
	maxRivers    = 30
	maxHeadRows  = 2   // with fewer cells than the rows below
	maxLoneLines = 2   // lines in a row with a single cell
	wrappedLead  = 1.6 // the distance of lines inside of a cell, in line heights
	loneLead     = 2.5 // that of a line with one cell, which is not the first one
	rowLead      = 1.2 // how much farther rows are apart than the lines inside of a cell
)

// span is a stretch of x.
type span struct{ x0, x1 float64 }

// table is consecutive lines whose cells rivers separate: stretches that no line enters.
type table struct {
	lines  []pdfLine
	rivers []span
}

// markTables marks consecutive rows whose cells are separated by the same white space and aligned in columns.
func markTables(lines []pdfLine, body float64) {
	for i := 0; i < len(lines); i++ {
		t := tableAt(lines[i:], body)
		if !t.plausible() {
			continue
		}
		end := i + len(t.lines)
		t.lines = lines[i-t.headAbove(lines[:i]) : end]
		for j := range t.lines {
			t.divide(&t.lines[j])
		}
		t.lines[0].kind = firstRow
		t.joinWrapped()
		i = end - 1
	}
}

// tableAt returns the longest table that begins with the first line. body is the usual size of text.
func tableAt(lines []pdfLine, body float64) table {
	if lines[0].kind != proseLine || leaders.MatchString(lines[0].text) {
		return table{}
	}
	rivers, end := gapsOf(lines[0]), 1
	if len(rivers) == 0 || len(rivers) > maxRivers {
		return table{}
	}
	narrow := rivers
	for i := 1; i < min(len(lines), maxTableRows) && i-end <= maxLoneLines; i++ {
		line := lines[i]
		if line.kind != proseLine || leaders.MatchString(line.text) || lines[i-1].box.y0-line.box.y0 > maxRowGap*line.size ||
			len(gapsOf(line)) > len(rivers) {
			break
		}
		if narrow = narrowed(narrow, line); narrow == nil {
			break
		}
		switch {
		case columnsWithText(narrow, line) > 1:
			rivers, end = narrow, i+1
		case mayHead(line, body):
			return table{lines[:end], rivers}
		}
	}
	for end < len(lines) && wrapsCell(rivers, lines[end-1], lines[end]) {
		end++
	}
	return table{lines[:end], rivers}
}

// wrapsCell reports whether a line below the last row goes on in a cell that is not its first one.
func wrapsCell(rivers []span, above, line pdfLine) bool {
	return line.kind == proseLine && len(line.pieces) > 0 && above.box.y0-line.box.y0 <= wrappedLead*line.size &&
		narrowed(rivers, line) != nil && columnsWithText(rivers, line) == 1 && columnAt(rivers, line.pieces[0]) > 0
}

// headAbove returns how many of the last lines before the table belong to it: a head has fewer cells than the rows.
func (t table) headAbove(before []pdfLine) int {
	n, below := 0, t.lines[0]
	for n < min(len(before), maxHeadRows) {
		line := before[len(before)-1-n]
		near := line.box.y0-below.box.y0 <= maxRowGap*line.size
		if line.kind != proseLine || len(gapsOf(line)) == 0 || !near || narrowed(t.rivers, line) == nil ||
			columnsWithText(t.rivers, line) < 2 {
			break
		}
		n, below = n+1, line
	}
	return n
}

// gapsOf returns the wide gaps of a line, from left to right.
func gapsOf(line pdfLine) (out []span) {
	for i, p := range line.pieces {
		if p.gap >= wideGap*line.size && i > 0 {
			before := line.pieces[i-1].box
			out = append(out, span{min(before.x1, p.box.x1), max(before.x0, p.box.x0)})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.x0, b.x0) })
	return out
}

// narrowed returns the parts of rivers that a line does not enter, or nil if one has none.
func narrowed(rivers []span, line pdfLine) []span {
	out := slices.Clone(rivers)
	for i := range out {
		r := &out[i]
		for _, p := range line.pieces {
			switch {
			case p.box.x1 <= r.x0 || p.box.x0 >= r.x1:
			case p.box.x0-r.x0 > r.x1-p.box.x1:
				r.x1 = p.box.x0
			default:
				r.x0 = p.box.x1
			}
		}
		if r.x1-r.x0 < riverWidth*line.size {
			return nil
		}
	}
	return out
}

// columnAt returns the column of a piece, from the left.
func columnAt(rivers []span, p pdfPiece) int {
	n := 0
	for n < len(rivers) && rivers[n].x1 <= p.box.x0+gutterSlack {
		n++
	}
	return n
}

func columnsWithText(rivers []span, line pdfLine) int {
	has := map[int]bool{}
	for _, p := range line.pieces {
		has[columnAt(rivers, p)] = true
	}
	return len(has)
}

// plausible reports whether the lines are a table: enough rows, short cells that are flush left, flush right or centred, not the
// marks of a list beside its items, and not the lines of a program beside their numbers.
func (t table) plausible() bool {
	rows, chars, first := 0, 0, 0
	cells := make([][]box, len(t.rivers)+1)
	marks, counted := true, len(cells) == 2
	for i, line := range t.lines {
		n, err := strconv.Atoi(line.pieces[0].text)
		if i == 0 {
			first = n
		}
		counted = counted && err == nil && n == first+i
		chars += len(line.text)
		if columnsWithText(t.rivers, line) > 1 {
			rows++
			marks = marks && (bullet.MatchString(line.pieces[0].text) || itemNumber.MatchString(line.pieces[0].text)) &&
				columnAt(t.rivers, line.pieces[1]) > 0
		}
		for i, b := range t.boxes(line) {
			if b != (box{}) {
				cells[i] = append(cells[i], b)
			}
		}
	}
	if rows < minTableRows || marks || counted || chars > maxCellChars*len(cells)*rows {
		return false
	}
	slack := cellSlack * t.lines[0].size
	return !slices.ContainsFunc(cells, func(column []box) bool { return !aligned(column, slack) })
}

// boxes returns the boxes of a line's cells, the zero box for one without text.
func (t table) boxes(line pdfLine) []box {
	out := make([]box, len(t.rivers)+1)
	for _, p := range line.pieces {
		column := columnAt(t.rivers, p)
		out[column] = out[column].union(p.box)
	}
	return out
}

// aligned reports whether most boxes of a column have the same left edge, right edge or centre.
func aligned(column []box, slack float64) bool {
	if len(column) == 0 {
		return false
	}
	for _, edge := range []func(box) float64{
		func(b box) float64 { return b.x0 },
		func(b box) float64 { return b.x1 },
		func(b box) float64 { return (b.x0 + b.x1) / 2 },
	} {
		at := make([]float64, len(column))
		for i, b := range column {
			at[i] = edge(b)
		}
		slices.Sort(at)
		n := 0
		for _, x := range at {
			if math.Abs(x-at[len(at)/2]) <= slack {
				n++
			}
		}
		if float64(n) >= alignedShare*float64(len(column)) {
			return true
		}
	}
	return false
}

// divide makes a line a row of the table.
func (t table) divide(line *pdfLine) {
	line.kind, line.cells = rowLine, len(t.rivers)+1
	toLeft := line.pieces[0].box.x0 > line.pieces[len(line.pieces)-1].box.x0
	for i := range line.pieces {
		p := &line.pieces[i]
		if p.column = columnAt(t.rivers, *p); toLeft {
			p.column = len(t.rivers) - p.column
		}
	}
}

// joinWrapped joins a line to the row above it if rows are farther apart than it is from that row and if it has one cell or
// not the first one. A line with one cell that is not the first is joined in any case.
func (t table) joinWrapped() {
	apart := 0.0 // the largest distance of rows
	for i := 1; i < len(t.lines); i++ {
		apart = max(apart, t.lines[i-1].box.y0-t.lines[i].box.y0)
	}
	row := 0
	for i := 1; i < len(t.lines); i++ {
		line := &t.lines[i]
		lead := t.lines[i-1].box.y0 - line.box.y0
		lone := line.pieces[0].column == line.pieces[len(line.pieces)-1].column
		first := line.pieces[0].column == 0
		tight := lead <= wrappedLead*line.size && apart >= rowLead*lead
		if !(tight && (lone || !first) || lone && !first && lead <= loneLead*line.size) {
			row = i
			continue
		}
		line.pieces[0].space = true
		above := &t.lines[row]
		above.hyphensOfCells()
		line.hyphensOfCells()
		above.pieces = append(above.pieces, line.pieces...)
		slices.SortStableFunc(above.pieces, func(a, b pdfPiece) int { return a.column - b.column })
		above.text, line.text, line.pieces = above.text+" "+line.text, "", nil
	}
}

// hyphensOfCells marks the words at the ends of cells that a line break may have cut.
func (l *pdfLine) hyphensOfCells() {
	for i := range l.pieces {
		p := &l.pieces[i]
		if t, ok := cutHyphen(p.text); ok && (i+1 == len(l.pieces) || l.pieces[i+1].column != p.column) {
			p.text, p.hyphen = t, true
		}
	}
	if l.hyphen {
		l.pieces[len(l.pieces)-1].hyphen, l.hyphen = true, false
	}
}
