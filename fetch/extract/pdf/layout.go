package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// layout arranges the words of a page in columns of lines, in reading order.
//
// The order in the file is usually but not always right: some files have lines across both columns, or boxes at the end. So
// positions decide. Words become segments, the left edges of segments show where columns begin, and segments that cross the
// gap between two columns divide the page into bands.
func layout(p pdfPage) (columns []pdfColumn, rotated string) {
	words, turned := upright(p)
	segments := segmentsOf(words)
	for _, run := range readingOrder(segments, 0) {
		if c := columnOf(run); len(c.lines) > 0 {
			columns = append(columns, c)
		}
	}
	return columns, strings.Join(turned, " ")
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
	minColumnEms   = 8.0 // a column of prose is wider than this, in line heights
	maxGutters     = 8   // candidates
	maxColumnDepth = 4   // a newspaper page has five columns
)

// readingOrder divides segments into groups that are read one after the other.
func readingOrder(segments []segment, depth int) [][]segment {
	if depth >= maxColumnDepth || len(segments) < 2*minColumnLines {
		return [][]segment{segments}
	}
	x, ok := gutter(segments)
	if !ok {
		return [][]segment{segments}
	}
	byTop := slices.Clone(segments)
	slices.SortStableFunc(byTop, func(a, b segment) int { return cmp.Compare(b.box.y1, a.box.y1) })
	var runs [][]segment
	var across, left, right []segment
	flushAcross := func() {
		if len(across) > 0 {
			runs = append(runs, across)
			across = nil
		}
	}
	flushBand := func() {
		switch {
		case len(left) == 0 && len(right) == 0:
			return
		case isProse(left, x-extent(left).x0) && (len(right) == 0 || isProse(right, extent(right).x1-x)),
			len(left) == 0 && isProse(right, extent(right).x1-x):
			flushAcross()
			for _, side := range [][]segment{left, right} {
				if len(side) > 0 {
					runs = append(runs, readingOrder(side, depth+1)...)
				}
			}
		default: // cells of a table, names under a title: read row by row
			across = append(append(across, left...), right...)
		}
		left, right = nil, nil
	}
	size := medianSize(segments)
	bottom := math.Inf(1) // of the segments that cross the gutter
	for _, s := range byTop {
		switch {
		case crosses(s.box, x):
			flushBand()
			across = append(across, s)
			bottom = s.box.y0
		case len(across) > 0 && len(left) == 0 && len(right) == 0 && s.box.y1 > bottom && overlapsAny(s, across):
			across = append(across, s) // the rest of a line that crosses
		case len(across) > 0 && len(left) == 0 && len(right) == 0 && s.size > headingScale*size && follows(across[len(across)-1], s):
			across = append(across, s) // the next line of a title that crosses
			bottom = s.box.y0
		case s.box.x1 <= x+gutterSlack:
			left = append(left, s)
		default:
			right = append(right, s)
		}
	}
	flushBand()
	flushAcross()
	return runs
}

// gutterSlack is how far a column may extend beyond its edge, in points: italics and hanging punctuation.
const gutterSlack = 2.0

func crosses(b box, x float64) bool { return b.x0 < x-gutterSlack && b.x1 > x+gutterSlack }

// follows reports whether b is the next line of a title: of the same size, close below a, and flush left or centred with it.
func follows(a, b segment) bool {
	flush := math.Abs(a.box.x0-b.box.x0) < a.size || math.Abs(a.box.x0+a.box.x1-b.box.x0-b.box.x1) < 2*a.size
	return flush && math.Abs(a.size-b.size) < maxSameSize*a.size && a.box.y0-b.box.y0 < 1.9*a.size
}

func medianSize(segments []segment) float64 {
	sizes := make([]float64, len(segments))
	for i, s := range segments {
		sizes[i] = s.size
	}
	return median(sizes)
}

func overlapsAny(s segment, others []segment) bool {
	for _, o := range others[max(0, len(others)-4):] {
		if s.box.overlap(o.box) > 0.5 {
			return true
		}
	}
	return false
}

// gutter finds where the second column begins: a position where many segments begin, that few cross, and that has prose on
// both sides. Columns are flush left, so segments begin at their edges.
func gutter(segments []segment) (float64, bool) {
	all := extent(segments)
	starts := map[int]int{}
	for _, s := range segments {
		starts[int(math.Round(s.box.x0))]++
	}
	type candidate struct{ x, n int }
	var candidates []candidate
	for x, n := range starts {
		n += starts[x-1] + starts[x+1]
		if n >= minColumnLines && float64(x) > all.x0+0.12*all.width() && float64(x) < all.x1-0.08*all.width() {
			candidates = append(candidates, candidate{x, n})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return a.x - b.x
	})
	best, at := 0, 0.0
	for _, c := range candidates[:min(len(candidates), maxGutters)] {
		x := float64(c.x) - 1.5
		var left, right []segment
		crossing := 0
		for _, s := range segments {
			switch {
			case crosses(s.box, x):
				crossing++
			case s.box.x1 <= x+gutterSlack:
				left = append(left, s)
			default:
				right = append(right, s)
			}
		}
		if len(left) < minColumnLines || len(right) < minColumnLines || !isProse(left, x-extent(left).x0) || !isProse(right,
			extent(right).x1-x) {
			continue
		}
		score := min(len(left), len(right))*4 - crossing
		if score > best {
			best, at = score, x
		}
	}
	return at, best > 0
}

// isProse reports whether segments fill a column of this width like sentences, not like cells: half of the lines are longer
// than half of it.
func isProse(segments []segment, width float64) bool {
	if len(segments) == 0 {
		return false
	}
	long, sizes := 0, 0.0
	for _, s := range segments {
		sizes += s.size
		if s.box.width() > width/2 {
			long++
		}
	}
	return width > minColumnEms*sizes/float64(len(segments)) && long*5 >= len(segments)*2
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
		line := lineOf(row, toLeft)
		line.box.y0, line.box.y1 = spans[i].y0, spans[i].y1
		if strings.TrimSpace(line.text) == "" {
			continue
		}
		c.box = c.box.union(line.box)
		c.lines = append(c.lines, line)
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
			if space = gap > 0.05*s.size; gap > 1.5*s.size { // a smaller gap is that of a superscript at its word
				line.cells++
			}
		}
		for j, w := range s.words {
			if j > 0 {
				space, gap = spaced(s.words[j-1], w), 0
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
	for _, hyphen := range []string{"-", "\u2010", "\u00ad"} {
		if t, ok := strings.CutSuffix(line.text, hyphen); ok && endsInLetter(t) {
			end := &line.pieces[len(line.pieces)-1]
			line.text, line.hyphen = t, true
			end.text = strings.TrimSuffix(end.text, hyphen)
			break
		}
	}
	return line
}

// raisedBeside reports whether a word is smaller than the next one and above its base line, like the mark before a note.
func raisedBeside(mark, next box) bool {
	return mark.height() < 0.85*next.height() && mark.y0-next.y0 > 0.3*next.height() && mark.y1 > next.y1-0.1*next.height()
}

// spaced reports whether there is a space between two words of a segment. A raised note mark gets one although none is
// printed, to avoid words such as "1See" and "people12".
func spaced(a, b pdfWord) bool {
	switch {
	case !b.tight:
		return true
	case b.raised && isNoteMark(b.text):
		return endsInProse(a.text)
	case a.raised && isNoteMark(a.text):
		r, _ := utf8.DecodeRuneInString(b.text)
		return unicode.IsUpper(r)
	}
	return false
}
