package review

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// base is a true sentence: of a source, or a claim that its wording grounds or a believed reader supported.
type base struct {
	text      string
	sourceIDs []string
	at        grounding.Evidence // the words that make it true
	lang      string
	claim     bool
	supported bool // a claim in words of its own, which a reader has seen: it is reworded again
	shape     shape
	rewords   int // how much of it can be said otherwise
}

// writer makes planted errors and controls.
type writer struct {
	*random
	texts       Texts
	shared      *pool
	bases       []base
	taken       map[string]bool // claims of the batch: nothing is made from them
	used        map[string]int  // how many items were made from a base
	made        []Item
	shownBefore map[string]bool // planted errors and controls of earlier batches, and what they were made from
	loose       bool
	sound       map[string]bool // base -> whether the wording check grounds it
	like        []shape         // of the claims to read: what is made looks like them, and shows the passages of one of them
}

// material says what planted errors and controls may be made from.
type material struct {
	before []string // these are not made again
	loose  bool     // also from sentences that read less well alone, and by changes of any kind
}

func newWriter(r *random, shared *pool, items []Item, candidates []Candidate, from material) *writer {
	w := &writer{random: r, loose: from.loose, texts: shared.texts, shared: shared, taken: map[string]bool{}, used: map[string]int{}, shownBefore: map[string]bool{}, sound: map[string]bool{}}
	for _, claim := range from.before {
		w.shownBefore[claim] = true
	}
	inBatch := map[string]bool{}
	for _, it := range items {
		inBatch[it.Key] = true
		w.taken[it.Claim] = true
		is := shapeOf(it.Claim)
		if is.passages = it.Passages; len(is.passages) > 0 {
			is.lang = languageOf(w.texts.Text(is.passages[0].SourceID))
		}
		w.like = append(w.like, is)
	}
	for _, c := range candidates {
		if (c.Grounded || c.Supported) && !inBatch[c.Key] && !c.Fixed && !w.taken[c.Claim] {
			w.addClaim(c)
		}
	}
	claims := len(w.bases)
	if w.addSentences(items, candidates); len(w.bases)-claims < 4*minPlanted && !w.loose {
		w.loose = true
		w.bases = w.bases[:claims]
		w.addSentences(items, candidates)
	}
	for i, b := range w.bases {
		w.bases[i].shape, w.bases[i].rewords = shapeOf(b.text), len(equivalents(b.text, b.lang))
		w.bases[i].shape.lang = b.lang
	}
	return w
}

// addClaim adds a claim that is grounded by wording, or that a reader supported and wording does not contradict. The
// generators need to know its language, which is that of its text.
func (w *writer) addClaim(c Candidate) {
	v := w.check(c.Claim, c.SourceIDs)
	if v.Status != grounding.Grounded && (!c.Supported || v.Status == grounding.Unsupported) || v.Passage == nil || !usable(c.Claim) {
		return
	}
	lang := languageOf(w.texts.Text(v.Passage.SourceID))
	if own := languageOf(c.Claim); own != "" && own != lang {
		return
	}
	w.bases = append(w.bases, base{text: c.Claim, sourceIDs: c.SourceIDs, at: *v.Passage, lang: lang, claim: true, supported: c.Supported})
}

func (w *writer) check(claim string, sourceIDs []string) grounding.Verdict {
	asked := grounding.Claim{Text: claim}
	for _, id := range sourceIDs {
		asked.Citations = append(asked.Citations, grounding.Citation{SourceID: id})
	}
	return w.texts.Checker.Check(asked)
}

func (w *writer) grounds(claim string, sourceIDs []string) bool {
	return w.check(claim, sourceIDs).Status == grounding.Grounded
}

// states reports whether the text states a sentence of its own: a myth that it refutes is neither true nor, with one
// change, false.
func (w *writer) states(b base) bool {
	is, known := w.sound[b.text]
	if !known {
		is = b.claim || w.grounds(b.text, b.sourceIDs)
		w.sound[b.text] = is
	}
	return is
}

