package pdf

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// layout arranges the words of a page in columns of lines, in reading order.
//
// Most files have their text in reading order, so runs of the file stay together. Positions move a run that belongs before
// another one, and divide a run whose file writes two columns line by line.
func layout(p pdfPage) (columns []pdfColumn, rotated string) {
	words, turned := upright(p)
	for _, run := range ordered(runsOf(segmentsOf(words))) {
		for _, part := range divided(run, 0) {
			if c := columnOf(part); len(c.lines) > 0 {
				columns = append(columns, c)
			}
		}
	}
	return columns, strings.Join(turned, " ")
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
			if at > 0 && up && extent(run[:at]).x1 > s.box.x0 && extent(run[:at]).x0 < s.box.x1 {
				runs, run = append(runs, run[:at]), run[at:]
			}
			runs, run, all = append(runs, run), nil, box{}
		}
		run, all = append(run, s), all.union(s.box)
	}
	return append(runs, run)
}

// ordered moves each run before the first one that lies below it, or beside it on the right.
func ordered(runs [][]segment) [][]segment {
	var out [][]segment
	var boxes []box
	for _, run := range runs {
		b := extent(run)
		at := slices.IndexFunc(boxes, b.precedes)
		if at < 0 {
			at = len(out)
		}
		out, boxes = slices.Insert(out, at, run), slices.Insert(boxes, at, b)
	}
	return out
}

// precedes reports whether a box is read before another one because of where it stands.
func (b box) precedes(o box) bool {
	above := b.y0 > o.y1-1 && b.x0 < o.x1 && b.x1 > o.x0
	left := b.x1 < o.x0+gutterSlack && b.y0 < o.y1 && b.y1 > o.y0
	return above || left
}

// upright separates the words in the page's main direction, rotated so that they run to the right, from the others (stamps
// on the margin, labels of axes).
func upright(p pdfPage) (words []pdfWord, turned []string) {
	var count [4]int
	for _, w := range p.words {
		count[w.angle/90%4] += len(w.text)
	}
	main := 0
	for i, n := range count {
		if n > count[main] {
			main = i
		}
	}
	for _, w := range p.words {
		if w.angle/90%4 != main {
			turned = append(turned, w.text)
			continue
		}
		w.box = w.box.turned(90 * main)
		words = append(words, w)
	}
	return words, turned
}

// segment is words of one line without a wide gap.
type segment struct {
	words []pdfWord
	box   box
	size  float64
}

// wideGap is the space, in line heights, that ends a segment. Spaces of justified lines are narrower; if one is not, its
// column joins the line again.
const wideGap = 0.85

func segmentsOf(words []pdfWord) []segment {
	var out []segment
	for _, w := range words {
		if w.box.height() <= 0 && w.box.width() <= 0 && len(out) > 0 { // without a box: joined to the previous word
			last := &out[len(out)-1]
			w.box = box{last.box.x1, last.box.y0, last.box.x1, last.box.y1}
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			before := last.words[len(last.words)-1]
			h := max(before.box.height(), w.box.height())
			gap := w.box.x0 - before.box.x1
			if isRightToLeft(w.text) || w.text != "" && isRightToLeft(before.text) && !hasLetter(w.text) {
				gap = before.box.x0 - w.box.x1
			}
			if before.box.overlap(w.box) > 0.4 && gap < wideGap*h && gap > -0.5*h && !before.hyphen {
				last.words = append(last.words, w)
				last.box = last.box.union(w.box)
				last.size = max(last.size, w.box.height())
				continue
			}
		}
		out = append(out, segment{words: []pdfWord{w}, box: w.box, size: w.box.height()})
	}
	return out
}

const (
	minColumnLines = 4   // on each side of a gutter
	minColumnEms   = 8.0 // a line of prose is wider than this, in line heights
	maxGutters     = 8   // candidates
	maxColumnDepth = 4   // a newspaper page has five columns
	gutterSlack    = 2.0 // how far a column may extend beyond its edge, in points: italics and hanging punctuation
)

