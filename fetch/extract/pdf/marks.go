package pdf

import (
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/markdown"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// words writes the words of a line, with Markdown for links, inline code, cells and note marks.
func (f *pdfFlow) words(line pdfLine) {
	t := &f.out
	if line.kind == codeLine {
		t.Both(line.text)
		return
	}
	column := 0
	if line.kind >= rowLine {
		t.Row = true
		column = line.pieces[0].column
		t.MarkdownOnly("| " + strings.Repeat("| ", column))
	}
	link, code := "", false
	for i, p := range line.pieces {
		mono := isInlineCode(line, i)
		cell := line.kind >= rowLine && p.column != column
		if link != "" && (p.link != link || cell) {
			t.MarkdownOnly("](" + markdown.Address(link) + ")")
			link = ""
		}
		if code && (!mono || cell) {
			t.MarkdownOnly("`")
			code = false
		}
		switch {
		case cell:
			t.TextOnly(" ")
			t.MarkdownOnly(" | " + strings.Repeat("| ", p.column-column-1))
			column = p.column
		case p.space:
			t.Both(" ")
		}
		if label := f.notes.label(f.page, p); label != "" {
			t.TextOnly(p.text)
			t.MarkdownOnly("[^" + label + "]")
			continue
		}
		if p.link != "" && link == "" && line.kind != headingLine {
			t.MarkdownOnly("[")
			link = p.link
		}
		if mono && !code {
			t.MarkdownOnly("`")
			code = true
		}
		if code {
			// The font of a word is that of its first letter, so punctuation after code belongs to the sentence.
			rest := strings.TrimRight(p.text, ".,;:")
			if i+1 < len(line.pieces) && isInlineCode(line, i+1) || rest == "" {
				rest = p.text
			}
			t.Both(rest)
			if t.Begun = true; rest != p.text {
				t.MarkdownOnly("`")
				t.Both(p.text[len(rest):])
				code = false
			}
		} else {
			t.Word(p.text)
		}
	}
	if link != "" {
		t.MarkdownOnly("](" + markdown.Address(link) + ")")
	}
	if code {
		t.MarkdownOnly("`")
	}
	if line.kind >= rowLine {
		t.MarkdownOnly(strings.Repeat(" |", line.cells-column))
	}
	if line.kind == firstRow {
		t.MarkdownOnly("\n|" + strings.Repeat(" --- |", max(line.cells, 1)))
	}
}

// isInlineCode reports whether a word is code in a line of prose.
func isInlineCode(line pdfLine, i int) bool {
	p := &line.pieces[i]
	return p.font != nil && p.font.mono && line.kind == proseLine && p.link == "" && !strings.Contains(p.text, "`")
}

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
