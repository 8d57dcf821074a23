package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// proof is a sentence with its evidence.
type proof struct {
	N              int // from 1
	Text, Because  string
	Verdict        Verdict
	Notes          []string
	Receipts       []receiptView
	Cites          []cited // of a sentence that the text does not have
	Previous, Next int     // doubtful sentences around it; 0 for none
}

// receiptView is a passage, line by line.
type receiptView struct {
	Label, Name, Place, Link, Heading, Lang string
	Stored                                  string // address of the passage in the whole text; "" in a file
	Lines                                   []Line // pieces are "around" the passage, in it, or what "decides" for the reader
	Quote                                   string // the words that decided, or else the cited lines
}

// proofOf is the address of the evidence of a sentence.
func proofOf(sentence int) string { return fmt.Sprintf("#e%d", sentence+1) }

// prove makes the evidence of each sentence, the lists of doubtful ones, and the list of those that the text does not have.
func (v *view) prove() {
	groups := make([]doubts, states)
	doubtful := 0
	for i, s := range v.Sentences {
		state := v.at[i]
		p := proof{N: i + 1, Text: sanitize.Short(s.Text, saidChars), Because: v.because(s), Verdict: state.Verdict(),
			Notes: s.notes(), Previous: doubtful}
		if state.doubtful() {
			for j := max(0, doubtful-1); j < i; j++ {
				v.Proofs[j].Next = p.N
			}
			doubtful = p.N
		}
		for _, r := range s.Receipts {
			shown := v.receipt(r, s.Reading)
			if _, known := v.byID[r.SourceID]; known && v.to != nil {
				shown.Stored = v.to(r.SourceID, i)
			}
			p.Receipts = append(p.Receipts, shown)
		}
		v.Proofs = append(v.Proofs, p)
		if state <= OneOrigin {
			groups[state] = doubts{p.Verdict, append(groups[state].Items, p), state == OneOrigin}
		}
		if !v.inText[i] {
			p.Cites = v.citesOf(i)
			v.Rest = append(v.Rest, p)
		}
	}
	v.Doubts = slices.DeleteFunc(groups, func(g doubts) bool { return len(g.Items) == 0 })
}

// citesOf returns what a sentence cites, and the sources of its evidence.
func (v *view) citesOf(sentence int) (out []cited) {
	for _, id := range v.Sentences[sentence].sources() {
		if c, ok := v.cite(MarkerAt{SourceID: id}, sentence); ok && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// receipt shows a passage with the words that decided for the reader.
func (v *view) receipt(r Receipt, reading *loopstate.Reading) receiptView {
	out := receiptView{Label: sanitize.Line(r.SourceID), Place: v.place(r), Heading: short(r.Heading)}
	if at, known := v.byID[r.SourceID]; known {
		s := v.Sources[at]
		out.Label, out.Name, out.Link, out.Lang = v.label[s.ID], s.title(), sanitize.Link(s.address()), sanitize.Line(s.Language)
		if out.Heading == out.Name {
			out.Heading = ""
		}
		if link, _, _ := strings.Cut(out.Link, "#"); link != "" && r.Page > 0 {
			out.Link = link + "#page=" + strconv.Itoa(r.Page)
		}
	}
	passage := []rune(r.Passage)
	passage = passage[:min(len(passage), passageChars)]
	decides := r.Decides(reading)
	decides.End = min(decides.End, len(passage))
	out.Quote = sanitize.Short(string(passage), 240)
	if decides.Start < decides.End {
		out.Quote = sanitize.Short(string(passage[decides.Start:decides.End]), 240)
	}
	first := 0
	if ranges, ok := lines.ParseRanges(r.Lines); ok {
		first = max(0, ranges[0].First-strings.Count(r.Before, "\n"))
	}
	before := utf8.RuneCountInString(r.Before)
	end := before + len(passage)
	out.Lines = Lines(r.Before+string(passage)+r.After, 0, first, []Mark{{0, before, "around"},
		{before + decides.Start, before + decides.End, "decides"}, {end, end + len(r.After), "around"}})
	return out
}

// Decides returns the words of a passage that decided for a reader, in code points; an empty span for none.
func (r Receipt) Decides(reading *loopstate.Reading) words.Span {
	if reading != nil && strings.TrimSpace(reading.Quote) != "" {
		if grade, at := quote.Find(reading.Quote, r.Passage); grade == quote.Exact || grade == quote.Normalised {
			return at
		}
	}
	return words.Span{}
}
