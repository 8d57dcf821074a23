package review

import (
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

// change is one way to make a true sentence false. It returns what the sentence may become, in the order of the
// text; none where the sentence offers nothing.
type change struct {
	kind grounding.DifferenceKind
	make func(w *writer, b base, near string) []string
}

// changes are all generators. near is the text that the reader will see around the sentence: a value or name that is
// in it may be true of something else there, but the changed sentence must not be.
func changes() []change {
	return []change{
		{grounding.DifferentNumber, otherNumbers},
		{grounding.DifferentUnit, bySwaps("unit")},
		{grounding.DifferentRate, bySwaps("rate")},
		{grounding.DifferentNegation, bySwaps("negation")},
		{grounding.DifferentDirection, bySwaps("opposite")},
		{grounding.DifferentQuantifier, bySwaps("quantifier")},
		{grounding.DifferentQuantifier, bySwaps("bound")},
		{grounding.DifferentCertainty, bySwaps("certainty")},
		{grounding.DifferentName, otherNames},
		{grounding.DifferentRole, swappedNames},
		{grounding.DifferentBinding, swappedNumbers},
	}
}

// afterPlanted: a reader who remembers another variant of a sentence would see what was changed. Chosen.
const afterPlanted = 300

// items makes planted errors and controls by turns, so that both are made from bases of all distances.
func (w *writer) items(wrong, right int) (planted, controls []Item) {
	p := w.maker(afterPlanted, w.planter())
	c := w.maker(0, func(b base, want shape) (Item, bool) { return w.control(b, want, true) })
	for i := range max(wrong, right) {
		if i < wrong {
			p.next()
		}
		if i < right {
			c.next()
		}
	}
	// Sentences in which nothing can be said otherwise are taken only where others are missing.
	c.make = func(b base, want shape) (Item, bool) { return w.control(b, want, false) }
	for range right - len(c.out) {
		c.next()
	}
	return p.out, c.out
}

// planter makes planted errors, of as many kinds as the sentences allow.
func (w *writer) planter() func(base, shape) (Item, bool) {
	kinds := changes()
	shuffle(w.random, kinds)
	turn := 0
	return func(b base, want shape) (Item, bool) {
		// Each kind has its turn; a sentence that does not offer the kind of this turn offers another.
		for i := range kinds {
			c := kinds[(turn+i)%len(kinds)]
			if claim, ok := w.falsify(c, b, want); ok {
				turn += i + 1
				return Item{Role: RolePlanted, Kind: c.kind, Claim: claim, Base: b.text, Passages: w.shown(claim, b, want)}, true
			}
			if i == 2 && len(w.bases) > maxTries && !b.supported && !w.loose {
				return Item{}, false // a nearer fit of another sentence before a rarer kind of this one
			}
		}
		return Item{}, false
	}
}

// falsify changes a sentence. What the wording check would ground after all is no planted error.
func (w *writer) falsify(c change, b base, want shape) (string, bool) {
	around := w.around(b, want)
	trimmed := b
	if !b.claim {
		trimmed.text = w.trim(b)
	}
	made := c.make(w, trimmed, around)
	shuffle(w.random, made)
	for _, m := range made {
		m = strings.Join(strings.Fields(m), " ")
		if m == "" || m == b.text || strings.Contains(around, m) || w.grounds(m, b.sourceIDs) {
			continue
		}
		if b.claim && !b.supported { // already in its author's words
			return m, true
		}
		if m = w.reword(m, b, 1); !w.shownBefore[m] {
			return m, true
		}
	}
	return "", false
}

// around is what the reader will see about a base.
func (w *writer) around(b base, want shape) string {
	windows := []Passage{w.texts.window(b.at, wideWindows[0])}
	if in(want.passages, b.at) {
		windows = append(windows, want.passages...)
	} else if at := w.shared.has(b.at); at >= 0 {
		windows = append(windows, w.shared.shown[at])
	}
	if b.supported { // what decides may be in any of its passages
		windows = append(windows, w.texts.passages(b.text, b.sourceIDs)...)
	}
	var out []string
	for _, p := range windows {
		out = append(out, p.Heading, p.Text)
	}
	return strings.Join(out, "\n")
}

func (w *writer) control(b base, want shape, reworded bool) (Item, bool) {
	claim := b.text
	if !b.claim {
		claim = w.trim(b)
	}
	if !b.claim || b.supported {
		claim = w.reword(claim, b, 0)
		if reworded && strings.Contains(b.text, strings.TrimRight(claim, ".。")) && w.intn(4) > 0 {
			return Item{}, false
		}
	}
	if w.shownBefore[claim] {
		return Item{}, false
	}
	return Item{Role: RoleControl, Claim: claim, Base: b.text, Passages: w.shown(claim, b, want)}, true
}
