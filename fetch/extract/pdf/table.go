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
func markTables(lines []line, body float64) {
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
func tableAt(lines []line, body float64) table {
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
		far := lead(lines, i) > maxRowGap*line.size
		if line.kind != proseLine || leaders.MatchString(line.text) || far || len(gapsOf(line)) > len(rivers) {
			break
		}
		if narrow = narrowed(narrow, line); narrow == nil {
			break
		}
		cells, filled := cellsOf(narrow, line)
		wraps := end == i && cells[0] == box{} && lead(lines, i) <= wrappedLead*line.size // in a cell that is not the first one
		if filled > 1 || wraps {
			rivers, end = narrow, i+1
		} else if mayHead(line, body) {
			break
		}
	}
	return table{lines[:end], rivers}
}

// headAbove returns how many of the last lines before the table belong to it: a head has fewer cells than the rows.
func (t table) headAbove(before []line) int {
	n, below := 0, t.lines[0]
	for n < min(len(before), maxHeadRows) {
		line := before[len(before)-1-n]
		near := line.box.y0-below.box.y0 <= maxRowGap*line.size
		_, filled := cellsOf(t.rivers, line)
		if line.kind != proseLine || len(gapsOf(line)) == 0 || !near || filled < 2 || narrowed(t.rivers, line) == nil {
			break
		}
		n, below = n+1, line
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

// columnAt returns the column of a word, from the left.
func columnAt(rivers []span, w word) int {
	n := 0
	for n < len(rivers) && rivers[n].x1 <= w.box.x0+gutterSlack {
		n++
	}
	return n
}

// cellsOf returns the boxes of a line's cells, the zero box for one without text, and how many have text.
func cellsOf(rivers []span, line line) (cells []box, filled int) {
	cells = make([]box, len(rivers)+1)
	for _, w := range line.words {
		cell := &cells[columnAt(rivers, w)]
		if *cell == (box{}) {
			filled++
		}
		*cell = cell.union(w.box)
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
		n, err := strconv.Atoi(line.words[0].text)
		counted, last = counted && err == nil && (i == 0 || n == last+1), n
		chars += len(line.text)
		cells, filled := cellsOf(t.rivers, line)
		if mark := line.words[0].text; filled > 1 {
			rows++
			marks = marks && (bullet.MatchString(mark) || itemNumber.MatchString(mark)) && columnAt(t.rivers, line.words[1]) > 0
		}
		for i, b := range cells {
			if b != (box{}) {
				columns[i] = append(columns[i], b)
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
		if n > 0 && float64(n) >= alignedShare*float64(len(column)) {
			return true
		}
	}
	return false
}

// divide makes a line a row of the table.
func (t table) divide(line *line) {
	line.kind, line.cells = rowLine, len(t.rivers)+1
	toLeft := line.words[0].box.x0 > line.words[len(line.words)-1].box.x0
	for i := range line.words {
		w := &line.words[i]
		if w.column = columnAt(t.rivers, *w); toLeft {
			w.column = len(t.rivers) - w.column
		}
	}
}

// joinWrapped joins a line to the row above it if rows are farther apart than it is from that row and if it has one cell or
// not the first one. A line with one cell that is not the first is joined in any case.
func (t table) joinWrapped() {
	apart := 0.0 // the largest distance of rows
	for i := 1; i < len(t.lines); i++ {
		apart = max(apart, lead(t.lines, i))
	}
	row := &t.lines[0]
	for i := 1; i < len(t.lines); i++ {
		line, lead := &t.lines[i], lead(t.lines, i)
		first := line.words[0].column
		lone := first == line.words[len(line.words)-1].column
		tight := lead <= wrappedLead*line.size && apart >= rowLead*lead
		if !(tight && (lone || first > 0) || lone && first > 0 && lead <= loneLead*line.size) {
			row = line
			continue
		}
		line.words[0].space = true
		row.words = append(row.words, line.words...)
		slices.SortStableFunc(row.words, func(a, b word) int { return a.column - b.column })
		row.text, line.text, line.words = row.text+" "+line.text, "", nil
	}
}
