package pdf

import (
	"strconv"
)

// pdfNotes are the footnotes of a document. A note begins at the foot of a page with a mark that is raised in the text of
// the same page.
type pdfNotes map[int]map[string]string // page, mark, label

func notesOf(pages [][]pdfColumn) pdfNotes {
	notes := pdfNotes{}
	taken := map[string]bool{}
	for i, columns := range pages {
		begins, raised := map[string]bool{}, map[string]bool{}
		for _, c := range columns {
			for _, line := range c.lines {
				for j, p := range line.pieces {
					switch {
					case !p.raised || !noteMark.MatchString(p.text):
					case j == 0 && len(line.pieces) > 1:
						begins[p.text] = true
					default:
						raised[p.text] = begins[p.text] || raised[p.text] || endsInProse(line.pieces[max(j-1, 0)].text)
					}
				}
			}
		}
		for mark := range begins {
			if !raised[mark] {
				continue
			}
			label := mark
			if label[0] < '0' || label[0] > '9' {
				label = "n"
			}
			if taken[label] || label == "n" {
				label += "-" + strconv.Itoa(i+1)
			}
			for n := 2; taken[label]; n++ {
				label = label + "-" + strconv.Itoa(n)
			}
			taken[label] = true
			if notes[i] == nil {
				notes[i] = map[string]string{}
			}
			notes[i][mark] = label
		}
	}
	return notes
}

// label returns the label of the note that a piece refers to, or "".
func (n pdfNotes) label(page int, p pdfPiece) string {
	if !p.raised {
		return ""
	}
	return n[page][p.text]
}

// noteSize is the largest height of the lines of a note, as a share of the body's.
const noteSize = 0.93

// splitFoot separates the notes at the foot of a column from its text. They would interrupt a sentence that goes on in the
// next column.
func splitFoot(c pdfColumn, body float64) (text, foot pdfColumn) {
	i := len(c.lines)
	for at := i - 1; at > 0 && c.lines[at].kind == proseLine && c.lines[at].size < noteSize*body; at-- {
		if beginsNote(c.lines[at]) {
			i = at
		}
	}
	return pdfColumn{c.lines[:i], c.box}, pdfColumn{c.lines[i:], c.box}
}

// beginsNote reports whether a line begins with the raised mark of a note.
func beginsNote(line pdfLine) bool {
	return line.kind == proseLine && len(line.pieces) > 1 && line.pieces[0].raised && noteMark.MatchString(line.pieces[0].text)
}
