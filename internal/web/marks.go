package web

import (
	"slices"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// mark is a highlighted span of a stored text: code points, half open.
type mark struct {
	ID         string // of the claim, or "here" for the requested span
	Status     string
	Start, End int
}

// piece is a span of text under the same marks. Joined, the pieces are the text.
type piece struct {
	Text   string
	Marks  []string // ids of the marks, at most maxMarks; empty for plain text
	Begins []string // ids of the marks that begin here
	Status string   // of the first mark
	Here   bool
	Unseen bool // not shown to the host
	Line   int  // the line that begins here; 0 for none
}

// maxMarks bounds the ids of a piece: passages of many claims may overlap.
const maxMarks = 20

// cut splits a text at the edges of its marks and of the spans that were shown. Each character that changes the text
// direction is replaced by one �, so that offsets stay valid; turning counts them.
func cut(span loops.Span, marks []mark, shown loopstate.Spans) (pieces []piece, turning int) {
	text := []rune(span.Text)
	for i, r := range text {
		if sanitize.ChangesDirection(r) {
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
	for _, s := range shown {
		for _, at := range s {
			if at -= span.Start; at > 0 && at < len(text) {
				edges = append(edges, at)
			}
		}
	}
	line, opens := span.Line, map[int]int{} // 0: without numbers
	for i := 0; i < len(text) && line > 0; i++ {
		if i == 0 && span.Start == 0 || i > 0 && text[i-1] == '\n' {
			opens[i] = line
			edges = append(edges, i)
		}
		if text[i] == '\n' {
			line++
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for i := 1; i < len(edges); i++ {
		from, to := edges[i-1], edges[i]
		pc := piece{Text: string(text[from:to]), Line: opens[from], Unseen: shown.Of(loopstate.Span{span.Start + from, span.Start + to}) == 0}
		for _, m := range inside {
			if m.Start > from || m.End < to {
				continue
			}
			if m.Start == from {
				pc.Begins = append(pc.Begins, m.ID)
			}
			if len(pc.Marks) < maxMarks {
				pc.Marks = append(pc.Marks, m.ID)
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
