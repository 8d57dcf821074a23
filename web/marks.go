package web

import (
	"slices"

	"github.com/citeloop/citeloop/loops"
)

// mark is a stretch of a stored text that something rests on: code points, half open.
type mark struct {
	ID         string // of the claim, or "here" for the stretch that was asked for
	Status     string
	Start, End int
}

// piece is a stretch of text under the same marks. Joined, the pieces are the text.
type piece struct {
	Text   string
	Marks  []string // ids of what rests on it; empty for plain text
	Begins []string // of them, those that begin here
	Status string   // of the first mark
	Here   bool
}

// cut takes a text apart at the ends of its marks. Characters that would turn the direction of what follows are
// shown as �, one for one, so that offsets stay what they are; turning counts them.
func cut(span loops.Span, marks []mark) (pieces []piece, turning int) {
	text := []rune(span.Text)
	for i, r := range text {
		if turns(r) {
			text[i] = '\uFFFD'
			turning++
		}
	}
	edges := []int{0, len(text)}
	inside := marks[:0:0]
	for _, m := range marks {
		begins := m.Start - span.Start
		m.Start, m.End = max(0, begins), min(len(text), m.End-span.Start)
		if m.Start < m.End {
			inside, edges = append(inside, m), append(edges, m.Start, m.End)
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for i := 1; i < len(edges); i++ {
		pc := piece{Text: string(text[edges[i-1]:edges[i]])}
		for _, m := range inside {
			if m.Start > edges[i-1] || m.End < edges[i] {
				continue
			}
			if pc.Marks = append(pc.Marks, m.ID); m.Start == edges[i-1] {
				pc.Begins = append(pc.Begins, m.ID)
			}
			if m.ID == "here" {
				pc.Here = true
			} else if pc.Status == "" {
				pc.Status = m.Status
			}
		}
		pieces = append(pieces, pc)
	}
	return pieces, turning
}
