package loops

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// originalsPerClaim bounds the sources of one claim that are shown.
	originalsPerClaim = 3
	// originalsContext is how many code points of the text are shown before and after a passage that decided a verdict, so
	// that a critic sees the neighbouring sentences.
	originalsContext = 60
	// openingChars is how many code points of a text without a matching passage are shown.
	openingChars = 250
	// leastOriginal is the minimum cost of a passage in tokens.
	leastOriginal = 50
	// originalHeader is the cost in tokens of the line above a passage and of its fence.
	originalHeader = 30
	// maxOriginalSearches bounds the searches of one prompt. About ten passages use up its budget.
	maxOriginalSearches = 50
)

// OriginalsWanted is the input of Originals.
type OriginalsWanted struct {
	Sources []loopstate.Source
	Claims  []loopstate.Claim
	Topics  []string // the question and its parts
}

// OriginalsOf returns what the prompt of a loop wants.
func OriginalsOf(st *loopstate.State) OriginalsWanted {
	w := OriginalsWanted{Sources: slices.Clone(st.Sources), Claims: st.CurrentClaims()}
	if g, ok := st.Target(); ok {
		w.Topics = append(w.Topics, g.Gap, g.Query)
	}
	w.Topics = append(w.Topics, Subjects(st.Query)...)
	w.Topics = append(w.Topics, st.Query)
	for _, d := range FirstOf(st.Dimensions, promptFewItems) {
		w.Topics = append(w.Topics, d.Dimension)
	}
	w.Topics = append(w.Topics, FirstOf(st.Rubrics, promptFewItems)...)
	for _, x := range FirstOf(st.Contradictions, promptFewItems) {
		w.Topics = append(w.Topics, x.Topic)
	}
	w.Topics = slices.DeleteFunc(w.Topics, func(t string) bool { return t == "" })
	return w
}

// Originals picks verbatim passages of the stored texts within a budget in tokens. With half of the budget, it picks those
// that decided the verdicts, or the best one of each source that a claim cites; then the best one for each part of the
// question, one of each source without a passage, the remaining claims, and more for the question. The result is sorted by
// source and position. load returns the text of a source.
func Originals(w OriginalsWanted, index *passage.Index, load func(loopstate.Source) (string, error), budget int) ([]prompts.Passage, error) {
	p := &picker{sources: map[string]loopstate.Source{}, texts: map[string][]rune{}, left: budget,
		load: load}
	for _, src := range w.Sources {
		p.sources[src.ID] = src
	}
	searches := 0
	p.find = func(query string, n int, ids ...string) (out []prompts.Passage) {
		if searches++; searches > maxOriginalSearches || p.left < leastOriginal {
			return nil
		}
		for _, r := range index.Search(query, n, Among(ids)) {
			out = append(out, prompts.Passage{SourceID: r.Doc, Start: r.Passage.Start, End: r.Passage.End})
		}
		return out
	}
	waiting := p.forClaims(w.Claims, budget/2)
	p.forTopics(w.Topics, 1)
	p.forSources(w.Sources, w.Topics)
	p.forClaims(waiting, 0)
	p.forTopics(w.Topics, MaxPassages)
	return p.passages(), p.err
}

// picker collects passages while they fit.
type picker struct {
	sources map[string]loopstate.Source
	texts   map[string][]rune
	load    func(loopstate.Source) (string, error)
	find    func(query string, n int, sourceIDs ...string) []prompts.Passage
	picked  []prompts.Passage
	left    int   // tokens
	err     error // of load
}

// forClaims picks passages for claims until no more than keep tokens are left. It returns the remaining claims.
func (p *picker) forClaims(claims []loopstate.Claim, keep int) []loopstate.Claim {
	for i, c := range claims {
		if p.left <= keep || p.err != nil {
			return claims[i:]
		}
		decided := ""
		if c.Check != nil && c.Check.End > c.Check.Start {
			decided = c.Check.SourceID
			p.add(p.around(prompts.Passage{SourceID: decided, Start: c.Check.Start, End: c.Check.End, Claims: []string{c.ID}}))
		}
		for _, id := range FirstOf(c.SourceIDs, originalsPerClaim) { // a passage of each source
			if id == decided {
				continue
			}
			for _, found := range p.find(c.Claim, 1, id) {
				found.Claims = []string{c.ID}
				p.add(found)
			}
		}
	}
	return nil
}

