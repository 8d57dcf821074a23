// Package citing follows the citations of claims to their sources and checks the claims against them. The tools, the
// page and the command line use it: [Library.Follow] and [Library.Read] resolve what a list of claims or a draft cites,
// [Check] compares each claim with the cited texts, and [Split] decides about sentences whose paragraph has citations
// only at its end.
//
// The package is pure. It does not read texts; its callers give them to the checker.
package citing

import (
	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// Claim is a statement with what it cites and, after [Check], its verdict.
type Claim struct {
	grounding.Verdict
	Text      string
	Citations []Citation
	Sentence  *grounding.DraftSentence // nil for a claim of a list
	Covered   bool                     // no mark of its own: cited at the end of its paragraph

	// Asked is what the checker compares the claim with: the sources that its citations lead to, each once, and
	// once more for each further quote.
	Asked []grounding.Citation
	// Given is the question of the loop: a claim need not cite what the question says.
	Given string
	// Quotes are without a source. Check assigns each to the cited source that contains it.
	Quotes []string
}

// Citation names a source by id or address. After following it, SourceID is the id of a source that was read, or empty
// when the address has yet to be read or Problem says why the citation leads to nothing.
type Citation struct {
	grounding.Marker // as a draft writes it; empty in a list of claims
	SourceID, URL    string
	Quote            string
	Problem          string
}

// Dead is a citation without a source.
type Dead struct {
	Citation
	Claim string // the sentence that it is on; empty for none
	Stray bool   // it is not on a claim
}

// Written returns the citation as its author wrote it.
func (c Citation) Written() string {
	for _, s := range []string{c.Raw, c.SourceID, c.URL} {
		if s != "" {
			return s
		}
	}
	return "(empty)"
}

// New returns a claim that cites sources by their ids.
func New(text string, sourceIDs ...string) Claim {
	c := Claim{Text: text}
	for _, id := range sourceIDs {
		c.Citations = append(c.Citations, Citation{SourceID: id})
	}
	return c
}

// Source returns a source of a loop, with its text, for the checker.
func Source(src loopstate.Source, text string) grounding.Source {
	return grounding.Source{ID: src.ID, URL: src.FinalURL, Title: src.Title, SourceType: src.SourceType, Text: text, Publisher: src.Publisher, Authors: src.Authors, Publication: src.Publication()}
}

// Place returns line and column of the claim in its draft, from 1, or 0, 0 for a claim of a list.
func (c Claim) Place() (line, column int) {
	if c.Sentence == nil {
		return 0, 0
	}
	return c.Sentence.Line, c.Sentence.Column
}

// Span returns where the claim is in its draft, in code points.
func (c Claim) Span() (start, end int) {
	if c.Sentence == nil {
		return 0, 0
	}
	return c.Sentence.Start, c.Sentence.End
}

// SourceIDs lists the sources that the claim cites, each once.
func (c Claim) SourceIDs() []string {
	var ids []string
	seen := map[string]bool{}
	for _, cite := range c.Asked {
		if !seen[cite.SourceID] {
			seen[cite.SourceID] = true
			ids = append(ids, cite.SourceID)
		}
	}
	return ids
}

// Ask adds a source to compare the claim with. A source is asked once, and once more for each further quote.
func (c *Claim) Ask(sourceID, quote string) {
	for i, have := range c.Asked {
		if have.SourceID == sourceID && (have.Quote == quote || quote == "") {
			return
		}
		if have.SourceID == sourceID && have.Quote == "" {
			c.Asked[i].Quote = quote
			return
		}
	}
	c.Asked = append(c.Asked, grounding.Citation{SourceID: sourceID, Quote: quote})
}

// Uncovered reports whether the claim cites nothing after all: it has no mark of its own, and what the end of its
// paragraph cites does not ground it.
func (c Claim) Uncovered() bool { return c.Covered && c.Status != grounding.Grounded }

// Split separates the uncovered claims, which count as uncited, from the others.
func Split[C interface{ Uncovered() bool }](claims []C) (kept, uncited []C) {
	for _, c := range claims {
		if c.Uncovered() {
			uncited = append(uncited, c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, uncited
}