// divided separates columns whose lines the file mixes, in groups that are read one after the other.
func divided(segments []segment, depth int) [][]segment {
	x, ok := gutter(segments)
	if !ok || depth == maxColumnDepth {
		return [][]segment{segments}
	}
	byTop := slices.Clone(segments)
	slices.SortStableFunc(byTop, func(a, b segment) int { return cmp.Compare(b.box.y1, a.box.y1) })
	var runs [][]segment
	var across, left, right []segment
	flush := func() { // cells of a table and names under a title are read row by row
		if len(left)+len(right) == 0 || !isProse(left) && len(left) > 0 || !isProse(right) && len(right) > 0 {
			across = slices.Concat(across, left, right)
		} else {
			runs = append(append(runs, across), divided(left, depth+1)...)
			runs, across = append(runs, divided(right, depth+1)...), nil
		}
		left, right = nil, nil
	}
	for _, s := range byTop {
		switch {
		case s.box.x1 <= x+gutterSlack:
			left = append(left, s)
		case s.box.x0 >= x-gutterSlack:
			right = append(right, s)
		default:
			flush()
			across = append(across, s)
		}
	}
	flush()
	return slices.DeleteFunc(append(runs, across), func(run []segment) bool { return len(run) == 0 })
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
		var left, right []segment
		for _, s := range segments {
			switch {
			case s.box.x1 <= at+gutterSlack:
				left = append(left, s)
			case s.box.x0 >= at-gutterSlack:
				right = append(right, s)
			}
		}
		least := min(len(left), len(right))
		across := len(segments) - len(left) - len(right)
		if least < minColumnLines || across > least || !isProse(left) || !isProse(right) {
			continue
		}
		if score := 5*least + len(left) + len(right); score > best {
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

// extent is the box around segments.
func extent(segments []segment) (all box) {
	for _, s := range segments {
		all = all.union(s.box)
	}
	return all
}

// columnOf joins the segments of one column to lines, from top to bottom.
func columnOf(segments []segment) pdfColumn {
	slices.SortStableFunc(segments, func(a, b segment) int {
		return cmp.Compare(b.box.y0+b.box.y1, a.box.y0+a.box.y1)
	})
	var rows [][]segment
	var spans []box
	var widths []float64
	for _, s := range segments {
		placed := false
		// Only the last few rows can be beside it; a superscript may have started a row above its line.
		for i := len(rows) - 1; i >= max(0, len(rows)-3) && !placed; i-- {
			if s.box.overlap(spans[i]) > 0.5 {
				rows[i] = append(rows[i], s)
				if s.box.width() > widths[i] { // the longest segment defines the line
					spans[i], widths[i] = s.box, s.box.width()
				}
				placed = true
			}
		}
		if !placed {
			rows, spans, widths = append(rows, []segment{s}), append(spans, s.box), append(widths, s.box.width())
		}
	}
	var c pdfColumn
	for i, row := range rows {
		toLeft := runsToLeft(row)
		slices.SortStableFunc(row, func(a, b segment) int {
			if toLeft {
				return cmp.Compare(b.box.x1, a.box.x1)
			}
			return cmp.Compare(a.box.x0, b.box.x0)
		})
		if toLeft {
			row = toLeftRow(row)
		}
		line := lineOf(row, toLeft)
		line.box.y0, line.box.y1 = spans[i].y0, spans[i].y1
		if strings.TrimSpace(line.text) == "" {
			continue
		}
		c.box = c.box.union(line.box)
		c.lines = append(c.lines, line)
	}
	for i := range c.lines {
		c.lines[i].justify(c.box)
	}
	return c
}

// runsToLeft reports whether most words of a line are of a right-to-left script.
func runsToLeft(row []segment) bool {
	n := 0
	for _, s := range row {
		for _, w := range s.words {
			switch {
			case isRightToLeft(w.text):
				n++
			case hasLetter(w.text):
				n--
			}
		}
	}
	return n > 0
}

// lineOf joins the segments of a row, in reading order, to a line.
func lineOf(row []segment, toLeft bool) pdfLine {
	line := pdfLine{box: row[0].box, cells: 1}
	var b strings.Builder
	sizes := []float64{0}
	add := func(w pdfWord, space bool, gap float64) {
		if w.text = readable(sanitize.Visible(w.text)); w.text == "" {
			return
		}
		if space = space && b.Len() > 0; space {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
		line.pieces = append(line.pieces, pdfPiece{pdfWord: w, space: space, gap: gap})
		for range min(len(w.text), 20) { // weighted by length: a symbol does not make a line large
			sizes = append(sizes, w.box.height())
		}
	}
	for i, s := range row {
		space, gap := false, 0.0
		if i > 0 {
			gap = s.box.x0 - row[i-1].box.x1
			if toLeft {
				gap = row[i-1].box.x0 - s.box.x1
			}
			before := row[i-1].words[len(row[i-1].words)-1]
			// A gap to the left is a further line of the same cell, or an accent above a letter.
			back := gap < -s.size && slices.ContainsFunc(s.words, func(w pdfWord) bool { return endsInLetter(w.text) })
			space = (gap > 0.05*s.size || back) && !(toLeft && bracketed(before, s.words[0]))
			if gap > 1.5*s.size { // a smaller gap is that of a superscript at its word
				line.cells++
			}
		}
		for j, w := range s.words {
			if j > 0 {
				before := s.words[j-1]
				space, gap = spaced(before, w) && !(toLeft && bracketed(before, w)), 0
				if w.raised && !before.tight && !space {
					w.text = raised(w.text) // 10⁶ is not 106
				}
			}
			add(w, space, gap)
		}
		line.box = line.box.union(s.box)
	}
	if len(line.pieces) > 1 && noteMark.MatchString(line.pieces[0].text) && raisedBeside(line.pieces[0].box, line.pieces[1].box) {
		line.pieces[0].raised = true // with a space after it
	}
	slices.Sort(sizes)
	line.size = sizes[len(sizes)*17/20]
	line.text = b.String()
	last := row[len(row)-1].words
	if last[len(last)-1].hyphen {
		line.hyphen = true
		return line
	}
	if t, ok := cutHyphen(line.text); ok {
		end := &line.pieces[len(line.pieces)-1]
		end.text = strings.TrimSuffix(end.text, line.text[len(t):])
		line.text, line.hyphen = t, true
	}
	return line
}

// cutHyphen cuts a hyphen behind a letter.
func cutHyphen(s string) (string, bool) {
	for _, hyphen := range []string{"-", "\u2010", "\u00ad"} {
		if t, ok := strings.CutSuffix(s, hyphen); ok && endsInLetter(t) {
			return t, true
		}
	}
	return s, false
}

// maxJustified is the widest space of a justified line, in line heights: of two words in a narrow column.
const maxJustified = 4.0

// justify makes the wide gaps of a line spaces if it is justified: it fills its column, and its spaces are equally wide, as the
// gaps between cells hardly ever are.
func (l *pdfLine) justify(column box) {
	if l.box.x0 > column.x0+gutterSlack || l.box.x1 < column.x1-gutterSlack {
		return
	}
	least, most := math.Inf(1), 0.0
	for i, p := range l.pieces {
		if i > 0 && p.space {
			gap := max(p.box.x0-l.pieces[i-1].box.x1, l.pieces[i-1].box.x0-p.box.x1)
			least, most = min(least, gap), max(most, gap)
		}
	}
	if most > 1.2*least || most > maxJustified*l.size {
		return
	}
	l.cells = 1
	for i := range l.pieces {
		l.pieces[i].gap = 0
	}
}

// raisedBeside reports whether a word is smaller than the next one and above its base line, like the mark before a note.
func raisedBeside(mark, next box) bool {
	return mark.height() < 0.85*next.height() && mark.y0-next.y0 > 0.3*next.height() && mark.y1 > next.y1-0.1*next.height()
}

// raised writes figures above the line, such as an exponent or the marks of notes.
func raised(text string) string {
	if above, ok := document.Raised(text, false); ok {
		return above
	}
	if strings.Trim(text, "0123456789,–-") == "" && hasDigit.MatchString(text) {
		return "^" + text
	}
	return text
}

var hasDigit = lazyregexp.New(`\d`)

// spaced reports whether there is a space between two words of a segment. A raised letter or sign gets one although none is printed,
// and so does what follows a mark, to avoid words such as "1See".
func spaced(a, b pdfWord) bool {
	switch {
	case !b.tight:
		return true
	case b.raised && isNoteMark(b.text) && !hasDigit.MatchString(b.text):
		return endsInProse(a.text)
	case a.raised && isNoteMark(a.text):
		r, _ := utf8.DecodeRuneInString(b.text)
		return unicode.IsUpper(r)
	}
	return false
}
