package pdf

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// layout arranges the words of a page in columns of lines, in reading order.
//
// Most files have their text in reading order, so runs of the file stay together. Positions move a run that belongs before
// another one, and divide a run whose file writes two columns line by line.
func layout(words []word) (columns []column, rotated string) {
	words, rotated = upright(words)
	for _, run := range ordered(runsOf(segmentsOf(words))) {
		for _, part := range divided(run, 0) {
			if c := columnOf(part); len(c.lines) > 0 {
				columns = append(columns, c)
			}
		}
	}
	return columns, rotated
}

// upright separates the words in the page's main direction from the others (stamps on the margin, labels of axes).
func upright(all []word) (words []word, rotated string) {
	var bytes [4]int // by direction
	for _, w := range all {
		bytes[w.angle/90] += len(w.text)
	}
	main := 90 * slices.Index(bytes[:], slices.Max(bytes[:]))
	var others []string
	for _, w := range all {
		if w.angle == main {
			words = append(words, w)
		} else {
			others = append(others, w.text)
		}
	}
	return words, strings.Join(others, " ")
}

// segment is words of one line without a wide gap.
type segment struct {
	words []word
	box
	size float64
}

// wideGap is the space, in line heights, that ends a segment. Spaces of justified lines are narrower; if one is not, its
// column joins the line again.
const wideGap = 0.85

func segmentsOf(words []word) (out []segment) {
	for _, w := range words {
		if len(out) > 0 {
			last := &out[len(out)-1]
			before := last.words[len(last.words)-1]
			h, gap := max(before.box.height(), w.box.height()), w.box.x0-before.box.x1
			if isRightToLeft(w.text) || isRightToLeft(before.text) && !hasLetter(w.text) {
				gap = before.box.x0 - w.box.x1
			}
			if before.box.overlap(w.box) > 0.4 && gap < wideGap*h && gap > -0.5*h && !before.hyphen {
				last.words = append(last.words, w)
				last.box, last.size = last.box.union(w.box), max(last.size, w.box.height())
				continue
			}
		}
		out = append(out, segment{[]word{w}, w.box, w.box.height()})
	}
	return out
}

// maxCellLines is the height of a cell, in lines: a text that goes up by more leaves its column.
const maxCellLines = 4

// runsOf divides the segments of a file where its text goes up, or aside. What a text that goes up has above it, such as a
// title over two columns, is a run of its own.
func runsOf(segments []segment) (runs [][]segment) {
	var run []segment
	var all box
	for i, s := range segments {
		up := i > 0 && s.box.y0-segments[i-1].box.y0 > maxCellLines*s.size
		aside := i > 0 && s.box.overlap(segments[i-1].box) < 0.5 && (s.box.x0 > all.x1 || s.box.x1 < all.x0)
		if up || aside {
			at := slices.IndexFunc(run, func(o segment) bool { return o.box.y0 < s.box.y1 })
			if at > 0 && up && around(run[:at]).x1 > s.box.x0 && around(run[:at]).x0 < s.box.x1 {
				runs, run = append(runs, run[:at]), run[at:]
			}
			runs, run, all = append(runs, run), nil, box{}
		}
		run, all = append(run, s), all.union(s.box)
	}
	return append(runs, run)
}

// ordered moves each run before the first one that lies below it, or beside it on the right.
func ordered(runs [][]segment) (out [][]segment) {
	for _, run := range runs {
		b := around(run)
		at := slices.IndexFunc(out, func(o []segment) bool { return b.precedes(around(o)) })
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, run)
	}
	return out
}

// precedes reports whether a box is read before another one because of where it stands.
func (b box) precedes(o box) bool {
	above := b.y0 > o.y1-1 && b.x0 < o.x1 && b.x1 > o.x0
	left := b.x1 < o.x0+gutterSlack && b.y0 < o.y1 && b.y1 > o.y0
	return above || left
}

const (
	minColumnLines = 4   // on each side of a gutter
	minColumnEms   = 8.0 // a line of prose is wider than this, in line heights
	maxGutters     = 8   // candidates
	maxColumnDepth = 4   // a newspaper page has five columns
	gutterSlack    = 2.0 // how far a column may extend beyond its edge, in points: italics and hanging punctuation
)

// divided separates columns whose lines the file mixes, in groups that are read one after the other.
func divided(segments []segment, depth int) (groups [][]segment) {
	x, ok := gutter(segments)
	if !ok || depth == maxColumnDepth {
		return [][]segment{segments}
	}
	var across, left, right []segment
	flush := func() { // cells of a table and names under a title are read row by row
		if prose := (len(left) == 0 || isProse(left)) && (len(right) == 0 || isProse(right)); prose && len(left)+len(right) > 0 {
			groups = append(append(groups, across), divided(left, depth+1)...)
			groups, across = append(groups, divided(right, depth+1)...), nil
		} else {
			across = slices.Concat(across, left, right)
		}
		left, right = nil, nil
	}
	for _, s := range slices.SortedStableFunc(slices.Values(segments), func(a, b segment) int { return cmp.Compare(b.box.y1, a.box.y1) }) {
		switch s.side(x) {
		case -1:
			left = append(left, s)
		case 1:
			right = append(right, s)
		default:
			flush()
			across = append(across, s)
		}
	}
	flush()
	return slices.DeleteFunc(append(groups, across), func(group []segment) bool { return len(group) == 0 })
}

// side returns where a segment is: left (-1) or right (1) of the beginning of a column, or across it.
func (s segment) side(x float64) int {
	switch {
	case s.box.x1 <= x+gutterSlack:
		return -1
	case s.box.x0 >= x-gutterSlack:
		return 1
	}
	return 0
}

// gutter finds where the second column begins: a position where many segments begin, with prose on both sides of which each has
// at least as many segments as cross it. Columns are flush left, so segments begin at their edges.
func gutter(segments []segment) (x float64, ok bool) {
	starts := map[int]int{}
	for _, s := range segments {
		starts[int(math.Round(s.box.x0))]++
	}
	places := slices.SortedFunc(maps.Keys(starts), func(a, b int) int { return cmp.Or(starts[b]-starts[a], a-b) })
	best := 0
	for _, place := range places[:min(len(places), maxGutters)] {
		at := float64(place) - 1.5
		var on [3][]segment
		for _, s := range segments {
			on[s.side(at)+1] = append(on[s.side(at)+1], s)
		}
		least := min(len(on[0]), len(on[2]))
		if least < minColumnLines || len(on[1]) > least || !isProse(on[0]) || !isProse(on[2]) {
			continue
		}
		if score := 5*least + len(on[0]) + len(on[2]); score > best {
			best, x = score, at
		}
	}
	return x, best > 0
}

// isProse reports whether segments are lines of sentences, not cells: two in five are wider than a cell.
func isProse(segments []segment) bool {
	long := 0
	for _, s := range segments {
		if s.box.width() > minColumnEms*s.size {
			long++
		}
	}
	return long > 0 && long*5 >= len(segments)*2
}
