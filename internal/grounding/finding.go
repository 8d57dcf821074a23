package grounding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// finding is a claim's comparison with documents and what follows from it.
type finding struct {
	m        *comparison
	support  float64
	vetoed   bool
	flags    []string
	verbatim *Evidence
	alone    []*document // with several documents: those that support the claim by themselves
}

// assess compares a claim with documents, together and, if there are several, each alone.
func (c *Checker) assess(r reading, docs []*document) finding {
	f := c.assessTogether(r, docs)
	if len(docs) == 1 {
		if f.support >= groundedFrom {
			f.alone = docs
		}
		return f
	}
	for _, d := range docs {
		if one := c.assessTogether(r, []*document{d}); one.support >= groundedFrom {
			f.alone = append(f.alone, d)
		}
	}
	return f
}

func (c *Checker) assessTogether(r reading, docs []*document) finding {
	return assessed(c.compare(r, docs))
}

// assessed draws from a comparison what follows from it.
func assessed(m *comparison) finding {
	f := finding{m: m}
	if f.verbatim = m.verbatim(); f.verbatim != nil {
		f.support = verbatimSupport
		return f
	}
	veto, flags := f.m.vetoes()
	f.support = f.m.support(veto)
	f.flags = flags
	f.vetoed = veto < 0
	if n, ok := f.m.elsewhere(); ok && !f.vetoed {
		f.support = min(f.support, elsewhereSupport)
		f.flags = append(f.flags, fmt.Sprintf("%s: %q is not in the passage that says the rest", FlagNameElsewhere, n))
	}
	return f
}

// verbatim finds a claim that stands in a document letter for letter.
func (m *comparison) verbatim() *Evidence {
	w := m.claim.workings
	if len(w.letters) < minVerbatimLetters {
		return nil
	}
	for i, d := range m.docs {
		if e := w.verbatimIn(m.coverages[i], d); e != nil {
			found := *e
			return &found
		}
	}
	return nil
}

func (f finding) verdict() Verdict {
	v := Verdict{Status: Unsupported, Support: f.support, Flags: slices.Clone(f.flags), Missing: f.m.missing()}
	switch {
	case f.support >= groundedFrom && !f.vetoed && len(f.alone) > 0:
		v.Status = Grounded
	case f.support >= inferredFrom && !f.vetoed, f.scattered():
		v.Status = Inferred
	}
	for _, w := range f.m.chosen {
		v.Passages = append(v.Passages, f.m.docs[w.doc].evidence(w.first, w.last))
	}
	if f.verbatim != nil {
		v.Missing = nil
		v.Passages = f.verbatimFirst(v.Passages)
	}
	if len(v.Passages) > 0 {
		first := v.Passages[0]
		v.Passage = &first
		if v.Status != Unsupported {
			v.SourceID = first.SourceID
		}
	}
	v.Confidence = confidence(v.Status, v.Support)
	return v
}

// verbatimFirst puts the sentences around the verbatim words in front.
func (f finding) verbatimFirst(list []Evidence) []Evidence {
	out := []Evidence{*f.verbatim}
	for _, e := range list {
		if len(out) < MaxPassages && (e.SourceID != f.verbatim.SourceID || e.End <= f.verbatim.Start || f.verbatim.End <= e.Start) {
			out = append(out, e)
		}
	}
	return out
}

// scattered reports whether the parts of the claim all stand in the documents, only not together.
func (f finding) scattered() bool {
	const nearlyAll = 0.85
	return !f.vetoed && len(f.m.chosen) > 1 && f.m.weightOf(f.m.combined) >= nearlyAll
}

// confidence says how sure a status is: a probability for grounded and unsupported, and for inferred how far
// the support is from both thresholds.
func confidence(s Status, support float64) float64 {
	switch s {
	case Grounded:
		return support
	case Unsupported:
		return 1 - support
	}
	middle := (groundedFrom + inferredFrom) / 2
	half := (groundedFrom - inferredFrom) / 2
	return max(0.3, 1-0.5*min(1, math.Abs(support-middle)/half))
}

// maxMissing bounds Verdict.Missing.
const maxMissing = 8

// missing lists what of the claim none of the chosen passages has, heaviest first.
func (m *comparison) missing() []string {
	var lacking []unit
	for i, u := range m.units {
		if !m.combined.has(i) {
			lacking = append(lacking, u)
		}
	}
	slices.SortStableFunc(lacking, func(a, b unit) int { return cmp.Compare(b.weight, a.weight) })
	var out []string
	for _, u := range lacking[:min(len(lacking), maxMissing)] {
		if u.number {
			q := m.claim.numbers[u.index]
			out = append(out, strings.TrimSpace(m.claim.text[q.start:q.end]))
			continue
		}
		out = append(out, m.claim.terms[u.index].surface)
	}
	return out
}
