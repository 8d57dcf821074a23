package loopstate

import (
	"cmp"
	"math"
	"slices"
)

// The read ledger records which stretches of the stored texts were shown to the host: by a tool, a
// resource or a prompt. A claim that rests on a passage which nobody was shown was not made from reading it,
// even where the text happens to support it. What a verdict or a report shows does not count, because it comes
// after the claim: asking twice would make the flag vanish.

// Span is a stretch of a source's stored text: start and end in Unicode code points, half open. As JSON it is
// [start,end], because a log holds many.
type Span [2]int

// Spans are stretches of one text, ascending and apart from each other.
type Spans []Span

// maxSpans of one text are kept apart: 256 passages of 600 characters are a text of 150,000 characters, read in
// pieces. Beyond that the smallest hole between two of them counts as shown.
const maxSpans = 256

// With are the spans and more, merged. What is no stretch (negative, or its end not above its start) is left out.
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

// Of is how many code points of a stretch the spans have.
func (s Spans) Of(p Span) int {
	n := 0
	for _, have := range s {
		n += max(0, min(have[1], p[1])-max(have[0], p[0]))
	}
	return n
}

// Chars is how many code points the spans have.
func (s Spans) Chars() int { return s.Of(Span{0, math.MaxInt}) }

// ShownText is what an answer showed of one source's text.
type ShownText struct {
	SourceID string `json:"source_id"`
	Spans    Spans  `json:"spans"`
}

// Unrecorded is what of an answer the ledger does not have yet, by source. It is empty where all of it was shown
// before: nothing has to be appended then. A source that the loop does not have yet is one that the same event
// brings.
func (s *State) Unrecorded(shown []ShownText) []ShownText {
	var out []ShownText
	for _, t := range shown {
		known := s.Shown[t.SourceID]
		src, ok := s.SourceByID(t.SourceID)
		var fresh Spans
		for _, p := range t.Spans {
			if ok {
				p[1] = min(p[1], src.Chars)
			}
			if known.Of(p) < p[1]-p[0] {
				fresh = append(fresh, p)
			}
		}
		if fresh = (Spans{}).With(fresh...); len(fresh) == 0 {
			continue
		}
		if i := slices.IndexFunc(out, func(o ShownText) bool { return o.SourceID == t.SourceID }); i >= 0 {
			out[i].Spans = out[i].Spans.With(fresh...)
			continue
		}
		out = append(out, ShownText{SourceID: t.SourceID, Spans: fresh})
	}
	return out
}

// show writes the ledger. Of an id that is no source of the loop, and beyond the end of a text, nothing was shown.
func (s *State) show(shown []ShownText) {
	for _, t := range shown {
		src, ok := s.SourceByID(t.SourceID)
		if !ok {
			continue
		}
		spans := s.Shown[t.SourceID]
		for _, p := range t.Spans {
			spans = spans.With(Span{p[0], min(p[1], src.Chars)})
		}
		if len(spans) == 0 {
			continue
		}
		if s.Shown == nil {
			s.Shown = map[string]Spans{}
		}
		s.Shown[t.SourceID] = spans
	}
}

// ShownOf are the stretches of a source's text that were shown, under its own id or under that of a source with
// the very same text.
func (s *State) ShownOf(id string) Spans {
	src, ok := s.SourceByID(id)
	if !ok {
		return nil
	}
	spans := s.Shown[id]
	for _, other := range s.Sources {
		if other.SHA256 == src.SHA256 && other.ID != id {
			spans = spans.With(s.Shown[other.ID]...)
		}
	}
	return spans
}

// allShown is the ledger of a log from before there was one: its sources count as shown whole, because nobody
// knows what was.
func allShown(sources []Source) []ShownText {
	var all []ShownText
	for _, src := range sources {
		all = append(all, ShownText{SourceID: src.ID, Spans: Spans{{0, src.Chars}}})
	}
	return all
}
