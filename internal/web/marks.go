package web

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/stored"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Ids and classes of marks that are not of a claim.
const (
	markHere    = "here"    // the requested span, or the first block of the evidence
	markBeside  = "around"  // its other blocks
	markQuoted  = "quoted"  // the words that decided for the reader
	markDiffers = "differs" // the words of a remark
)

// storedText is a stored text as it was compared with claims, line by line, its Markdown included.
type storedText struct {
	Lines   []storedLine
	Quoted  bool // one passage among others: its anchors would not be unique
	Turning int  // characters that would change the text direction, each replaced by �, so that offsets stay valid
}

// storedLine is a line that shows something, with the blank lines after it.
type storedLine struct {
	stored.Line
	Heading bool // of Markdown
}

func storedOf(at stored.Place, text string, marks []stored.Mark, quoted bool) storedText {
	out := storedText{Quoted: quoted}
	text = strings.Map(func(r rune) rune {
		if sanitize.ChangesDirection(r) {
			out.Turning++
			return '\uFFFD'
		}
		return r
	}, text)
	for _, line := range at.Lines(text, marks) {
		var says strings.Builder
		for _, p := range line.Pieces {
			says.WriteString(p.Text)
		}
		if n := len(out.Lines); n > 0 && strings.TrimSpace(says.String()) == "" {
			out.Lines[n-1].Pieces = append(out.Lines[n-1].Pieces, line.Pieces...)
		} else {
			out.Lines = append(out.Lines, storedLine{line, strings.HasPrefix(says.String(), "#")})
		}
	}
	return out
}

// markOf returns a mark whose class is its id.
func markOf(id string, start, end int) stored.Mark {
	return stored.Mark{ID: id, Class: id, Start: start, End: end}
}

// unseen marks the parts of a text that were not shown to the host.
func unseen(shown loopstate.Spans, chars int) (marks []stored.Mark) {
	at := 0
	for _, span := range append(slices.Clone(shown), loopstate.Span{chars, chars}) {
		marks = append(marks, stored.Mark{Class: "unseen", Start: at, End: span[0]})
		at = span[1]
	}
	return marks
}

// evidenceMarks marks what decides about a claim in one source: the blocks that it was compared with, the words that the reader
// quoted, and the words that the remarks are about.
func evidenceMarks(c verify.Claim, id string) (marks []stored.Mark) {
	block := markHere
	for _, p := range c.Passages {
		if p.SourceID != id {
			continue
		}
		marks = append(marks, markOf(block, p.Start, p.End))
		block = markBeside
		if c.Reading != nil && c.Reading.Quote != "" {
			if grade, at := quote.Find(c.Reading.Quote, p.Text); grade == quote.Exact || grade == quote.Normalised {
				marks = append(marks, markOf(markQuoted, p.Start+at.Start, p.Start+at.End))
			}
		}
	}
	for _, r := range c.Remarks {
		if r.SourceID == id {
			marks = append(marks, markOf(markDiffers, r.Start, r.End))
		}
	}
	return marks
}
