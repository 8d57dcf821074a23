package pdf

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// pdfNotes are the footnotes of a document. A note begins at the foot of a page with a mark that is raised in the text of
// the same page.
type pdfNotes map[int]map[string]string // page, mark, label

var noteMark = lazyregexp.New(`^(?:\d{1,3}|[*†‡§])$`)

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

// noteBegins writes the mark at the beginning of a note.
func (f *pdfFlow) noteBegins(pieces []pdfPiece) []pdfPiece {
	if len(pieces) < 2 {
		return pieces
	}
	label := f.notes.label(f.page, pieces[0])
	if label == "" {
		return pieces
	}
	f.out.TextOnly(pieces[0].text + " ")
	f.out.MarkdownOnly("[^" + label + "]: ")
	pieces = pieces[1:]
	pieces[0].space = false
	return pieces
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

// isNoteMark reports whether a word may be the mark of a note: digits, one lower-case letter, or a symbol.
func isNoteMark(s string) bool {
	if len(s) == 0 || len(s) > 3 {
		return false
	}
	return strings.Trim(s, "0123456789") == "" || len(s) == 1 && 'a' <= s[0] && s[0] <= 'z' || s == "*" || s == "†" || s == "‡" || s == "§"
}

// endsInProse reports whether a word ends in three letters or punctuation marks, and so is not a variable with an exponent.
func endsInProse(s string) bool {
	n := 0
	for s != "" && n < 3 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !unicode.IsLetter(r) && !unicode.IsPunct(r) {
			return false
		}
		s = s[:len(s)-size]
		n++
	}
	return n == 3
}
