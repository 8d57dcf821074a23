package pdf

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// line is a line of one column.
type line struct {
	piece
	box
	size  float64 // height of its tall words: fonts without metrics give each character its own height
	parts int     // between wide gaps
	words []word
	kind  kind
	level int     // of a heading
	cells []piece // of a row
}

// piece is a text with a hyphen at its end, which a line break may have added; it is not in the text.
type piece struct {
	text   string
	hyphen bool
}

// add appends the text that continues the piece.
func (p *piece) add(more piece, usual usual) {
	if p.text != "" && more.text != "" {
		p.text += usual.joint(*p, more.text)
	}
	if more.text != "" {
		p.text, p.hyphen = p.text+more.text, more.hyphen
	}
}

// whole is the text with its hyphen.
func (p piece) whole() string {
	if p.hyphen {
		return p.text + "-"
	}
	return p.text
}

// kind is the type of block that a line belongs to.
type kind int

const (
	proseLine kind = iota
	headingLine
	headingRest // goes on with the heading above it
	rowLine     // of a table
	firstRow    // that begins a table
)

// column is consecutive lines that are read from top to bottom.
type column struct {
	lines []line
	box   box
}

// pageLines is a page in reading order.
type pageLines struct {
	columns   []column
	rotated   string   // words in another direction than the page's
	furniture []string // lines that repeat on other pages
}

// linesOf goes through the lines of pages.
func linesOf(pages []pageLines) iter.Seq[*line] {
	return func(yield func(*line) bool) {
		for _, p := range pages {
			for _, c := range p.columns {
				for i := range c.lines {
					if !yield(&c.lines[i]) {
						return
					}
				}
			}
		}
	}
}

// columnOf joins the segments of one column to lines, from top to bottom.
func columnOf(segments []segment) (c column) {
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(b.box.y0+b.box.y1, a.box.y0+a.box.y1) })
	var rows [][]segment
	var spans []box // of the longest segment of each row, which defines the line
	for _, s := range segments {
		at, least := len(rows)-1, max(0, len(rows)-3) // a superscript may have started a row above its line
		for at >= least && s.box.overlap(spans[at]) <= 0.5 {
			at--
		}
		if at < least {
			rows, spans = append(rows, []segment{s}), append(spans, s.box)
			continue
		}
		rows[at] = append(rows[at], s)
		if s.box.width() > spans[at].width() {
			spans[at] = s.box
		}
	}
	for i, row := range rows {
		line := lineOf(row)
		line.box.y0, line.box.y1 = spans[i].y0, spans[i].y1
		if strings.TrimSpace(line.text) != "" {
			c.lines = append(c.lines, line)
		}
	}
	c.box = around(c.lines)
	return c
}

// lineOf joins the segments of a row to a line.
func lineOf(row []segment) line {
	toLeft := runsToLeft(row)
	if toLeft {
		row = toLeftRow(row)
	} else {
		slices.SortStableFunc(row, func(a, b segment) int { return cmp.Compare(a.box.x0, b.box.x0) })
	}
	l := line{box: around(row)}
	sizes := []float64{0}
	for i, s := range row {
		s.words[len(s.words)-1].cutHyphen()
		for j, w := range s.words {
			if j > 0 {
				w.space = spaced(s.words[j-1], w)
				if w.raised && !s.words[j-1].tight && !w.space {
					w.text = raisedText(w.text)
				}
			} else if i > 0 {
				w.setGap(row[i-1], s, toLeft)
				if toLeft && len(l.words) > 0 && bracketed(l.words[len(l.words)-1], w) {
					w.space = false
				}
			}
			if w.text = readable(sanitize.Visible(w.text)); w.text == "" {
				continue
			}
			l.words = append(l.words, w)
			for range min(len(w.text), 20) { // weighted by length: a symbol does not make a line large
				sizes = append(sizes, w.box.height())
			}
		}
	}
	slices.Sort(sizes)
	l.size = sizes[len(sizes)*17/20]
	l.finish()
	return l
}

// finish looks for the mark of a note at the beginning of a line, and joins its words to its text.
func (l *line) finish() {
	if len(l.words) > 1 && noteMark.MatchString(l.words[0].text) && raisedBeside(l.words[0].box, l.words[1].box) {
		l.words[0].raised = true // with a space after it
	}
	l.piece, l.parts = textOf(l.words), 1
	for _, w := range l.words[min(1, len(l.words)):] {
		if w.gap > 1.5*l.size { // a smaller gap is that of a superscript at its word
			l.parts++
		}
	}
}

// textOf joins words.
func textOf(words []word) (p piece) {
	for i, w := range words {
		p.text = p.whole() // the hyphen of a cell
		if w.space && i > 0 {
			p.text += " "
		}
		p.text, p.hyphen = p.text+w.text, w.hyphen
	}
	return p
}

// setGap sets the space before the first word of a segment. A gap to the left is a further line of the same cell, or an accent above
// a letter.
func (w *word) setGap(before, s segment, toLeft bool) {
	w.gap = s.box.x0 - before.box.x1
	if toLeft {
		w.gap = max(w.gap, before.box.x0-s.box.x1)
	}
	accent := !slices.ContainsFunc(s.words, func(w word) bool { return isAlphanumeric(lastRune(w.text)) })
	w.space = w.gap > 0.05*s.size || w.gap < -s.size && !accent
}

// cutHyphen cuts a hyphen behind a letter.
func (w *word) cutHyphen() {
	r, size := utf8.DecodeLastRuneInString(w.text)
	if t := w.text[:len(w.text)-size]; strings.ContainsRune("-\u2010\u00ad", r) && isAlphanumeric(lastRune(t)) {
		w.text, w.hyphen = t, true
	}
}

// raisedBeside reports whether a word is smaller than the next one and above its base line, like the mark before a note.
func raisedBeside(mark, next box) bool {
	return mark.height() < 0.85*next.height() && mark.y0-next.y0 > 0.3*next.height() && mark.y1 > next.y1-0.1*next.height()
}

// spaced reports whether there is a space between two words of a segment. A raised letter or sign gets one although none is printed,
// and so does what follows a mark, to avoid words such as "1See".
func spaced(a, b word) bool {
	switch {
	case !b.tight:
		return true
	case b.raised && raisedMark.MatchString(b.text):
		return endsInProse.MatchString(a.text)
	}
	mark := raisedMark.MatchString(a.text) || noteMark.MatchString(a.text)
	return a.raised && mark && unicode.IsUpper(firstRune(b.text))
}
