package pdf

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

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
