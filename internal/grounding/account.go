package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// comparer compares one claim with passages.
type comparer struct {
	claims *reader
	claim  *wording
	given  map[string]bool // what the question says, by key
	read   map[sentenceKey]*wording

	same    map[string]map[string]bool
	against map[string][]string

	identities map[*document]map[string]bool
	frames     []lexicon.Match // phrases of attribution in the claim
	aligner    aligner
}

type sentenceKey struct {
	doc      *document
	sentence int
}

func newComparer(claim Claim, reader *reader) *comparer {
	k := &comparer{claims: reader, same: make(map[string]map[string]bool), against: make(map[string][]string), read: make(map[sentenceKey]*wording), given: make(map[string]bool), identities: make(map[*document]map[string]bool)}
	k.claim = k.claims.read(cutChars(stripMarks(claim.Text), maxClaimChars), 0)
	for _, m := range k.claims.lexicon.Scan(k.claim.text) {
		if m.Kind == lexicon.Attribution && m.Class == "phrase" {
			k.frames = append(k.frames, m)
		}
	}
	k.hideFrames()
	for _, t := range k.claims.read(cutChars(claim.Given, maxClaimChars), 0).tokens {
		if !t.function {
			k.given[t.keys[0]] = true
		}
	}
	return k
}

// sentence takes a sentence of a document apart, once.
func (k *comparer) sentence(d *document, n int) *wording {
	key := sentenceKey{d, n}
	w, ok := k.read[key]
	if !ok {
		w = k.claims.read(cutChars(d.sentences[n].Text, maxClaimChars), n)
		k.read[key] = w
	}
	return w
}

func (k *comparer) passage(d *document, first, last int) *wording {
	list := make([]*wording, 0, last-first+1)
	for n := first; n <= last; n++ {
		list = append(list, k.sentence(d, n))
	}
	return join(list)
}

// account says what of a claim a passage accounts for.
type account struct {
	*alignment
	k           *comparer
	doc         *document
	first, last int // sentences
	missing     []int
	label       []int // tokens of the claim that only name the source at its end
	order       []int // tokens of the claim that stand in the passage in another order than in the claim
	unsaid      []int // operators of the passage that the claim drops
	covered     float64
	weight      float64

	operatorAt []int  // by operator of the claim: of the passage, -1 for none
	used       []bool // by operator of the passage: the claim says it as well
}

// grounds reports whether the passage says all that the claim says, and nothing that changes it.
func (x *account) grounds() bool {
	return len(x.missing) == 0 && len(x.order) == 0 && len(x.unsaid) == 0
}

func (k *comparer) account(d *document, first, last int) *account {
	x := &account{k: k, doc: d, first: first, last: last}
	x.alignment = k.align(k.passage(d, first, last))
	x.matchOperators()
	x.findMissing()
	x.checkOrder()
	x.findUnsaid()
	x.order = append(x.order, x.otherParts()...)
	return x
}

// weightOf is what a token of the claim counts for in the coverage.
func (t *token) weightOf() float64 {
	switch {
	case t.number > 0:
		return 1.5
	case t.function || t.speech:
		return 0
	case t.capital:
		return 1.3
	case t.operator > 0:
		return 0.7
	case t.han:
		return 0.5
	}
	return 1
}

const operatorReach = 7 // tokens of the passage between an operator and the word it is attached to

// matchOperators pairs the operators of the claim with those of the passage that say the same of the same words.
func (x *account) matchOperators() {
	x.operatorAt = make([]int, len(x.claim.operators))
	x.used = make([]bool, len(x.passage.operators))
	for i := range x.claim.operators {
		o := &x.claim.operators[i]
		x.operatorAt[i] = -1
		for j := o.first; j <= o.last; j++ {
			if p := x.at[j]; p >= 0 && x.passage.tokens[p].operator > 0 {
				n := x.passage.tokens[p].operator - 1
				if o.agrees(&x.passage.operators[n]) && x.attached(o, &x.passage.operators[n]) {
					x.operatorAt[i] = n
					x.used[n] = true
					break
				}
			}
		}
	}
	for i := range x.claim.operators {
		if x.operatorAt[i] >= 0 {
			continue
		}
		o := &x.claim.operators[i]
		anchor := x.anchor(o)
		if anchor < 0 {
			continue
		}
		best, distance := -1, operatorReach+1
		for n := range x.passage.operators {
			s := &x.passage.operators[n]
			if x.used[n] || !o.agrees(s) || !x.attached(o, s) || x.passage.tokens[s.first].sentence != x.passage.tokens[anchor].sentence {
				continue
			}
			if d := min(abs(s.first-anchor), abs(s.last-anchor)); d < distance {
				best, distance = n, d
			}
		}
		if best < 0 {
			best = x.awaited(o)
		}
		if best >= 0 {
			x.operatorAt[i] = best
			x.used[best] = true
			for j := o.first; j <= o.last; j++ {
				if x.at[j] < 0 {
					x.at[j] = x.passage.operators[best].first
				}
			}
		}
	}
}