// maxBases bounds how many sentences of the texts are considered.
const maxBases = 600

// addSentences adds sentences of the cited sources: those of the passages first, then others, in random order.
func (w *writer) addSentences(items []Item, candidates []Candidate) {
	var near, far []base
	seen, sources := map[string]bool{}, map[string]bool{}
	windows := map[string][]Passage{}
	var order []string
	for _, it := range items {
		for _, p := range it.Passages {
			windows[p.SourceID] = append(windows[p.SourceID], p)
		}
	}
	for _, c := range candidates {
		for _, id := range c.SourceIDs {
			if !sources[id] {
				sources[id] = true
				order = append(order, id)
			}
		}
	}
	for _, id := range order {
		text := w.texts.Text(id)
		lang := languageOf(text)
		for _, s := range w.texts.sentences(id) {
			if seen[s.Text] || w.taken[s.Text] || !usable(s.Text) && !(w.loose && nearlyUsable(s.Text)) {
				continue
			}
			seen[s.Text] = true
			b := base{text: s.Text, sourceIDs: []string{id}, at: grounding.Evidence{SourceID: id, Start: s.Start, End: s.End, Text: s.Text}, lang: lang}
			if slices.ContainsFunc(windows[id], func(p Passage) bool { return p.Start <= s.Start && s.End <= p.End }) {
				near = append(near, b)
			} else {
				far = append(far, b)
			}
		}
	}
	shuffle(w.random, near)
	shuffle(w.random, far)
	near, far = near[:min(len(near), maxBases)], far[:min(len(far), maxBases)]
	w.bases = append(append(w.bases, near...), far...)
}

// usable reports whether a sentence reads as a claim does: a whole statement that can be understood alone.
func usable(s string) bool {
	wide := unspacedShare(s) > 0.3
	if !usableLength(s) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(first) && !unicode.IsDigit(first) && !wide {
		return false
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "。") || strings.ContainsAny(s, "\n\t|[]{}<>\"“”„«»「」『』*_`=\\:;：；?!—") || strings.Contains(s, "http") || strings.Contains(s, "...") || strings.Contains(s, "…") {
		return false
	}
	return !leans.MatchString(s) && !listItem.MatchString(s)
}

func usableLength(s string) bool {
	n := utf8.RuneCountInString(s)
	if unspacedShare(s) > 0.3 {
		return n >= 14 && n <= 160
	}
	return n >= 45 && n <= 320 && len(strings.Fields(s)) >= 7
}

// nearlyUsable is usable for texts that have few sentences: with quotation marks, colons and pronouns.
func nearlyUsable(s string) bool {
	n := utf8.RuneCountInString(s)
	wide := unspacedShare(s) > 0.3
	first, _ := utf8.DecodeRuneInString(s)
	return (wide && n >= 10 && n <= 200 || !wide && n >= 30 && n <= 360 && (unicode.IsUpper(first) || unicode.IsDigit(first))) &&
		(strings.HasSuffix(s, ".") || strings.HasSuffix(s, "。")) && !strings.ContainsAny(s, "\n\t|[]{}<>*_`=\\?") && !strings.Contains(s, "http")
}

// leans matches sentences that lean on the one before, or in which somebody speaks.
var leans = lazyregexp.New(`^(?i:it|they|he|she|this|these|those|that|such|here|there|its|their|his|her|but|and|or|so|then|however|also|instead|yet|meanwhile|both|another|er|sie|es|dies\p{L}*|jen\p{L}*|aber|und|dort|hier|dabei|dazu|doch|ihr\p{L}*|sein\p{L}*|il|elle|ils|elles|ce|cet|cette|ces|cela|mais|et|son|sa|ses|leur|él|ella|ellos|esto|este|esta|estos|estas|eso|pero|y|su|sus|他|她|它|这|那|其|但|而|これ|それ|この|その|彼|しかし|また)(?:\b|\p{Han}|\p{Hiragana}|,)|(?i)\b(?:I|we|you|our|your|my|us|wir|uns|unser\p{L}*|mein\p{L}*|nous|notre|nos|vous|votre|nosotros|nuestr\p{L}*|usted|above|below|following|oben|folgend\p{L}*|suivant\p{L}*|siguiente)\b|我们|我|你|您|以下|如下|上述|私|我々`)

