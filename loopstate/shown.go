package loopstate

import (
	"cmp"
	"math"
	"slices"
)

// The read ledger records which parts of the stored texts were shown to the host by a tool, a resource or a prompt. A host
// that was not shown a passage did not make a claim from reading it, even if the passage supports the claim. A verdict or a
// report shows passages after the claim was made, so these do not count: otherwise a second check would clear the flag.

// Span is a part of a source's stored text: start and end in Unicode code points, half open. Its JSON is [start,end],
// which is short, because a log has many spans.
type Span [2]int

// Spans are parts of one text, ascending and not adjacent.
type Spans []Span

// maxSpans bounds the spans of one text: 256 passages of 600 characters are 150,000 characters. Beyond that, the smallest
// hole between two spans counts as shown.
const maxSpans = 256

// With returns the union of the spans and more. It drops invalid spans: negative ones, and those without a character.
func (s Spans) With(more ...Span) Spans {
	all := slices.Concat(s, Spans(more))
	all = slices.DeleteFunc(all, func(p Span) bool { return p[0] < 0 || p[1] <= p[0] })
	slices.SortFunc(all, func(a, b Span) int { return cmp.Compare(a[0], b[0]) })
	merged := all[:0]
	for _, p := range all {
		if last := len(merged) - 1; last >= 0 && p[0] <= merged[last][1] {
			merged[last][1] = max(merged[last][1], p[1])
			continue
		}
		merged = append(merged, p)
	}
	for len(merged) > maxSpans {
		merged = merged.closeSmallestHole()
	}
	return merged
}

func (s Spans) closeSmallestHole() Spans {
	at, smallest := 1, math.MaxInt
	for i := 1; i < len(s); i++ {
		if hole := s[i][0] - s[i-1][1]; hole < smallest {
			at, smallest = i, hole
		}
	}
	s[at-1][1] = s[at][1]
	return slices.Delete(s, at, at+1)
}

// Of returns how many code points of p the spans cover.
func (s Spans) Of(p Span) int {
	n := 0
	for _, have := range s {
		n += max(0, min(have[1], p[1])-max(have[0], p[0]))
	}
	return n
}

// Chars returns how many code points the spans cover.
func (s Spans) Chars() int { return s.Of(Span{0, math.MaxInt}) }

// ShownText holds the parts of one source's text that a result showed.
type ShownText struct {
	SourceID string `json:"source_id"`
	Spans    Spans  `json:"spans"`
}