// awaited finds for an "only after" of the claim the "until" of a "not … until" around the same words in the passage, and
// marks the negation as said; -1 for none.
func (x *account) awaited(o *operator) int {
	if !slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool { return e.Kind == lexicon.Condition && e.Class == "only-if" }) ||
		!slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool { return e.Kind == lexicon.Relation && e.Class == "after" }) && x.claim.tokens[o.last].fold != "after" {
		return -1
	}
	before, behind := x.matchedFrom(o.first, -1), x.matchedFrom(o.last, 1)
	for n := 1; n < len(x.passage.operators); n++ {
		not, until := &x.passage.operators[n-1], &x.passage.operators[n]
		if not.is(lexicon.Negation) && until.is(lexicon.Relation) && x.passage.tokens[until.first].fold == "until" &&
			not.last < before && before < until.first && until.last < behind && x.passage.tokens[not.first].sentence == x.passage.tokens[behind].sentence {
			x.used[n-1] = true
			return n
		}
	}
	return -1
}

// attached reports whether an operator of the passage stands in the segment of the word that one of the claim is
// attached to: "not" before another verb says something else.
func (x *account) attached(o, s *operator) bool {
	anchor := x.anchor(o)
	p := x.passage.tokens
	if anchor > 0 && s.is(lexicon.Certainty) && s.last+1 < len(p) && p[anchor].segment == p[s.last+1].segment && p[anchor].sentence == p[s.last].sentence {
		return true // "in der Lage, Korn zu mahlen"
	}
	return anchor < 0 || x.passage.tokens[anchor].segment == x.passage.tokens[s.first].segment || x.passage.tokens[anchor].segment == x.passage.tokens[s.last].segment
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// anchor is where the passage has the word that an operator of the claim is attached to: the next word of content
// in the same segment, or else the one before; -1 where it has none. A rate is attached to what stands before it.
func (x *account) anchor(o *operator) int {
	at := x.matchedFrom(o.last, 1)
	if before := x.matchedFrom(o.first, -1); at < 0 || o.is(lexicon.Rate) && before >= 0 {
		at = before
	}
	return at
}

// matchedFrom finds the counterpart of the first matched word of content on one side of a token, in its segment.
func (x *account) matchedFrom(i, step int) int {
	const reach = 6
	t := x.claim.tokens
	for n, j := 0, i+step; n < reach && j >= 0 && j < len(t) && t[j].segment == t[i].segment; n, j = n+1, j+step {
		if x.at[j] >= 0 && !t[j].function {
			return x.at[j]
		}
	}
	return -1
}

// findMissing lists the tokens of the claim that carry meaning and have no counterpart.
func (x *account) findMissing() {
	t := x.claim.tokens
	for i := range t {
		w := t[i].weightOf()
		x.weight += w
		if t[i].causes == 2 && !x.statesCause(i) {
			x.missing = append(x.missing, i)
			continue
		}
		if x.at[i] >= 0 && !x.detached(i) && !x.purpose(i) {
			x.covered += w
			continue
		}
		if t[i].function && t[i].operator == 0 && t[i].number == 0 {
			continue
		}
		if o := t[i].operator; o > 0 && t[i].number == 0 && (x.operatorAt[o-1] >= 0) {
			x.covered += w
			continue
		}
		switch {
		case t[i].speech && t[i].number == 0:
			continue
		case x.given(i):
			x.covered += w
			continue
		case x.closing(i) && x.k.generic(t[i].word): // "… the harbour page", a link's words behind the sentence
			for j := i - 1; j >= 0 && !t[j].function && x.k.known(x.doc, t[j]); j-- {
				x.label = append(x.label, j)
			}
			x.covered += w
			continue
		case x.fullName(i), x.occurs(i):
			x.covered += w
			continue
		case x.inTitle(i), x.resolved(i), x.ownPlace(i), x.ownName(i):
			x.covered += w
			continue
		}
		x.missing = append(x.missing, i)
	}
}

// given reports whether a token belongs to a phrase that only repeats a circumstance of the question, such as "in
// PostgreSQL 15" or "for a 2 TB table": from a preposition to the end of its clause or the next preposition, every word is the
// question's, and the passage has nothing else in its place.
func (x *account) given(i int) bool {
	t := x.claim.tokens
	if len(x.k.given) == 0 || !x.k.given[t[i].keys[0]] || t[i].operator > 0 || !t[i].upper && t[i].number == 0 {
		return false
	}
	first := i
	for first > 0 && t[first-1].clause == t[i].clause && !t[first].joins {
		first--
	}
	if !t[first].joins {
		return false
	}
	for j := first + 1; j < len(t) && t[j].clause == t[i].clause && !t[j].joins; j++ {
		if x.at[j] >= 0 && !t[j].function && j > i {
			break // the phrase has ended: "in PostgreSQL 15 VACUUM needs …"
		}
		if !t[j].function && x.at[j] < 0 && !x.k.given[t[j].keys[0]] {
			return false
		}
	}
	for j := range x.passage.tokens {
		switch p := &x.passage.tokens[j]; {
		case x.taken[j]:
		case t[i].number > 0 && p.number > 0:
			if _, differs := numberDifference(&x.claim.numbers[t[i].number-1], &x.passage.numbers[p.number-1]); differs {
				return false
			}
		case t[i].number == 0 && p.capital && p.number == 0 && !p.function && x.k.claims.language != "de":
			return false
		}
	}
	return true
}

// statesCause reports whether the passage states a cause where it has the words around a "because" of the claim.
func (x *account) statesCause(i int) bool {
	p := x.passage.tokens
	left, right := x.neighbour(i, -1), x.neighbour(i, 1)
	return slices.ContainsFunc(p, func(t token) bool {
		return t.causes > 0 && (left >= 0 && t.sentence == p[left].sentence || right >= 0 && t.sentence == p[right].sentence)
	})
}

// occurs reports whether token i only says that a cause came about: "because a storm came" is "because of a storm".
func (x *account) occurs(i int) bool {
	t := x.claim.tokens
	e, known := x.k.claims.lexicon.Is(lexicon.Function, t[i].word)
	if !known || e.Class != "light" || i < 2 || x.at[i-1] < 0 || i+1 < len(t) && t[i+1].segment == t[i].segment {
		return false
	}
	for j := i - 2; j >= 0 && t[j].segment == t[i].segment && t[j].function; j-- {
		if t[j].causes == 2 {
			return x.statesCause(j)
		}
	}
	return false
}

// purpose reports whether the passage has a verb of the claim as what something is meant for: "um sie zu senken" does not
// say that they fell.
func (x *account) purpose(i int) bool {
	p, at := x.passage.tokens, x.at[i]
	if x.k.claims.language != "de" || at == 0 || p[at-1].fold != "zu" || i > 0 && x.claim.tokens[i-1].fold == "zu" {
		return false
	}
	first := x.passage.segmentStart(at)
	return p[first].fold == "um"
}

// detached reports whether the passage has an operator of the claim with other words only: "all" of another sentence.
func (x *account) detached(i int) bool {
	o := x.claim.tokens[i].operator
	return o > 0 && x.claim.tokens[i].number == 0 && x.operatorAt[o-1] < 0 && x.passage.tokens[x.at[i]].operator > 0
}

// inTitle reports whether the title, site, publisher, authors or host of the source has a token of a frame of
// attribution, or of what the claim begins with: a text names its subject in the title and goes on with "it".
func (x *account) inTitle(i int) bool {
	t := x.claim.tokens
	if !t[i].hidden && !x.opening(i) {
		return false
	}
	return x.k.known(x.doc, t[i]) || t[i].hidden && (x.k.generic(t[i].word) || x.hostName(i))
}

// known reports whether a source is known by a word.
func (k *comparer) known(d *document, t token) bool {
	identity := k.identity(d)
	return slices.ContainsFunc(t.keys, func(key string) bool { return identity[key] })
}

// opening reports whether a token stands before the first word of the claim that the passage has.
func (x *account) opening(i int) bool {
	t := x.claim.tokens
	for j := 0; j < i; j++ {
		if x.at[j] >= 0 && !t[j].function {
			return false
		}
	}
	return t[i].number == 0
}

// fullName reports whether a token is part of a name that the passage shortens and the text writes in full elsewhere.
func (x *account) fullName(i int) bool {
	t := x.claim.tokens
	first, last := i, i
	for first > 0 && t[first].tight && t[first-1].upper && t[first-1].number == 0 {
		first--
	}
	for last+1 < len(t) && t[last+1].tight && t[last+1].upper && t[last+1].number == 0 {
		last++
	}
	const longest = 5 // words of a name
	if !t[i].upper || first == last || last-first >= longest || x.at[last] < 0 || !x.passage.tokens[x.at[last]].upper || x.k.claims.language == "de" {
		return false
	}
	return containsWord(x.doc.folded(), passages.Fold(x.claim.text[t[first].start:t[last].end]))
}

// closing reports whether a token is the last one of content in the claim.
func (x *account) closing(i int) bool {
	for _, t := range x.claim.tokens[i+1:] {
		if !t.function {
			return false
		}
	}
	return true
}

// identity is what a source is known by: the words of its title, publisher, authors and host.
func (k *comparer) identity(d *document) map[string]bool {
	if known, ok := k.identities[d]; ok {
		return known
	}
	parts := append([]string{d.Title, d.Publisher, strings.ReplaceAll(d.host(), ".", " ")}, d.Authors...)
	known := make(map[string]bool)
	for _, t := range k.claims.read(cutChars(strings.Join(parts, "\n"), maxClaimChars), 0).tokens {
		for _, key := range t.keys {
			known[key] = true
		}
	}
	k.identities[d] = known
	return known
}

// generic reports whether a word names a source as such: the article, the manual.
func (k *comparer) generic(word string) bool {
	for _, e := range k.claims.lexicon.Lookup(word) {
		if e.Kind == lexicon.Attribution && e.Class == "noun" {
			return true
		}
	}
	return false
}

// closingFrame is the most tokens of a frame that ends a claim.
const closingFrame = 6

// hideFrames marks the words of the claim that only say whose statement it is: "according to the BBC".
func (k *comparer) hideFrames() {
	w := k.claim
	for i := range w.tokens {
		if !w.tokens[i].speech || i > 0 && w.tokens[i-1].speech {
			continue
		}
		phrase := false
		for _, m := range k.frames {
			phrase = phrase || m.Start == w.tokens[i].start
		}
		if phrase { // the speaker follows
			for j := i + 1; j < len(w.tokens) && w.tokens[j].clause == w.tokens[i].clause; j++ {
				w.tokens[j].hidden = true
			}
			continue
		}
		first := w.segmentStart(i)
		if slices.ContainsFunc(w.tokens[:first], func(t token) bool { return !t.function }) { // the speaker opens the claim, or a short segment ends it: "…, the ministry says"
			if len(w.tokens)-first <= closingFrame && w.tokens[len(w.tokens)-1].segment == w.tokens[i].segment {
				for j := first; j < len(w.tokens); j++ {
					w.tokens[j].hidden = true
				}
			}
			continue
		}
		for j := first; j < i; j++ {
			w.tokens[j].hidden = true
		}
	}
}

// findUnsaid lists the operators of the passage that change the words which the claim takes from it, and that the
// claim does not repeat.
func (x *account) findUnsaid() {
	p := x.passage.tokens
	used := make([]bool, len(p))
	for i := range x.claim.tokens {
		if at := x.at[i]; at >= 0 && x.claim.tokens[i].content() {
			used[at] = true
		}
	}
	for n := range x.passage.operators {
		if x.used[n] {
			continue
		}
		o := &x.passage.operators[n]
		for _, e := range o.meanings {
			if x.reaches(o, e, used) {
				x.unsaid = append(x.unsaid, n)
				break
			}
		}
	}
}

// refuted is the class of the marks that refute the sentence before: "this is a legend".
const refuted = "refuted"

// refutesBefore reports whether a sentence refutes the one before.
func (w *wording) refutesBefore() bool {
	return slices.ContainsFunc(w.operators, func(o operator) bool { return o.refutesBefore() })
}

func (o *operator) refutesBefore() bool {
	return slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool { return e.Kind == lexicon.Myth && e.Class == refuted })
}