// listItem matches the number of a list's item: "一、", "2)".
var listItem = lazyregexp.New(`^(?:[一二三四五六七八九十]+|\d+)[、)．]`)

// languageOf is the language of a text as the primary subtag of BCP 47, "" where it cannot be told.
func languageOf(text string) string {
	if unspacedShare(text) > 0.3 {
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) {
			return "ja"
		}
		return "zh"
	}
	return passages.LanguageOf(text)
}

// unspacedShare is the share of the letters that are Han, Hiragana or Katakana.
func unspacedShare(s string) float64 {
	letters, wide := 0, 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			wide++
		}
	}
	if letters == 0 {
		return 0
	}
	return float64(wide) / float64(letters)
}

// maker makes the items of one role.
type maker struct {
	*writer
	again  int // how much farther a base of an earlier batch counts
	make   func(base, shape) (Item, bool)
	uses   map[string]int // base -> how many items of the role were made from it
	claims map[string]bool
	out    []Item
}

func (w *writer) maker(again int, make func(base, shape) (Item, bool)) *maker {
	return &maker{w, again, make, map[string]int{}, map[string]bool{}, nil}
}

// next makes an item from the least used base that is nearest to a random claim of the batch, among those that make
// accepts. It makes none if no base does.
func (m *maker) next() {
	want := m.draw()
	order, far := make([]int, len(m.bases)), make([]int, len(m.bases))
	for i, b := range m.bases {
		order[i], far[i] = i, m.distance(b, want, m.again)
	}
	// First what no item of this role was made from.
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(m.uses[m.bases[i].text], m.uses[m.bases[j].text]), cmp.Compare(far[i], far[j]))
	})
	for _, i := range order[:min(len(order), mostTries)] {
		b := m.bases[i]
		if !m.states(b) {
			continue
		}
		if item, ok := m.make(b, want); ok && !m.claims[item.Claim] && !m.resembles(item.Claim) {
			m.claims[item.Claim], m.taken[item.Claim] = true, true
			m.shared.add(item)
			m.uses[b.text]++
			m.used[b.text]++
			m.made, m.out = append(m.made, item), append(m.out, item)
			return
		}
	}
}

const (
	// maxTries: from more sentences than these, a nearer fit is preferred to a rarer kind of change. Chosen.
	maxTries = 60
	// mostTries bounds how many sentences are tried for one item. Manuals have many that no generator can change.
	mostTries = 400
)

// shape is what can be seen of a claim without reading it.
type shape struct {
	chars  int // code points
	digits bool
	marks  int    // of punctuation
	lang   string // of the text that it is about; "" if unknown

	passages []Passage
	alone    bool // no other item may show them
}

func shapeOf(claim string) shape {
	marks := 0
	for _, r := range claim {
		if unicode.IsPunct(r) {
			marks++
		}
	}
	return shape{chars: utf8.RuneCountInString(claim), digits: strings.ContainsAny(claim, "0123456789"), marks: marks}
}

