package verify

import (
	"slices"

	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/loopstate"
)

// A second look shows so many passages of the cited sources and of others, which have so many of the claim's words (chosen).
const secondCited, secondOther, secondShare = 3, 2, 1.0 / 3

// SecondLook returns a claim's passages with what may say the rest: their surroundings, then the best passages of the cited sources,
// then of others; nil without any. ix has the passages of the sources by their ids.
func SecondLook(ix *passage.Index, claim string, seen []Passage, sources map[string]Source) []Passage {
	out, left, more, cited := slices.Clone(seen), foundChars, false, map[string]bool{}
	add := func(p Passage) bool {
		size := p.End - p.Start
		fits := size > 0 && !within(p, out) && (size <= left || !more)
		if fits {
			out = append(slices.DeleteFunc(out, func(x Passage) bool { return within(x, []Passage{p}) }), p)
			left, more = left-size, true
		}
		return fits
	}
	for _, p := range seen {
		if cited[p.SourceID] = true; sources[p.SourceID].Text != nil {
			add(sources[p.SourceID].around(p))
		}
	}
	for _, from := range []struct {
		cited bool
		most  int
	}{{true, secondCited}, {false, secondOther}} {
		taken := 0
		for _, hit := range ix.Search(claim, 2*from.most, func(id string) bool { return cited[id] == from.cited && sources[id].Text != nil }) {
			if taken < from.most && hit.Share >= secondShare && add(sources[hit.Doc].passage(hit.Passage.Start, hit.Passage.End)) {
				taken++
			}
		}
	}
	if !more {
		return nil
	}
	return out
}

// around returns a passage with the blocks before and after it, or the passage alone where that is long.
func (src Source) around(p Passage) Passage {
	text := src.Text.Lines()
	at := text.Lines(p.Start, p.End)
	first, last := at.First, at.Last
	for _, b := range text.Blocks(nil) {
		if b.Last < at.First {
			first = b.First
		} else if b.First > at.Last {
			last = b.Last
			break
		}
	}
	if start, end, _ := text.Span(lines.Range{First: first, Last: last}); end-start <= maxBlockChars {
		return src.passage(start, end)
	}
	return p
}

// Place returns the block of a second look that has a quotation, or nil for one of the passages that the claim cites.
func Place(said string, in, cited []Passage, sources map[string]Source) *loopstate.ReviewWindow {
	for _, p := range in {
		grade, at := quote.Find(said, p.Text)
		src, start, end := sources[p.SourceID], p.Start+at.Start, p.Start+at.End
		switch {
		case src.Text == nil || grade != quote.Exact && grade != quote.Normalised:
		case within(Passage{SourceID: p.SourceID, Start: start, End: end}, cited):
			return nil
		default:
			return &Windows(src.blocks(lines.Ranges{src.Text.Lines().Lines(start, end)}, said))[0]
		}
	}
	return nil
}

// correct moves the claim to the lines that decided on a second look.
func (c *Claim) correct(reading loopstate.Reading, sources map[string]Source) {
	cited := c.Lines()
	c.Passages = []Passage{sources[reading.Corrected.SourceID].Window(*reading.Corrected)}
	says := map[string]string{loopstate.AnswerSupported: " does", loopstate.AnswerPartly: " says a part of it", loopstate.AnswerContradicted: " says otherwise"}[reading.Answer]
	c.Because = cited + " does not say it, " + c.Lines() + says
	c.Flags, c.Because = append(c.Flags, FlagCorrected+": "+c.Because), c.Because+quoted(reading)
}