// forTopics picks the n best passages for each part of the question.
func (p *picker) forTopics(topics []string, n int) {
	for _, topic := range topics {
		for _, found := range p.find(topic, n) {
			p.add(found)
		}
	}
}

// forSources picks a passage of each source that has none yet, newest first: the best one for the question, or the start of
// the text if it has no word of the question, as in another language.
func (p *picker) forSources(sources []loopstate.Source, topics []string) {
	for _, src := range slices.Backward(sources) {
		if p.left < leastOriginal || p.err != nil {
			return
		}
		if src.DuplicateOf != "" || slices.ContainsFunc(p.picked, func(q prompts.Passage) bool { return q.SourceID == src.ID }) {
			continue
		}
		var found []prompts.Passage
		if len(topics) > 0 {
			found = p.find(topics[0], 1, src.ID)
		}
		if len(found) == 0 {
			found = []prompts.Passage{p.around(prompts.Passage{SourceID: src.ID, End: min(openingChars, len(p.text(src.ID)))})}
		}
		p.add(found[0])
	}
}

// text returns the text of a source, or nil for an unknown one and after an error.
func (p *picker) text(id string) []rune {
	src, known := p.sources[id]
	if t, ok := p.texts[id]; ok || !known || p.err != nil {
		return t
	}
	var text string
	if text, p.err = p.load(src); p.err == nil {
		p.texts[id] = []rune(text)
	}
	return p.texts[id]
}

// around extends a passage on both sides, to the next white space if one is near.
func (p *picker) around(at prompts.Passage) prompts.Passage {
	text := p.text(at.SourceID)
	if at.End > len(text) {
		return at
	}
	const near = 20
	start := max(0, at.Start-originalsContext)
	for i := start; start > 0 && i < min(start+near, at.Start); i++ {
		if unicode.IsSpace(text[i]) {
			start = i + 1
			break
		}
	}
	end := min(len(text), at.End+originalsContext)
	for i := end; end < len(text) && i > max(end-near, at.End); i-- {
		if unicode.IsSpace(text[i-1]) {
			end = i - 1
			break
		}
	}
	at.Start, at.End = start, end
	return at
}

// add picks a passage if it fits. It merges a passage with those of the same source that it touches.
func (p *picker) add(n prompts.Passage) {
	text := p.text(n.SourceID)
	if n.Start < 0 || n.End > len(text) || n.Start >= n.End {
		return
	}
	merged, cost := n, originalHeader
	var kept []prompts.Passage
	for _, q := range p.picked {
		if q.SourceID != n.SourceID || q.Start > merged.End || q.End < merged.Start {
			kept = append(kept, q)
			continue
		}
		cost -= originalHeader + EstimateTokens(string(text[q.Start:q.End]))
		merged.Start, merged.End = min(q.Start, merged.Start), max(q.End, merged.End)
		for _, id := range q.Claims {
			if !slices.Contains(merged.Claims, id) {
				merged.Claims = append(slices.Clip(merged.Claims), id)
			}
		}
	}
	cost += EstimateTokens(string(text[merged.Start:merged.End]))
	if cost > p.left {
		return
	}
	p.left -= cost
	p.picked = append(kept, merged)
}

// passages returns the picked passages with their texts.
func (p *picker) passages() []prompts.Passage {
	numbered := map[string]*lines.Text{}
	for i := range p.picked {
		q := &p.picked[i]
		if numbered[q.SourceID] == nil {
			numbered[q.SourceID] = lines.New(string(p.texts[q.SourceID]))
		}
		q.Text = string(p.texts[q.SourceID][q.Start:q.End])
		q.Lines = lines.Ranges{numbered[q.SourceID].Lines(q.Start, q.End)}.String()
		q.Page = p.sources[q.SourceID].Pages.At(q.Start)
		slices.SortFunc(q.Claims, func(a, b string) int { return cmp.Compare(IDNumber(a), IDNumber(b)) })
	}
	slices.SortFunc(p.picked, func(a, b prompts.Passage) int {
		return cmp.Or(cmp.Compare(IDNumber(a.SourceID), IDNumber(b.SourceID)), cmp.Compare(a.Start, b.Start))
	})
	return p.picked
}
