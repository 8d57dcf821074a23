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
	lines  []line
	rivers []span
}

// markTables marks consecutive rows whose cells are separated by the same white space and aligned in columns.
func markTables(lines []line, usual usual) {
	for i := 0; i < len(lines); i++ {
		if t := tableAt(lines[i:], usual.size); t.plausible() {
			end := i + len(t.lines)
			t.lines = lines[i-t.headAbove(lines[:i]) : end]
			t.mark(usual)
			i = end - 1
		}
	}
}

// tableAt returns the longest table that begins with the first line. body is the usual size of text.
func tableAt(lines []line, body float64) table {
	rivers, end := gapsOf(lines[0]), 1
	if len(rivers) == 0 || len(rivers) > maxRivers || leaders.MatchString(lines[0].text) {
		return table{}
	}
	narrow := rivers
	for i := 1; i < min(len(lines), maxTableRows) && i-end <= maxLoneLines; i++ {
		line := lines[i]
		if leaders.MatchString(line.text) || lead(lines, i) > maxRowGap*line.size {
			break
		}
		if narrow = narrowed(narrow, line); narrow == nil || len(gapsOf(line)) > len(rivers) {
			break
		}
		cells, filled := cellsOf(narrow, line)
		wraps := end == i && len(cells[0]) == 0 && lead(lines, i) <= wrappedLead*line.size // in a cell that is not the first one
		if filled > 1 || wraps {
			rivers, end = narrow, i+1
		} else if mayHead(line, body) {
			break
		}
	}
	return table{lines[:end], rivers}
}

// headAbove returns how many of the last lines before the table belong to it: a head has fewer cells than the rows.
func (t table) headAbove(before []line) (n int) {
	below := t.lines[0]
	for ; n < min(len(before), maxHeadRows); n++ {
		line := before[len(before)-1-n]
		if line.kind != proseLine || len(gapsOf(line)) == 0 || line.box.y0-below.box.y0 > maxRowGap*line.size ||
			narrowed(t.rivers, line) == nil {
			break
		}
		if _, filled := cellsOf(t.rivers, line); filled < 2 {
			break
		}
		below = line
	}
	return n
}

// gapsOf returns the wide gaps of a line, from left to right.
func gapsOf(line line) (out []span) {
	for i, w := range line.words {
		if w.gap >= wideGap*line.size && i > 0 {
			before := line.words[i-1].box
			out = append(out, span{min(before.x1, w.box.x1), max(before.x0, w.box.x0)})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.x0, b.x0) })
	return out
}

// narrowed returns the parts of rivers that a line does not enter, or nil if one has none.
func narrowed(rivers []span, line line) []span {
	out := slices.Clone(rivers)
	for i := range out {
		r := &out[i]
		for _, w := range line.words {
			switch {
			case w.box.x1 <= r.x0 || w.box.x0 >= r.x1:
			case w.box.x0-r.x0 > r.x1-w.box.x1:
				r.x1 = w.box.x0
			default:
				r.x0 = w.box.x1
			}
		}
		if r.x1-r.x0 < riverWidth*line.size {
			return nil
		}
	}
	return out
}

// cellsOf returns the words of a line's cells in reading direction, and how many have some.
func cellsOf(rivers []span, line line) (cells [][]word, filled int) {
	cells = make([][]word, len(rivers)+1)
	toLeft := line.words[0].box.x0 > line.words[len(line.words)-1].box.x0
	for _, w := range line.words {
		at := 0
		for at < len(rivers) && rivers[at].x1 <= w.box.x0+gutterSlack {
			at++
		}
		if toLeft {
			at = len(rivers) - at
		}
		if len(cells[at]) == 0 {
			filled++
		}
		cells[at] = append(cells[at], w)
	}
	return cells, filled
}

// plausible reports whether the lines are a table: enough rows, short cells that are flush left, flush right or centred, and not the
// marks or numbers of a list, of notes or of a program beside their lines.
func (t table) plausible() bool {
	rows, chars, marks := 0, 0, true
	columns := make([][]box, len(t.rivers)+1)
	last, counted := 0, len(columns) == 2
	for i, line := range t.lines {
		mark := line.words[0].text
		n, err := strconv.Atoi(mark)
		counted, last = counted && err == nil && (i == 0 || n == last+1), n
		chars += len(line.text)
		cells, filled := cellsOf(t.rivers, line)
		if filled > 1 {
			rows++
			marks = marks && (bullet.MatchString(mark) || itemNumber.MatchString(mark)) && len(cells[0]) == 1
		}
		for i, cell := range cells {
			if len(cell) > 0 {
				columns[i] = append(columns[i], around(cell))
			}
		}
	}
	if rows < minTableRows || marks || counted || chars > maxCellChars*len(columns)*rows {
		return false
	}
	slack := cellSlack * t.lines[0].size
	return !slices.ContainsFunc(columns, func(column []box) bool { return !aligned(column, slack) })
}

// aligned reports whether most boxes of a column have the same left edge, right edge or centre.
func aligned(column []box, slack float64) bool {
	var edges [3][]float64
	for _, b := range column {
		for i, x := range []float64{b.x0, b.x1, (b.x0 + b.x1) / 2} {
			edges[i] = append(edges[i], x)
		}
	}
	return len(column) > 0 && slices.ContainsFunc(edges[:], func(edge []float64) bool {
		middle, n := median(edge), 0
		for _, x := range edge {
			if math.Abs(x-middle) <= slack {
				n++
			}
		}
		return float64(n) >= alignedShare*float64(len(edge))
	})
}

// mark makes the lines rows. A line is joined to the row above it if rows are farther apart than it is from that row and if it has one
// cell or not the first one. A line with one cell that is not the first is joined in any case.
func (t table) mark(usual usual) {
	apart := 0.0 // the largest distance of rows
	for i := 1; i < len(t.lines); i++ {
		apart = max(apart, lead(t.lines, i))
	}
	var row *line
	for i := range t.lines {
		line := &t.lines[i]
		cells, filled := cellsOf(t.rivers, *line)
		goesOn := false
		if i > 0 {
			lead, lone, inside := lead(t.lines, i), filled == 1, len(cells[0]) == 0
			tight := lead <= wrappedLead*line.size && apart >= rowLead*lead
			goesOn = tight && (lone || inside) || lone && inside && lead <= loneLead*line.size
		}
		if !goesOn {
			row, line.kind, line.cells = line, rowLine, make([]piece, len(cells))
		}
		for j, words := range cells {
			row.cells[j].add(textOf(words), usual)
		}
		if goesOn {
			line.text, line.words = "", nil
		}
	}
	t.lines[0].kind = firstRow
}
