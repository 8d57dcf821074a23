package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// comparer compares one claim with passages.
type comparer struct {
	claims *reader
	claim  *wording
	given  map[string]bool // what the question says, by key
	pairs  map[[2]string]bool
	read   map[sentenceKey]*wording

	same    map[string]map[string]bool
	against map[string][]string

	identities map[*document]map[string]bool
	frames     []lexicon.Match // phrases of attribution in the claim
}

type sentenceKey struct {
	doc      *document
	sentence int
}

func newComparer(claim Claim, reader *reader) *comparer {
	k := &comparer{claims: reader, pairs: make(map[[2]string]bool), same: make(map[string]map[string]bool), against: make(map[string][]string), read: make(map[sentenceKey]*wording), given: make(map[string]bool), identities: make(map[*document]map[string]bool)}
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
	x.alignment = k.align(k.claim, k.passage(d, first, last))
	x.matchOperators()
	x.findMissing()
	x.checkOrder()
	x.findUnsaid()
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

// attached reports whether an operator of the passage stands in the segment of the word that one of the claim is
// attached to: "not" before another verb says something else.
func (x *account) attached(o, s *operator) bool {
	anchor := x.anchor(o)
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
		if x.at[i] >= 0 {
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
		case x.fullName(i):
			x.covered += w
			continue
		case x.inTitle(i):
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

// inTitle reports whether the title, site, publisher, authors or host of the source has a token of a frame of
// attribution, or of what the claim begins with: a text names its subject in the title and goes on with "it".
func (x *account) inTitle(i int) bool {
	t := x.claim.tokens
	if !t[i].hidden && !x.opening(i) {
		return false
	}
	return x.k.known(x.doc, t[i]) || t[i].hidden && x.k.generic(t[i].word)
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
	host := d.URL
	if _, rest, ok := strings.Cut(host, "://"); ok {
		host = rest
	}
	host, _, _ = strings.Cut(host, "/")
	parts := append([]string{d.Title, d.Publisher, strings.ReplaceAll(host, ".", " ")}, d.Authors...)
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
		if w.tokens[i].segment != 0 { // the speaker opens the claim, or a short segment ends it: "…, the ministry says"
			first := i
			for first > 0 && w.tokens[first-1].segment == w.tokens[i].segment {
				first--
			}
			if len(w.tokens)-first <= closingFrame && w.tokens[len(w.tokens)-1].segment == w.tokens[i].segment {
				for j := first; j < len(w.tokens); j++ {
					w.tokens[j].hidden = true
				}
			}
			continue
		}
		for j := range i {
			w.tokens[j].hidden = true
		}
	}
}

const (
	tightReach = 4  // tokens of the passage between two words that stand side by side in the claim
	looseReach = 14 // between two words of one segment
)

// checkOrder lists the tokens that do not follow the one before as they do in the claim.
func (x *account) checkOrder() {
	t, p := x.claim.tokens, x.passage.tokens
	const opening = 3 // words of content: what a sentence is about is often named in the one before
	prev := -1
	moves, content := 0, 0
	claimAgents, agents := x.k.claims.agents(x.claim), x.k.claims.agents(x.passage)
	turned := x.turned(claimAgents, agents)
	for i := range t {
		if x.at[i] < 0 || t[i].function || t[i].operator > 0 || t[i].speech || t[i].hidden && x.inTitle(i) || slices.Contains(x.label, i) {
			continue
		}
		if x.strays(i) {
			x.order = append(x.order, i)
			continue
		}
		if german := x.k.claims.language == "de"; german && !t[i].tight && t[i].number == 0 && unicode.IsLower(firstRune(x.claim.text[t[i].start:])) {
			continue // verbs and adverbs move freely
		}
		content++
		if prev < 0 {
			prev = i
			continue
		}
		from, to := x.at[prev], x.at[i]
		d := to - from
		same := p[from].sentence == p[to].sentence
		boundary := t[i].clause != t[prev].clause || x.boundary(prev, i)
		switch {
		case t[i].number > 0 && x.numberSwapped(i):
			x.order = append(x.order, i) // the prices of two models
		case same && claimAgents[i] != agents[to] && claimAgents[prev] == agents[from] && d > 0, same && claimAgents[prev] != agents[from] && claimAgents[i] == agents[to] && d > 0:
			x.order = append(x.order, i) // "A praised B" and "A was praised by B"
		case d < 0 && same && turned[t[i].clause] && d >= -looseReach:
		case !same && content <= opening, d > 0 && same && content <= opening+1:
		case d >= 0 && same && (d <= tightReach || i-prev > 1 && d <= looseReach || boundary):
		case d < 0 && same && i-prev == 1 && d >= -2 && t[i].number == 0 && t[prev].number == 0 && !t[i].capital:
		case d < 0 && same && t[i].segment == t[prev].segment && (t[i].number > 0 && t[prev].number > 0 || t[i].upper && t[prev].upper && x.k.claims.language != "de"):
			x.order = append(x.order, i) // "7 of the 3", "B against A"
		case boundary:
			moves++
		default:
			x.order = append(x.order, i)
		}
		prev = i
	}
	if moves > 2 {
		x.order = append(x.order, -1)
	}
}

// strays reports whether a word of the claim is matched in another sentence than the words around it, although that
// sentence has the name as well, or although both its neighbours are there.
func (x *account) strays(i int) bool {
	const reach = 4 // tokens to either side
	t, p := x.claim.tokens, x.passage.tokens
	own := p[x.at[i]].sentence
	nearest := [2]int{-1, -1} // sentences of the next matched words of content
	for side, step := range [2]int{-1, 1} {
		for j := i + step; j >= 0 && j < len(t) && t[j].segment == t[i].segment; j += step {
			if x.at[j] < 0 || t[j].function {
				continue
			}
			sentence := p[x.at[j]].sentence
			if nearest[side] < 0 {
				nearest[side] = sentence
			}
			if sentence != own && t[i].upper && abs(j-i) <= reach && x.names(sentence, &t[i]) {
				return true
			}
		}
	}
	if nearest[0] >= 0 && nearest[0] == nearest[1] && nearest[0] != own {
		return true
	}
	if i == 0 || !t[i].tight || t[i].number == 0 && t[i-1].number == 0 || x.at[i-1] < 0 || t[i-1].function {
		return false
	}
	return p[x.at[i-1]].sentence != own // a number and what it counts
}

// names reports whether a sentence of the passage has a name.
func (x *account) names(sentence int, name *token) bool {
	return slices.ContainsFunc(x.passage.tokens, func(p token) bool { return p.sentence == sentence && p.upper && p.keys[0] == name.keys[0] })
}

// numberSwapped reports whether a number of the claim stands in the passage before one of the same unit that the claim
// has before it.
func (x *account) numberSwapped(i int) bool {
	t := x.claim.tokens
	q := x.claim.numbers[t[i].number-1]
	for j := range i {
		if t[j].number == 0 || x.at[j] <= x.at[i] || x.passage.tokens[x.at[j]].sentence != x.passage.tokens[x.at[i]].sentence {
			continue
		}
		if n := x.claim.numbers[t[j].number-1]; n.kind == q.kind && n.unit == q.unit && n.value != q.value {
			return true
		}
	}
	return false
}

// turned marks the clauses of the claim that are passive where the passage is active, or the reverse.
func (x *account) turned(claim, passage []bool) map[int]bool {
	out := make(map[int]bool)
	for i := range x.claim.tokens {
		if at := x.at[i]; at >= 0 && claim[i] != passage[at] && !x.claim.tokens[i].function {
			out[x.claim.tokens[i].clause] = true
		}
	}
	return out
}

// agents marks the words that a passive names as the agent: "by the council".
func (r *reader) agents(w *wording) []bool {
	const longest = 4 // tokens of such a phrase
	out := make([]bool, len(w.tokens))
	for i := range w.tokens {
		if !r.namesAgent(w.tokens[i].fold) {
			continue
		}
		for j := i + 1; j < len(w.tokens) && j <= i+longest && w.tokens[j].segment == w.tokens[i].segment && w.tokens[j].number == 0; j++ {
			if w.tokens[j].function && j > i+2 {
				break
			}
			out[j] = !w.tokens[j].function
		}
	}
	return out
}

func (r *reader) namesAgent(word string) bool {
	switch r.language {
	case "en":
		return word == "by"
	case "de":
		return word == "durch" || word == "von" || word == "vom"
	case "fr":
		return word == "par"
	case "es":
		return word == "por"
	}
	return false
}

// boundary reports whether a phrase begins between two tokens of the claim: a preposition, conjunction or mark.
func (x *account) boundary(a, b int) bool {
	t := x.claim.tokens
	if t[a].segment != t[b].segment {
		return true
	}
	for j := a + 1; j < b; j++ {
		if t[j].joins {
			return true
		}
	}
	return false
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
	segment := func(a, b *token) bool { return a.segment == b.segment }
	sentence := func(a, b *token) bool { return a.sentence == b.sentence }
	switch e.Kind {
	case lexicon.Negation:
		return ahead(4, segment)
	case lexicon.Quantifier:
		if e.Class == "only" {
			return ahead(3, segment)
		}
		return ahead(1, segment)
	case lexicon.Certainty:
		return ahead(3, segment)
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

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
