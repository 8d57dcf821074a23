package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Line is a line of a text, which has code points from Start to End, with its number (0 for none).
type Line struct {
	N, Start, End int
	Pieces        []Piece
}

// Piece is a part of a line; Class is that of the last mark on it.
type Piece struct{ Class, Text string }

// Mark is a part of a text, in code points, half open.
type Mark struct {
	Start, End int
	Class      string
}

// Lines parts a text that begins at a code point into lines and pieces. Their numbers begin with first; without one they have none.
func Lines(text string, at, first int, marks []Mark) (out []Line) {
	var edges []int
	for _, m := range marks {
		edges = append(edges, m.Start, m.End)
	}
	slices.Sort(edges)
	for raw := range strings.Lines(text) {
		l := Line{Start: at, End: at + utf8.RuneCountInString(raw)}
		if first > 0 {
			l.N = first + len(out)
		}
		for rest := []rune(strings.TrimRight(raw, "\r\n")); len(rest) > 0; {
			n := len(rest)
			if next, _ := slices.BinarySearch(edges, at+1); next < len(edges) {
				n = min(n, edges[next]-at)
			}
			p := Piece{Text: sanitize.Visible(string(rest[:n]))}
			for _, m := range marks {
				if m.Start <= at && at < m.End {
					p.Class = m.Class
				}
			}
			l.Pieces = append(l.Pieces, p)
			rest, at = rest[n:], at+n
		}
		at = l.End
		out = append(out, l)
	}
	return out
}
