package grounding

import (
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// The costs of an alignment: what it takes to leave a word of the claim without a counterpart, against matching it
// far from the words beside it. Chosen.
const (
	skipContent  = 4.0
	skipFunction = 0.25
	stepCost     = 0.12 // a token of the passage that is passed over
	mostSteps    = 1.6
	backCost     = 1.2
	sentenceCost = 0.8
)

// alignment pairs the tokens of a claim with tokens of a passage.
type alignment struct {
	claim, passage *wording
	at             []int  // by token of the claim: token of the passage, -1 for none
	taken          []bool // by token of the passage
}

// aligner is the scratch of align. It belongs to one comparer and is used again for each passage.
type aligner struct {
	keys   map[string]int // of the claim's tokens, numbered
	places [][]int        // by number of a key: tokens of the passage that have it
	states []alignState   // of all layers, one layer after the other
	layers []int          // where each layer begins
	state  []int          // by token of the passage: its state in the last layer, -1 for none
	found  []candidate
}

// alignState is a way to match the tokens of a claim up to one of them. A layer repeats the states of the layer before at the
// same places and adds to them.
type alignState struct {
	pos     int // token of the passage last matched, -1 before the first
	cost    float64
	back    int  // the state before, in the layer before
	matched bool // this token of the claim, at pos
}

// index lists the tokens of a passage by the keys of the claim.
func (a *aligner) index(claim, passage *wording) {
	if a.keys == nil {
		a.keys = make(map[string]int)
		for i := range claim.tokens {
			for _, key := range claim.tokens[i].keys {
				if _, known := a.keys[key]; !known {
					a.keys[key] = len(a.keys)
				}
			}
		}
		a.places = make([][]int, len(a.keys))
	}
	for i := range a.places {
		a.places[i] = a.places[i][:0]
	}
	for i := range passage.tokens {
		for _, key := range passage.tokens[i].keys {
			if n, ok := a.keys[key]; ok {
				a.places[n] = append(a.places[n], i)
			}
		}
	}
}

// align finds the pairing in which matched words appear in the passage as they do in the claim.
func (k *comparer) align(passage *wording) *alignment {
	claim, s := k.claim, &k.aligner
	a := &alignment{claim: claim, passage: passage, at: make([]int, len(claim.tokens)), taken: make([]bool, len(passage.tokens))}
	s.index(claim, passage)
	s.states = append(s.states[:0], alignState{pos: -1})
	s.layers = append(s.layers[:0], 0)
	s.state = s.state[:0]
	for range passage.tokens {
		s.state = append(s.state, -1)
	}
	for i := range claim.tokens {
		t := &claim.tokens[i]
		skip := skipContent
		if t.function || t.speech {
			skip = skipFunction
		}
		from, to := s.layers[i], len(s.states)
		s.layers = append(s.layers, to)
		for b := range to - from {
			before := &s.states[from+b]
			s.states = append(s.states, alignState{pos: before.pos, cost: before.cost + skip, back: b})
		}
		for _, c := range k.candidates(i, passage) {
			best := alignState{pos: c.at, cost: math.Inf(1), matched: true}
			for b, before := range s.states[from:to] {
				if before.pos == c.at && !c.shared {
					continue
				}
				if cost := before.cost + c.cost + passage.jump(before.pos, c.at); cost < best.cost {
					best.cost, best.back = cost, b
				}
			}
			if math.IsInf(best.cost, 1) {
				continue
			}
			if n := s.state[c.at]; n < 0 {
				s.state[c.at] = len(s.states) - to
				s.states = append(s.states, best)
			} else if best.cost < s.states[to+n].cost {
				s.states[to+n] = best
			}
		}
	}
	last := s.states[s.layers[len(claim.tokens)]:]
	n := 0
	for j := range last {
		if last[j].cost < last[n].cost {
			n = j
		}
	}
	for i := len(claim.tokens) - 1; i >= 0; i-- {
		end := s.states[s.layers[i+1]+n]
		a.at[i] = -1
		if end.matched {
			a.at[i] = end.pos
			a.taken[end.pos] = true
		}
		n = end.back
	}
	return a
}

// jump is the cost of matching neighbouring words of the claim at tokens p and then q.
func (w *wording) jump(p, q int) float64 {
	if p < 0 {
		return 0
	}
	cost := 0.0
	if w.tokens[p].sentence != w.tokens[q].sentence {
		cost = sentenceCost
	}
	switch d := q - p; {
	case d > 0:
		return cost + min(mostSteps, stepCost*float64(d-1))
	case d == 0:
		return 0
	default:
		return cost + backCost + min(mostSteps, stepCost*float64(-d-1))/2
	}
}

// candidate is a token of a passage that can stand for one of the claim.
type candidate struct {
	at     int
	cost   float64
	shared bool // several words of the claim may match it: an abbreviation and its words
}

const maxPlaces = 24

// candidates lists the tokens of a passage that can stand for token i of the claim; the list holds until the next call.
func (k *comparer) candidates(i int, passage *wording) []candidate {
	t := &k.claim.tokens[i]
	places := func(key string) []int { return k.aligner.places[k.aligner.keys[key]] }
	out := k.aligner.found[:0]
	defer func() { k.aligner.found = out }()
	add := func(at int, cost float64, shared bool) {
		for j := range out {
			if out[j].at == at {
				out[j].cost = min(out[j].cost, cost)
				out[j].shared = out[j].shared || shared
				return
			}
		}
		if len(out) < maxPlaces {
			out = append(out, candidate{at, cost, shared})
		}
	}
	if t.number > 0 {
		q := &k.claim.numbers[t.number-1]
		for j := range passage.tokens {
			if n := passage.tokens[j].number; n > 0 && (k.equalNumbers(q, &passage.numbers[n-1]) || k.parted(k.claim, i, passage, j) || k.parted(passage, j, k.claim, i)) {
				add(j, 0, false)
			}
		}
		if len(out) == 0 && !q.word {
			for _, at := range places(t.keys[0]) {
				if passage.tokens[at].number == 0 {
					add(at, 0.1, false)
				}
			}
		}
		return out
	}
	for n, key := range t.keys {
		for _, at := range places(key) {
			p := &passage.tokens[at]
			if p.number > 0 {
				continue
			}
			cost := 0.0
			switch {
			case n > 0 || key != p.keys[0]:
				cost = 0.3
			case p.fold != t.fold:
				cost = 0.05
			}
			add(at, cost, n > 0)
		}
	}
	if len(out) == 0 && i > 1 && k.claim.tokens[i-2].number > 0 {
		for j := range passage.tokens {
			if k.parted(k.claim, i-2, passage, j) {
				add(j, 0.1, true)
			}
		}
	}
	if len(out) > 0 || t.function || t.operator > 0 || t.han {
		return out
	}
	for j := range passage.tokens {
		p := &passage.tokens[j]
		if p.number == 0 && !p.function && p.fold != t.fold && k.related(t, p) {
			add(j, 0.4, false)
		}
	}
	return out
}

// parted reports whether number i of a text, a phrase of the order of days and a unit are what number j of another text
// says: "nine consecutive days", "nine days in a row".
func (k *comparer) parted(w *wording, i int, other *wording, j int) bool {
	if i+2 >= len(w.tokens) || other.tokens[j].number == 0 || w.tokens[i+2].segment != w.tokens[i].segment ||
		!slices.ContainsFunc(w.tokens[i+1].keys, func(key string) bool { return strings.HasPrefix(key, "=adverb:") }) {
		return false
	}
	unit, known := k.claims.lexicon.Is(lexicon.Unit, w.tokens[i+2].word)
	n, whole := &w.numbers[w.tokens[i].number-1], &other.numbers[other.tokens[j].number-1]
	return known && !n.amount() && whole.amount() && unit.Name == whole.unitName && n.value == whole.written && n.relation == whole.relation
}

// equalNumbers reports whether the passage's number is what the claim says.
func (k *comparer) equalNumbers(claim, text *quantity) bool {
	if claim.kind == ordinal || text.kind == ordinal {
		return claim.kind == text.kind && claim.value == text.value
	}
	return claim.matchesNumber(text) && claim.bounded(text)
}

// related reports whether the words of two tokens are forms of one, or a listed pair. It remembers the last pairs of words.
func (k *comparer) related(a, b *token) bool {
	if a.form == 0 || b.form == 0 {
		return k.relatedWords(a.word, b.word)
	}
	if k.claims.pairs == nil {
		k.claims.pairs = make([]wordPair, rememberedPairs)
	}
	pair := &k.claims.pairs[uint(a.form*31+b.form)%rememberedPairs]
	if pair.a != a.form || pair.b != b.form {
		*pair = wordPair{a.form, b.form, k.relatedWords(a.word, b.word)}
	}
	return pair.related
}

// rememberedPairs is about how many pairs of words one claim is compared by.
const rememberedPairs = 1 << 15

// wordPair says whether two words are related, by the numbers of their forms.
type wordPair struct {
	a, b    int32
	related bool
}

const leastCommon = 5 // letters by which two forms of a word begin alike

func (k *comparer) relatedWords(a, b string) bool {
	if plural(a, b) || plural(b, a) {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	switch {
	case k.synonymous(a, b):
	case n >= leastCommon && len(a)-n <= 4 && len(b)-n <= 4 && 3*n >= 2*max(len(a), len(b)):
	case n >= leastCommon-1 && k.claims.lexicon.Derived(a, b):
	case slices.Contains(aliasesOf(passages.Fold(a)), passages.Fold(b)):
	case k.claims.language == "de" && (compoundOf(a, b) || compoundOf(b, a)):
	default:
		return false
	}
	return !k.opposed(a, b) && k.superlative(a) == k.superlative(b)
}

// superlative reports whether an English word is one: "largest" says more than "large" and "big".
func (k *comparer) superlative(word string) bool {
	if k.claims.language != "en" || !strings.HasSuffix(word, "est") {
		return false
	}
	bases := k.bases(word)
	return len(bases) > 0 && !slices.Contains(bases, word)
}

// opposed reports whether two words are opposites.
func (k *comparer) opposed(a, b string) bool {
	return k.claims.lexicon.Opposed(a, b) || slices.ContainsFunc(k.bases(b), func(w string) bool { return slices.Contains(k.antonyms(a), w) })
}

// synonymous reports whether a base form of b is among the synonyms of a.
func (k *comparer) synonymous(a, b string) bool {
	list := k.synonyms(a)
	return len(list) > 0 && slices.ContainsFunc(k.bases(b), func(w string) bool { return list[w] })
}

// synonyms lists what says the same as a word of the claim in most contexts, in base form.
func (k *comparer) synonyms(word string) map[string]bool {
	list, known := k.same[word]
	if !known {
		list = make(map[string]bool)
		for _, w := range k.claims.lexicon.Synonyms(word) {
			list[lexicon.Fold(w)] = true
		}
		k.same[word] = list
	}
	return list
}

func (k *comparer) antonyms(word string) []string {
	list, known := k.against[word]
	if !known {
		list = k.claims.lexicon.Antonyms(word)
		k.against[word] = list
	}
	return list
}

// maxRemembered bounds the words of which a reader remembers the base forms.
const maxRemembered = 50_000

// bases lists the base forms of a word of a passage.
func (k *comparer) bases(word string) []string {
	base := k.claims.base
	list, known := base[word]
	if !known {
		list = k.claims.lexicon.Bases(word)
		if len(base) < maxRemembered {
			base[word] = list
		}
	}
	return list
}

// plural reports whether a is b with a plural's ending.
func plural(a, b string) bool {
	return len(b) >= 3 && strings.HasPrefix(a, b) && (a[len(b):] == "s" || a[len(b):] == "es")
}

// compoundOf reports whether a German word ends with another: Schwarzwildbestand, Bestand.
func compoundOf(long, short string) bool {
	return len(short) >= 6 && len(long) >= len(short)+3 && strings.HasSuffix(long, short)
}