// reaches reports whether an operator of the passage bears on words that the claim uses.
func (x *account) reaches(o *operator, e lexicon.Entry, used []bool) bool {
	p := x.passage.tokens
	ahead := func(tokens int, within func(a, b *token) bool) bool {
		content := 0
		for j := o.last + 1; j < len(p) && content < tokens && within(&p[o.last], &p[j]); j++ {
			if used[j] {
				return true
			}
			if p[j].content() {
				content++
			}
		}
		return false
	}
	behind := func() bool {
		return slices.ContainsFunc(x.governedBefore(o), func(j int) bool { return used[j] })
	}
	segment := func(a, b *token) bool { return a.segment == b.segment }
	sentence := func(a, b *token) bool { return a.sentence == b.sentence }
	switch e.Kind {
	case lexicon.Negation:
		return ahead(4, segment) || behind()
	case lexicon.Quantifier:
		if e.Class == "only" {
			return ahead(3, segment)
		}
		return ahead(1, segment)
	case lexicon.Certainty:
		return ahead(3, segment) || behind()
	case lexicon.Condition, lexicon.Myth:
		for j := range p {
			if used[j] && (sentence(&p[o.first], &p[j]) || e.Class == refuted && p[j].sentence == p[o.first].sentence-1) {
				return true
			}
		}
	case lexicon.Rate:
		for j := max(0, o.first-4); j <= min(len(p)-1, o.last+4); j++ {
			if used[j] && p[j].number > 0 && sentence(&p[o.first], &p[j]) {
				return true
			}
		}
	}
	return false
}

