package grounding

import (
	"cmp"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/passages"
)

// Checker compares claims with sources. It is made once and then safe for concurrent use.
type Checker struct {
	docs       []*document
	byID       map[string]int
	vocabulary vocabulary
	search     func() *passages.Index // built when first asked
}

// NewChecker reads the sources. The last of several with one id counts.
func NewChecker(sources []Source) *Checker {
	c := &Checker{byID: make(map[string]int), vocabulary: vocabulary{ids: make(map[string]int32)}}
	last := make(map[string]int, len(sources))
	for i, s := range sources {
		last[s.ID] = i
	}
	for i, s := range sources {
		if last[s.ID] != i {
			continue
		}
		c.byID[s.ID] = len(c.docs)
		c.docs = append(c.docs, newDocument(s, &c.vocabulary))
	}
	c.vocabulary.analyzer = passages.Analyzer{} // the stems are not needed any more
	c.search = sync.OnceValue(c.buildSearch)
	return c
}

// The thresholds of support, fitted on development data (gold_test.go).
const (
	groundedFrom = 0.44
	inferredFrom = 0.22
)

const (
	// maxCited bounds the sources that one claim is compared with; further citations add nothing to it.
	maxCited = 40
	// verbatimSupport is the support of a claim that stands in a source letter for letter.
	verbatimSupport = 0.98
	// elsewhereSupport is the most for a claim of which one name stands apart: inferred, not grounded.
	elsewhereSupport = 0.9 * groundedFrom
	// minVerbatimLetters keeps short claims from being found by chance (chosen: four or five words).
	minVerbatimLetters = 20
)

// Check compares one claim with the sources that it cites. Citations of ids that the checker does not have
// are left out: the caller knows them as hallucinated.
func (c *Checker) Check(claim Claim) Verdict {
	if len(claim.Citations) == 0 {
		return Verdict{Status: Unsupported, Confidence: 1, Flags: []string{FlagUncited}, Because: "The claim cites no source."}
	}
	cited := c.cited(claim.Citations)
	if len(cited) == 0 {
		return Verdict{Status: Unsupported, Confidence: 1, Flags: []string{FlagUnknownSource}, Because: "None of the cited sources was read."}
	}
	r := readClaim(claim.Text)
	if len(r.terms)+len(r.numbers) == 0 {
		return Verdict{Status: Unsupported, Confidence: 1, Flags: []string{FlagEmptyClaim}, Because: "The claim has no words that could be checked."}
	}
	f := c.assess(r, cited)
	quotes := c.quotes(claim.Citations)
	if quotes.restate(r.text) { // the claim is the quote, as an edition of its source has it
		f.support, f.vetoed, f.flags, f.verbatim = verbatimSupport, false, nil, quotes.at
		if len(f.alone) == 0 {
			f.alone = []*document{c.docs[c.byID[quotes.at.SourceID]]}
		}
	}
	v := f.verdict()
	quotes.apply(&v)
	v.IndependentOrigins = c.origins(r, cited, f, v.Status)
	v.Flags = append(v.Flags, c.originFlags(v, f)...)
	if f.support < groundedFrom || f.vetoed {
		v.BetterSource = c.betterSource(r, cited)
	}
	v.Because = because(v, f)
	return v
}

// cited returns the documents behind the citations, each once, in the order of the citations.
func (c *Checker) cited(citations []Citation) []*document {
	var out []*document
	for _, ct := range citations {
		if i, ok := c.byID[ct.SourceID]; ok && !slices.Contains(out, c.docs[i]) && len(out) < maxCited {
			out = append(out, c.docs[i])
		}
	}
	return out
}

// betterSource returns a document, not among the cited ones, that grounds the claim by itself.
func (c *Checker) betterSource(r reading, cited []*document) string {
	const candidates = 3
	type rated struct {
		doc    *document
		weight float64
	}
	var best []rated
	for _, d := range c.docs {
		if slices.Contains(cited, d) {
			continue
		}
		w := 0.0
		for _, t := range r.terms {
			if id, ok := c.vocabulary.ids[t.term]; ok && len(d.postings[id]) > 0 {
				w += t.prior
			}
		}
		if w == 0 {
			continue
		}
		best = append(best, rated{d, w})
	}
	slices.SortStableFunc(best, func(a, b rated) int { return cmp.Compare(b.weight, a.weight) })
	id, top := "", 0.0
	for _, b := range best[:min(len(best), candidates)] {
		if f := c.assessTogether(r, []*document{b.doc}); f.support >= groundedFrom && !f.vetoed && f.support > top {
			id, top = b.doc.ID, f.support
		}
	}
	return id
}
