package web

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// mark is a highlighted span of a stored text: code points, half open.
type mark struct {
	ID         string // of the claim, or one of the ids below
	Status     string
	Start, End int
}

// Ids of marks that are not of a claim.
const (
	markHere    = "here"    // the requested span, or the first block of the evidence
	markBeside  = "around"  // its other blocks
	markQuoted  = "quoted"  // the words that decided for the reader
	markDiffers = "differs" // the words of a remark
)

// piece is a span of text under the same marks. Joined, the pieces are the text.
type piece struct {
	Text   string
	Marks  []string // ids of the marks, at most maxMarks; empty for plain text
	Begins []string // ids of the marks that begin here
	Status string   // of the first mark
	Kinds  []string // the marks that are not of a claim
	Unseen bool     // not shown to the host
	Line   int      // the line that begins here; 0 for none
}

// maxMarks bounds the ids of a piece: passages of many claims may overlap.
const maxMarks = 20

// Class names how a piece is marked.
func (p piece) Class() string {
	class := strings.Join(p.Kinds, " ")
	if p.Status != "" {
		class = strings.TrimSpace(drawing.VerdictOf(p.Status).Class + " " + class)
	}
	if p.Unseen {
		class += " unseen"
	}
	return class
}

// storedText is a stored text as it was compared with claims, line by line, its Markdown included.
type storedText struct {
	Lines  []storedLine
	Quoted bool // one passage among others: its anchors would not be unique
}

// storedLine is a line that shows something, with the blank lines after it. Joined, the lines are the text.
type storedLine struct {
	Number  int
	Heading bool // of Markdown
	Pieces  []piece
}

// storedOf groups pieces into lines.
func storedOf(pieces []piece, quoted bool) storedText {
	out := storedText{Quoted: quoted}
	var line storedLine
	var text string
	end := func() {
		if n := len(out.Lines); n > 0 && strings.TrimSpace(text) == "" {
			out.Lines[n-1].Pieces = append(out.Lines[n-1].Pieces, line.Pieces...)
		} else if text != "" {
			line.Heading = strings.HasPrefix(text, "#")
			out.Lines = append(out.Lines, line)
		}
		line, text = storedLine{}, ""
	}
	for _, p := range pieces {
		if p.Line > 0 {
			line.Number = p.Line
		}
		for part := range strings.Lines(p.Text) {
			p.Text = part
			line.Pieces, text = append(line.Pieces, p), text+part
			if p.Begins = nil; strings.HasSuffix(part, "\n") {
				end()
			}
		}
	}
	end()
	return out
}

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
	begun := map[string]bool{} // marks of one id may have several spans
	for i := 1; i < len(edges); i++ {
		from, to := edges[i-1], edges[i]
		pc := piece{Text: string(text[from:to]), Line: opens[from], Unseen: shown.Of(loopstate.Span{span.Start + from, span.Start + to}) == 0}
		for _, m := range inside {
			if m.Start > from || m.End < to {
				continue
			}
			if m.Start == from && !begun[m.ID] {
				pc.Begins = append(pc.Begins, m.ID)
				begun[m.ID] = true
			}
			if len(pc.Marks) < maxMarks {
				pc.Marks = append(pc.Marks, m.ID)
			}
			if m.ID == markHere || m.ID == markBeside || m.ID == markQuoted || m.ID == markDiffers {
				if !slices.Contains(pc.Kinds, m.ID) {
					pc.Kinds = append(pc.Kinds, m.ID)
				}
			} else if pc.Status == "" {
				pc.Status = m.Status
			}
		}
		pieces = append(pieces, pc)
	}
	return pieces, turning
}

// evidenceMarks marks what decides about a claim in one source: the blocks that it was compared with, the words that the reader
// quoted, and the words that the remarks are about.
func evidenceMarks(c verify.Claim, id string) (marks []mark) {
	block := markHere
	for _, p := range c.Passages {
		if p.SourceID != id {
			continue
		}
		marks = append(marks, mark{ID: block, Start: p.Start, End: p.End})
		block = markBeside
		if c.Reading != nil && c.Reading.Quote != "" {
			if grade, at := quote.Find(c.Reading.Quote, p.Text); grade == quote.Exact || grade == quote.Normalised {
				marks = append(marks, mark{ID: markQuoted, Start: p.Start + at.Start, End: p.Start + at.End})
			}
		}
	}
	for _, r := range c.Remarks {
		if r.SourceID == id {
			marks = append(marks, mark{ID: markDiffers, Start: r.Start, End: r.End})
		}
	}
	return marks
}
