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
	memories   sync.Pool              // of *memory
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
	verbatimLogit   = 3.8918202981106265 // log(0.98 / 0.02)
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
	mem := c.memory(claim.Text)
	defer c.memories.Put(mem)
	r := readClaim(claim.Text, &mem.analyzer)
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
		v.BetterSource = c.betterSource(r, cited, mem)
	}
	v.Because = because(v, f)
	return v
}

// memory is what one check leaves to the next: stems, and, where the next is of the same claim with other
// citations, which sources ground it. It saves time and changes nothing.
type memory struct {
	analyzer passages.Analyzer
	claim    string
	alone    map[*document]float64 // support where a document grounds the claim by itself, else 0
}

func (c *Checker) memory(claim string) *memory {
	mem, ok := c.memories.Get().(*memory)
	if !ok {
		mem = new(memory)
	}
	if mem.claim != claim || mem.alone == nil {
		mem.claim, mem.alone = claim, make(map[*document]float64)
	}
	return mem
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

// betterShare is how much of a claim's words a text must have to be asked whether it grounds the claim: with less
// it cannot reach the threshold.
const betterShare = 0.5

// betterWindow is the same for its best window, hardly ever less in a claim that is called grounded.
const betterWindow = 0.4

// betterSource returns a document, not among the cited ones, that grounds the claim by itself.
func (c *Checker) betterSource(r reading, cited []*document, mem *memory) string {
	const candidates = 3
	type rated struct {
		doc    *document
		weight float64
	}
	var best []rated
	total := 0.0
	ids := make([]int32, len(r.terms)) // -1: no source has the word
	for i, t := range r.terms {
		total += t.prior
		ids[i] = -1
		if id, ok := c.vocabulary.ids[t.term]; ok {
			ids[i] = id
		}
	}
	for _, d := range c.docs {
		w := 0.0
		for i, id := range ids {
			if id >= 0 && len(d.postings[id]) > 0 {
				w += r.terms[i].prior
			}
		}
		if w >= betterShare*total && w > 0 && !slices.Contains(cited, d) {
			best = append(best, rated{d, w})
		}
	}
	slices.SortStableFunc(best, func(a, b rated) int { return cmp.Compare(b.weight, a.weight) })
	id, top := "", 0.0
	for _, b := range best[:min(len(best), candidates)] {
		support, known := mem.alone[b.doc]
		if !known {
			support = c.groundsAlone(r, b.doc)
			mem.alone[b.doc] = support
		}
		if support > top {
			id, top = b.doc.ID, support
		}
	}
	return id
}

// groundsAlone returns the support that a document gives a claim by itself, 0 if it does not ground it.
func (c *Checker) groundsAlone(r reading, d *document) float64 {
	m := c.compare(r, []*document{d})
	if len(m.windows) == 0 || m.windows[0].weight < betterWindow {
		return 0
	}
	if f := assessed(m); f.support >= groundedFrom && !f.vetoed {
		return f.support
	}
	return 0
}
