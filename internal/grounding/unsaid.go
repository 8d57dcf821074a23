package grounding

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

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

// mayRefute is false for a sentence that has no word of a mark of refutation: a quick look before the sentence is read.
func (r *reader) mayRefute(sentence string) bool {
	if r.lexicon == nil {
		return false
	}
	if r.language == "zh" || r.language == "ja" {
		return true
	}
	sentence = lexicon.Fold(sentence)
	return slices.ContainsFunc(r.refutations, func(word string) bool { return strings.Contains(sentence, word) })
}

// refutationWords lists the longest word of each mark of refutation of a language.
func refutationWords(l *lexicon.Lexicon) []string {
	var out []string
	for _, mark := range l.Words(lexicon.Myth, refuted, "") {
		longest := slices.MaxFunc(strings.Fields(lexicon.Fold(mark)), func(a, b string) int { return len(a) - len(b) })
		if !slices.Contains(out, longest) {
			out = append(out, longest)
		}
	}
	return out
}

func (o *operator) refutesBefore() bool { return o.means(lexicon.Myth, refuted) }

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
	case lexicon.Averted:
		if e.Class == "unreal" {
			return x.unreal(o, used)
		}
		return ahead(4, segment)
	case lexicon.Negation:
		return ahead(4, segment) || behind() || x.beforeBracket(o) && ahead(4, sentence)
	case lexicon.Quantifier:
		if e.Class == "only" {
			return ahead(3, segment)
		}
		return ahead(1, segment) && !x.onlySubject(o)
	case lexicon.Certainty:
		return ahead(3, segment) || behind()
	case lexicon.Condition, lexicon.Myth:
		if e.Kind == lexicon.Condition && (x.otherModal(o) || x.givesCase(o, e)) {
			return false
		}
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

// beforeBracket reports whether an operator of the passage is right before a bracket: "they do not (and cannot) depend on it".
func (x *account) beforeBracket(o *operator) bool {
	t := &x.passage.tokens[o.last]
	return strings.HasPrefix(x.k.sentence(x.doc, t.sentence).text[t.end:], " (")
}

// onlySubject reports whether the claim takes nothing from the clause after a quantifier of the passage but words that the
// whole text is about: "Rain falls everywhere on Titan, but its poles are dry".
func (x *account) onlySubject(o *operator) bool {
	p := x.passage.tokens
	other := false // the claim takes more from another clause of the sentence
	for j := range p {
		if !x.taken[j] || !p[j].content() || p[j].sentence != p[o.last].sentence || x.k.topical(x.doc, &p[j]) {
			continue
		}
		if p[j].clause == p[o.last].clause {
			return false
		}
		other = true
	}
	return other
}

// otherModal reports whether a condition of the passage belongs to a modal of another clause than the words that the claim takes
// before it: "the plant employs 140 people and might close if its customers leave".
func (x *account) otherModal(o *operator) bool {
	p := x.passage.tokens
	modal := -1
	for j := o.first - 1; j >= 0 && p[j].sentence == p[o.first].sentence; j-- {
		n := p[j].operator - 1
		switch {
		case n >= 0 && !x.used[n] && modal < 0 && x.passage.operators[n].is(lexicon.Certainty):
			modal = j
		case p[j].content() && x.taken[j]:
			return modal >= 0 && p[j].clause != p[modal].clause
		}
	}
	return false
}

// givesCase reports whether the claim has the case of a condition of the passage as a prepositional phrase: "on a server with
// 1 GB" for "if you have a server with 1 GB".
func (x *account) givesCase(o *operator, e lexicon.Entry) bool {
	p := x.passage.tokens
	if e.Class != "if" || o.last+2 >= len(p) || !p[o.last+1].function || !p[o.last+2].function {
		return false
	}
	given := false
	for j := o.last + 1; j < len(p) && p[j].segment == p[o.last].segment; j++ {
		if !p[j].content() {
			continue
		}
		i := slices.Index(x.at, j)
		if i < 0 || !given && x.claim.preposition(i) < 0 {
			return false
		}
		given = true
	}
	return given
}

// governedBefore lists the words that a negation or modal of the passage changes although they are before it: the verb in
// Japanese, and elsewhere where nothing follows ("schließt nicht", "cierra quizás").
func (x *account) governedBefore(o *operator) []int {
	p := x.passage.tokens
	if x.k.claims.language != "ja" && o.last+1 < len(p) && p[o.last+1].segment == p[o.last].segment {
		return nil
	}
	reach := 3 // tokens
	if x.k.claims.language == "ja" {
		reach = 6 // characters
	}
	var out []int
	for j := o.first - 1; j >= 0 && j >= o.first-reach && p[j].segment == p[o.first].segment; j-- {
		if !p[j].function {
			out = append(out, j)
		}
	}
	return out
}

