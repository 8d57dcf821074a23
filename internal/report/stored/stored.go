// Package stored shows stored texts line by line, with the numbers of their lines and with marks.
package stored

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Place is a place in a stored text.
type Place struct {
	Char   int  // code points before it
	Line   int  // the number of its line; 0 for a text without numbers
	Inside bool // its line began before it
}

// Mark is a highlighted span of a stored text.
type Mark struct {
	ID         string // what it is the mark of; "" if nothing leads to it
	Class      string // in the style sheet
	Start, End int    // code points of the stored text, half open
}

// Line is a line of a text. Joined, the lines are the text.
type Line struct {
	Number int
	Opens  bool // it begins here and shows something, so that its number is written
	Pieces []Piece
}

// Piece is a part of a line under the same marks.
type Piece struct {
	Text   string
	Class  string   // of its marks
	IDs    []string // of its marks, at most maxIDs
	Begins []string // ids of the marks that begin here
}

// maxIDs bounds the ids of a piece: passages of many claims may overlap.
const maxIDs = 20

// Lines splits a text that begins at a place into lines, and these at the edges of marks.
func (at Place) Lines(text string, marks []Mark) (out []Line) {
	edges, begun := []int{}, map[string]bool{} // marks of one id may have several spans
	inside := slices.DeleteFunc(slices.Clone(marks), func(m Mark) bool { return m.End <= at.Char || m.End <= m.Start })
	for i, m := range inside {
		inside[i].Start = max(m.Start, at.Char)
		edges = append(edges, m.Start, m.End)
	}
	slices.Sort(edges)
	for line := range strings.Lines(text) {
		shown := Line{Number: at.Line, Opens: at.Line > 0 && !at.Inside && strings.TrimSpace(line) != ""}
		for rest := []rune(line); len(rest) > 0; {
			next, _ := slices.BinarySearch(edges, at.Char+1)
			n := len(rest)
			if next < len(edges) {
				n = min(n, edges[next]-at.Char)
			}
			shown.Pieces = append(shown.Pieces, pieceOf(string(rest[:n]), at.Char, inside, begun))
			rest, at.Char = rest[n:], at.Char+n
		}
		out = append(out, shown)
		at = at.after(line)
	}
	return out
}

// After returns the place after a text.
func (at Place) After(text string) Place {
	at.Char += utf8.RuneCountInString(text)
	for line := range strings.Lines(text) {
		at = at.after(line)
	}
	return at
}

// after counts the end of a line.
func (at Place) after(line string) Place {
	if at.Inside = !strings.HasSuffix(line, "\n"); !at.Inside && at.Line > 0 {
		at.Line++
	}
	return at
}

// pieceOf returns a piece that begins at a code point. Of several verdicts of claims, v-…, it has the class of the first.
func pieceOf(text string, at int, marks []Mark, begun map[string]bool) Piece {
	p := Piece{Text: text}
	var classes []string
	verdict := false
	for _, m := range marks {
		if at < m.Start || at >= m.End {
			continue
		}
		if m.ID != "" && m.Start == at && !begun[m.ID] {
			begun[m.ID] = true
			p.Begins = append(p.Begins, m.ID)
		}
		if m.ID != "" && len(p.IDs) < maxIDs {
			p.IDs = append(p.IDs, m.ID)
		}
		ofClaim := strings.HasPrefix(m.Class, "v-")
		if m.Class != "" && !slices.Contains(classes, m.Class) && !(ofClaim && verdict) {
			classes = append(classes, m.Class)
		}
		verdict = verdict || ofClaim
	}
	p.Class = strings.Join(classes, " ")
	return p
}