// distance is how far a base is from the shape of a claim. A claim counts as nearer than a sentence of a source, because
// its style is that of the claims to read, and a sentence that can be reworded as nearer than another. What the other
// role used counts as farther.
func (w *writer) distance(b base, want shape, again int) int {
	is := b.shape
	chars := is.chars + is.chars/12 // rewording makes most sentences longer
	d := max(chars-want.chars, want.chars-chars) + 60*w.used[b.text]
	if b.supported && w.used[b.text] > 0 {
		d += 1000 // a planted error and a control of one claim would give each other away
	}
	if w.shownBefore[b.text] {
		d += again
	}
	d += 12 * max(is.marks-want.marks, want.marks-is.marks)
	if is.digits != want.digits {
		d += 40
	}
	if is.lang != "" && want.lang != "" && is.lang != want.lang {
		d += otherLanguage
	}
	if !b.claim {
		d += 80 - 20*min(4, b.rewords)
	}
	switch at := w.shared.has(b.at); {
	case at < 0 && !want.alone:
		d += newPassage
	case at >= 0 && want.alone:
		d += sharedPassage
	case at >= 0 && !in(want.passages, b.at):
		d += otherPassage
	}
	return d
}

// otherLanguage is the distance of a base in another language than the texts of the claim, comparable to code points of
// length: without it, languages with many sentences to change have too many planted errors and controls. Chosen.
const otherLanguage = 60

// Distances of a base by its passage, comparable to code points of length: other items show it, but not the claim, no item
// shows it, which costs the reader most, or others show it and this item must be alone. Chosen.
const (
	otherPassage  = 40
	newPassage    = 90
	sharedPassage = 200
)

// draw draws a claim for the next item to look like, and whether the item is to show passages that no other item shows. As
// many of the made items as of the claims do: sharing must not tell what is made.
func (w *writer) draw() shape {
	want := w.like[w.intn(len(w.like))]
	claims := 0
	for _, c := range w.like {
		claims += w.shared.alone(c.passages)
	}
	own := 0
	for _, it := range w.made {
		own += w.shared.alone(it.Passages)
	}
	want.alone = own*len(w.like) < claims*len(w.made)
	return want
}

// in reports whether one of the passages has a stretch of a source.
func in(shown []Passage, e grounding.Evidence) bool {
	return slices.ContainsFunc(shown, func(p Passage) bool { return p.SourceID == e.SourceID && p.Start <= e.Start && e.End <= p.End })
}

// resembles reports whether a claim has most words of another item of the batch: side by side, the word that differs
// would tell which of the two is made.
func (w *writer) resembles(claim string) bool {
	if w.loose {
		return false
	}
	own := termsOf(claim)
	for taken := range w.taken {
		other := termsOf(taken)
		both := 0
		for term := range own {
			if other[term] {
				both++
			}
		}
		if float64(both) > mostAlike*float64(min(len(own), len(other))) {
			return true
		}
	}
	return false
}

// mostAlike is the share of the words of the shorter of two items that the other may have. Chosen.
const mostAlike = 0.6

func termsOf(claim string) map[string]bool {
	out := map[string]bool{}
	for _, term := range passages.Terms(claim) {
		out[term] = true
	}
	return out
}

// shown are the passages for a sentence made from a base in place of a claim: those of the claim if the words that decide
// are in them, or else passages of other items, as many; if no item shows these words, what the checker finds.
func (w *writer) shown(claim string, b base, want shape) []Passage {
	if in(want.passages, b.at) {
		return slices.Clone(want.passages)
	}
	if at := w.shared.has(b.at); at >= 0 {
		return w.shared.with(claim, b, at, len(want.passages))
	}
	out := w.texts.passages(claim, b.sourceIDs)
	for i, p := range out {
		if at := w.shared.find(p.SourceID, p.Start, p.End); at >= 0 {
			out[i] = w.shared.shown[at]
		}
	}
	out = slices.CompactFunc(out, same)
	if in(out, b.at) {
		return out
	}
	// The words that decide replace another passage of their source first, so that each cited source keeps one.
	if len(out) == maxPassages {
		last := len(out) - 1
		for i, p := range out {
			if p.SourceID == b.at.SourceID {
				last = i
			}
		}
		out = slices.Delete(out, last, last+1)
	}
	return append(out, w.texts.window(b.at, windowChars[0]))
}
