package grounding

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Checker compares claims with sources. It is made once and then safe for concurrent use.
type Checker struct {
	docs       []*document
	byID       map[string]int
	vocabulary vocabulary
	search     func() *passages.Index // built when first asked
	holders    func() [][]int32       // term -> the documents that have it, ascending; built when first asked
	memories   sync.Pool              // of *memory
}

// NewChecker reads the sources. The last of several with one id counts.
func NewChecker(sources []Source) *Checker {
	return (&Checker{}).With(sources)
}

// With returns a checker of the checker's sources and further ones. It reads the further ones only, unless one has the id of a
// source that is there, which it replaces. The checker itself does not change.
func (c *Checker) With(sources []Source) *Checker {
	if slices.ContainsFunc(sources, func(s Source) bool { _, known := c.byID[s.ID]; return known }) {
		var all []Source
		for _, d := range c.docs {
			all = append(all, d.Source)
		}
		return NewChecker(append(all, sources...))
	}
	out := &Checker{docs: slices.Clone(c.docs), byID: make(map[string]int, len(c.byID)+len(sources)), vocabulary: c.vocabulary.extended()}
	maps.Copy(out.byID, c.byID)
	last := make(map[string]int, len(sources))
	for i, s := range sources {
		last[s.ID] = i
	}
	for i, s := range sources {
		if last[s.ID] != i {
			continue
		}
		out.byID[s.ID] = len(out.docs)
		out.docs = append(out.docs, newDocument(s, &out.vocabulary))
	}
	out.vocabulary.release()
	out.search = sync.OnceValue(out.buildSearch)
	out.holders = sync.OnceValue(out.buildHolders)
	return out
}

// Source returns the source with an id.
func (c *Checker) Source(id string) (Source, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Source{}, false
	}
	return c.docs[i].Source, true
}

const (
	// maxCited bounds the sources that one claim is compared with; further citations add nothing to it.
	maxCited = 40
	// verbatimSupport is the support of a claim that is in a source letter for letter.
	verbatimSupport = 0.98
	verbatimLogit   = 3.8918202981106265 // log(0.98 / 0.02)
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
	defer c.release(mem)
	r := mem.reading
	if len(r.terms)+len(r.numbers) == 0 {
		return Verdict{Status: Unsupported, Confidence: 1, Flags: []string{FlagEmptyClaim}, Because: "The claim has no words that could be checked."}
	}
	f := c.assess(claim, r, cited, mem)
	quotes := c.quotes(claim.Citations)
	if quotes.restate(r.text) { // the claim is the quote, as an edition of its source has it
		f.verbatim = quotes.at
		f.alone = []*document{c.docs[c.byID[quotes.at.SourceID]]}
	}
	v := f.verdict()
	quotes.apply(&v)
	v.IndependentOrigins = c.origins(f, v.Status)
	v.Flags = append(v.Flags, c.originFlags(v, f)...)
	if len(f.alone) == 0 {
		v.BetterSource = c.betterSource(f, cited, mem)
	}
	v.Because = because(v, f)
	return v
}

// memory is what one check leaves to the next: stems, and, where the next is of the same claim with other
// citations, what the claim says and which sources ground it. It saves time and changes nothing.
type memory struct {
	analyzer passages.Analyzer
	claim    string
	reading  reading
	rated    []ratedSource      // made when first asked
	alone    map[*document]bool // whether a document grounds the claim by itself
	readers  map[string]*reader // by language
}

// reader takes texts of a language apart.
func (m *memory) reader(language string) *reader {
	r, ok := m.readers[language]
	if !ok {
		r = newReader(language)
		if m.readers == nil {
			m.readers = make(map[string]*reader)
		}
		m.readers[language] = r
	}
	return r
}

func (c *Checker) memory(claim string) *memory {
	mem, ok := c.memories.Get().(*memory)
	if !ok {
		mem = new(memory)
	}
	if mem.claim != claim || mem.alone == nil {
		mem.claim, mem.rated, mem.alone = claim, nil, make(map[*document]bool)
		mem.reading = readClaim(claim, &mem.analyzer)
		mem.reading.workings = newWorkings(mem.reading)
	}
	return mem
}

// release keeps mem for the next check, without what only this one needed: a claim may be compared with every source.
func (c *Checker) release(mem *memory) {
	clear(mem.reading.workings.documents)
	for _, r := range mem.readers {
		r.arena.reset()
	}
	c.memories.Put(mem)
}

// cited returns the documents that the citations name, each once, in the order of the citations.
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

// ratedSource is a document that has enough of a claim's words to be asked whether it grounds the claim.
type ratedSource struct {
	doc    *document
	weight float64
}

// rate lists the documents with betterShare of the claim's words, the most first.
func (c *Checker) rate(r reading) []ratedSource {
	total := 0.0
	for _, t := range r.terms {
		total += t.prior
	}
	weights := make([]float64, len(c.docs))
	holders := c.holders()
	for i, id := range c.termIDs(r) {
		if id < 0 {
			continue
		}
		for _, n := range holders[id] {
			weights[n] += r.terms[i].prior
		}
	}
	rated := []ratedSource{} // not nil: it is known that there are none
	for n, w := range weights {
		if w >= betterShare*total && w > 0 {
			rated = append(rated, ratedSource{c.docs[n], w})
		}
	}
	slices.SortStableFunc(rated, func(a, b ratedSource) int { return cmp.Compare(b.weight, a.weight) })
	return rated[:min(len(rated), maxCited+betterCandidates)] // cited ones are passed over
}

func (c *Checker) buildHolders() [][]int32 {
	holders := make([][]int32, len(c.vocabulary.terms))
	for n, d := range c.docs {
		for id := range d.postings {
			holders[id] = append(holders[id], int32(n))
		}
	}
	return holders
}

// betterCandidates is how many documents are asked (chosen).
const betterCandidates = 3

// betterSource returns a document, not among the cited ones, that grounds the claim by itself.
func (c *Checker) betterSource(f finding, cited []*document, mem *memory) string {
	if mem.rated == nil {
		mem.rated = c.rate(f.m.claim)
	}
	asked := 0
	for _, b := range mem.rated {
		if asked == betterCandidates {
			break
		}
		if slices.Contains(cited, b.doc) {
			continue
		}
		asked++
		grounds, known := mem.alone[b.doc]
		if !known {
			m := c.compare(f.m.claim, []*document{b.doc})
			grounds = m.verbatim() != nil || len(m.windows) > 0 && m.windows[0].weight >= betterWindow && f.k.closest(m).grounds()
			mem.alone[b.doc] = grounds
		}
		if grounds {
			return b.doc.ID
		}
	}
	return ""
}