const (
	closeSentences = 4   // sentences of a document that are looked at closely
	closeShare     = 0.5 // of the best one's share of the claim, below which a sentence is not
	nearlyAll      = 0.7 // of the claim: then the windows beside the best are tried as well
)

// accounts compares the claim with the passages around the best sentences of each document, the best account first.
func (k *comparer) accounts(m *comparison) []*account {
	type place struct {
		doc   int
		first int
	}
	var out []*account
	seen := make(map[place]bool)
	try := func(doc, first int) {
		d := m.docs[doc]
		at := place{doc, max(0, min(first, len(d.sentences)-windowSentences))}
		if !seen[at] {
			seen[at] = true
			last := min(len(d.sentences), at.first+windowSentences) - 1
			if last+1 < len(d.sentences) && k.sentence(d, last+1).refutesBefore() {
				last++
			}
			out = append(out, k.account(d, at.first, last))
		}
	}
	taken := make(map[int]int)
	for _, r := range m.ranked {
		if taken[r.doc]++; taken[r.doc] <= closeSentences && r.weight >= closeShare*m.ranked[0].weight {
			try(r.doc, r.sentence-1)
			if n := len(out); n > 0 && out[n-1].grounds() { // none can be better
				break
			}
		}
	}
	byBadness := func(a, b *account) int { return cmp.Compare(a.badness(), b.badness()) }
	slices.SortStableFunc(out, byBadness)
	if len(out) > 0 && !out[0].grounds() && out[0].covered >= nearlyAll*out[0].weight {
		n := slices.Index(m.docs, out[0].doc)
		first := out[0].first
		try(n, first-1)
		try(n, first+1)
		slices.SortStableFunc(out, byBadness)
	}
	return out
}

// badness orders accounts: what is missing weighs most.
func (x *account) badness() float64 {
	if x.grounds() {
		return -1
	}
	n := x.weight - x.covered
	n += 0.3*float64(len(x.order)) + 0.2*float64(len(x.unsaid))
	return n
}

// segmentStart is the first token in the segment of token i.
func (w *wording) segmentStart(i int) int {
	for i > 0 && w.tokens[i-1].segment == w.tokens[i].segment {
		i--
	}
	return i
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