// dropped finds what the passage says besides, of which the claim is not true without: a condition, a "may".
func (x *account) dropped(add func(DifferenceKind, span, span)) {
	if x.covered < restIsEqual*x.weight {
		return
	}
	c, p := x.claim.tokens, x.passage.tokens
	for _, n := range x.unsaid {
		o := &x.passage.operators[n]
		if o.is(lexicon.Myth) {
			if near := x.refutes(o); near >= 0 {
				add(DifferentMyth, span{near, near}, span{o.first, o.last})
			}
			continue
		}
		near := -1 // the first token of the claim after the operator, or the last one before it
		for j := o.last + 1; j < len(p) && p[j].sentence == p[o.last].sentence && near < 0; j++ {
			if i := slices.Index(x.at, j); i >= 0 && !c[i].function {
				near = i
			}
		}
		for j := o.first - 1; j >= 0 && p[j].sentence == p[o.first].sentence && near < 0; j-- {
			if i := slices.Index(x.at, j); i >= 0 && !c[i].function {
				near = i
			}
		}
		if near < 0 {
			continue
		}
		for _, e := range o.meanings {
			switch {
			case e.Kind == lexicon.Condition && p[o.first].fold != "depending" && x.conditioned(o) && !x.restricts() && !(e.Class == "if" && x.saysCase(o)):
				add(DifferentCondition, span{near, near}, span{o.first, o.last})
			case e.Kind == lexicon.Certainty && !x.claim.denies() && (e.Class == "epistemic" && e.Value <= 2 || e.Class == "realisation" && !x.habitual(o)) && x.governs(o):
				add(DifferentCertainty, span{near, near}, span{o.first, o.last})
			default:
				continue
			}
			break
		}
	}
}

// restricts reports whether the claim has a word of a condition of any kind: it may say the passage's in other words.
func (x *account) restricts() bool {
	return slices.ContainsFunc(x.claim.tokens, func(t token) bool {
		_, condition := x.k.claims.lexicon.Is(lexicon.Condition, t.word)
		return condition || t.operator > 0 && x.claim.operators[t.operator-1].is(lexicon.Condition)
	})
}

// habitual reports whether an operator of the passage is a "will" that the claim has as a present: "by default it will use the
// old backend".
func (x *account) habitual(o *operator) bool {
	if x.k.claims.language != "en" || x.passage.tokens[o.first].fold != "will" {
		return false
	}
	return x.inPresent(o.last+1) || !slices.ContainsFunc(x.claim.tokens, func(t token) bool {
		return strings.HasSuffix(t.fold, "ed") || slices.Contains([]string{"was", "were", "has", "have", "had"}, t.fold)
	})
}

// inPresent reports whether the claim has the verb at token j of the passage, behind a "will", in the present tense.
func (x *account) inPresent(j int) bool {
	c, p := x.claim.tokens, x.passage.tokens
	passive := j+1 < len(p) && p[j].fold == "be"
	if passive {
		j++
	}
	if j == len(p) || !p[j].content() {
		return false
	}
	i := slices.Index(x.at, j)
	switch {
	case i < 0:
		return false
	case passive:
		return i > 0 && c[i].fold == p[j].fold && (c[i-1].fold == "is" || c[i-1].fold == "are")
	case c[i].fold != p[j].fold && c[i].fold != p[j].fold+"s" && c[i].fold != p[j].fold+"es":
		return false
	}
	return i == 0 || !slices.Contains([]string{"was", "were", "has", "have", "had"}, c[i-1].fold)
}

// saysCase reports whether the claim has most words of the case that a condition of the passage opens: "if you have a server"
// and "on a server" agree.
func (x *account) saysCase(o *operator) bool {
	p := x.passage.tokens
	all, said := 0, 0
	for j := o.last + 1; j < len(p) && p[j].segment == p[o.last].segment; j++ {
		if p[j].content() {
			all++
			if x.taken[j] {
				said++
			}
		}
	}
	return 2*said > all
}

// governs reports whether the claim has the next word of content that a modal of the passage is before or, where none
// follows, after.
func (x *account) governs(o *operator) bool {
	p := x.passage.tokens
	for j := o.last + 1; j < len(p) && p[j].segment == p[o.last].segment; j++ {
		if p[j].content() {
			return x.taken[j]
		}
	}
	return true
}

// conditioned reports whether the words right before a condition of the passage are the claim's, or it opens its sentence: "most
// want him removed, and some want an inquiry if he lied" has no condition for the first part.
func (x *account) conditioned(o *operator) bool {
	const reach = 3 // words of content
	if x.inOwnBracket(o) {
		return false
	}
	p := x.passage.tokens
	content := 0
	for j := o.first - 1; j >= 0 && p[j].sentence == p[o.first].sentence && content < reach; j-- {
		if content > 0 && p[j].clause != p[j+1].clause {
			break
		}
		if !p[j].content() {
			continue
		}
		if x.taken[j] {
			return true
		}
		content++
	}
	return content == 0
}

// inOwnBracket reports whether a condition of the passage opens a bracket that holds its main clause as well: "(if the bit is
// set, the page is full)".
func (x *account) inOwnBracket(o *operator) bool {
	t := x.passage.tokens[o.first]
	text := x.k.sentence(x.doc, t.sentence).text
	if !strings.HasSuffix(text[:t.start], "(") {
		return false
	}
	bracket, _, closed := strings.Cut(text[t.start:], ")")
	return closed && strings.Contains(bracket, ", ")
}

// refutes returns the first word of the claim that a mark of the passage calls a myth; -1 where the claim denies it as
// well, or says more than the refuted sentence.
func (x *account) refutes(o *operator) int {
	c, p := x.claim.tokens, x.passage.tokens
	if slices.ContainsFunc(x.claim.operators, func(o operator) bool { return o.is(lexicon.Negation) || o.is(lexicon.Myth) }) {
		return -1
	}
	sentence := p[o.first].sentence
	if o.refutesBefore() {
		sentence--
	}
	near := -1
	for i := range c {
		switch at := x.at[i]; {
		case !c[i].content() || c[i].hidden:
		case at < 0 || p[at].sentence != sentence:
			return -1
		case near < 0:
			near = i
		}
	}
	return near
}
