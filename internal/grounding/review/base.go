package review

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
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
	bases       []base
	taken       map[string]bool // claims of the batch: nothing is made from them
	used        map[string]int  // how many items were made from a base
	shownBefore map[string]bool // planted errors and controls of earlier batches, and what they were made from
	loose       bool
	sound       map[string]bool // base -> whether the wording check grounds it
	like        []shape         // of the claims to read: what is made looks like them
}

// material says what planted errors and controls may be made from.
type material struct {
	before []string // these are not made again
	loose  bool     // also from sentences that read less well alone, and by changes of any kind
}

func newWriter(r *random, texts Texts, items []Item, candidates []Candidate, from material) *writer {
	w := &writer{random: r, loose: from.loose, texts: texts, taken: map[string]bool{}, used: map[string]int{}, shownBefore: map[string]bool{}, sound: map[string]bool{}}
	for _, claim := range from.before {
		w.shownBefore[claim] = true
	}
	inBatch := map[string]bool{}
	for _, it := range items {
		inBatch[it.Key] = true
		w.taken[it.Claim] = true
		w.like = append(w.like, shapeOf(it.Claim))
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
	return !leans().MatchString(s) && !listItem().MatchString(s)
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
var leans = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:it|they|he|she|this|these|those|that|such|here|there|its|their|his|her|but|and|or|so|then|however|also|instead|yet|meanwhile|both|another|er|sie|es|dies\p{L}*|jen\p{L}*|aber|und|dort|hier|dabei|dazu|doch|ihr\p{L}*|sein\p{L}*|il|elle|ils|elles|ce|cet|cette|ces|cela|mais|et|son|sa|ses|leur|él|ella|ellos|esto|este|esta|estos|estas|eso|pero|y|su|sus|他|她|它|这|那|其|但|而|これ|それ|この|その|彼|しかし|また)(?:\b|\p{Han}|\p{Hiragana}|,)|(?i)\b(?:I|we|you|our|your|my|us|wir|uns|unser\p{L}*|mein\p{L}*|nous|notre|nos|vous|votre|nosotros|nuestr\p{L}*|usted|above|below|following|oben|folgend\p{L}*|suivant\p{L}*|siguiente)\b|我们|我|你|您|以下|如下|上述|私|我々`)
})

// listItem matches the number of a list's item: "一、", "2)".
var listItem = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[一二三四五六七八九十]+|\d+)[、)．]`)
})

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

// make makes n items, each from the least used base whose length is nearest to that of a random claim of the batch,
// among those that make1 accepts. A base of an earlier batch counts as farther by again. It makes fewer where the bases do
// not suffice.
func (w *writer) make(n, again int, make1 func(base) (Item, bool)) []Item {
	var out []Item
	uses, claims := map[string]int{}, map[string]bool{}
	for range n {
		want := w.like[w.intn(len(w.like))]
		order := make([]int, len(w.bases))
		for i := range order {
			order[i] = i
		}
		// First what no item of this role was made from.
		slices.SortStableFunc(order, func(i, j int) int {
			a, b := w.bases[i], w.bases[j]
			return cmp.Or(cmp.Compare(uses[a.text], uses[b.text]), cmp.Compare(w.distance(a, want, again), w.distance(b, want, again)))
		})
		for _, i := range order[:min(len(order), mostTries)] {
			b := w.bases[i]
			if !w.states(b) {
				continue
			}
			if item, ok := make1(b); ok && !claims[item.Claim] {
				claims[item.Claim] = true
				uses[b.text]++
				out = append(out, item)
				break
			}
		}
	}
	for text, times := range uses {
		w.used[text] += times
	}
	return out
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
	marks  int // of punctuation
}

func shapeOf(claim string) shape {
	marks := 0
	for _, r := range claim {
		if unicode.IsPunct(r) {
			marks++
		}
	}
	return shape{utf8.RuneCountInString(claim), strings.ContainsAny(claim, "0123456789"), marks}
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
	if !b.claim {
		d += 80 - 20*min(4, b.rewords)
	}
	return d
}

// shown are the passages for a sentence made from a base: what the checker finds for it, with the words that decide
// among them. These replace another passage of their source first, so that each cited source keeps one.
func (w *writer) shown(claim string, b base) []Passage {
	out := w.texts.passages(claim, b.sourceIDs)
	if slices.ContainsFunc(out, func(p Passage) bool {
		return p.SourceID == b.at.SourceID && p.Start <= b.at.Start && b.at.End <= p.End
	}) {
		return out
	}
	if len(out) == len(windowChars) {
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
