package grounding

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// A text may say a verb of the claim only below another word: "ruled out raising", "before it reached", "feared that it fails".
// Whether it happened depends on that word. If the claim leaves it out, wording does not decide.

// findBelow lists the tokens of the claim that the passage has below a word that the claim leaves out.
func (x *account) findBelow() {
	for i, at := range x.at {
		if at < 0 || !x.claim.tokens[i].content() || x.claim.tokens[i].number > 0 {
			continue
		}
		if x.nonFinite(i) || x.complement(at) || x.beforehand(at) || x.asked(at) || x.narrower(i) {
			x.below = append(x.below, i)
		}
	}
	x.below = append(x.below, x.onlyInCase()...)
}

// nonFinite reports whether the passage has a word of the claim as an infinitive or a gerund of a verb that the claim leaves out.
func (x *account) nonFinite(i int) bool {
	c, p, at := x.claim.tokens, x.passage.tokens, x.at[i]
	if at == 0 {
		return false
	}
	before := &p[at-1]
	if x.k.claims.language == "en" && at > 1 && before.fold == "have" && p[at-2].fold == "to" && (i == 0 || c[i-1].fold != "have") { // "pretended to have lost"
		at--
		before = &p[at-1]
	}
	if before.segment != p[at].segment || p[at].upper || at > 1 && narrowingWords()["implicative"][p[at-2].fold] {
		return false
	}
	same := i > 0 && c[i-1].segment == c[i].segment && c[i-1].fold == before.fold
	switch x.k.claims.language {
	case "de":
		return before.fold == "zu" && !same && x.drops(at-1)
	case "fr":
		return otherForm(c[i].fold, p[at].fold, "er", "ir", "re")
	case "es":
		return otherForm(c[i].fold, p[at].fold, "ar", "er", "ir")
	case "en":
	default:
		return false
	}
	gerund := endsAny(p[at].fold, "ing")
	switch {
	case same:
		return false
	case before.fold == "to":
		return x.drops(at - 1)
	case !gerund || slices.Contains([]string{"by", "after", "while", "when", "in", "upon", "through", "and"}, before.fold): // what they introduce happened
		return false
	case before.fold == "from":
		return true
	case before.function || before.joins:
		return before.joins && x.dropsLast(at-1)
	}
	return c[i].fold != p[at].fold && !x.said(at-1)
}

// otherForm reports whether a text has the infinitive of a verb that the claim has in another form.
func otherForm(claim, text string, infinitives ...string) bool {
	const same = 3 // letters that forms of a verb have in common
	return claim != text && endsAny(text, infinitives...) && !endsAny(claim, infinitives...) && firstBytes(claim, same) == firstBytes(text, same)
}

// endsAny reports whether a word of at least five letters has one of the endings.
func endsAny(word string, endings ...string) bool {
	return len(word) >= 5 && slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(word, e) })
}

// drops reports whether the claim leaves out a word before token j of the passage, in its segment; in German in its sentence,
// where a comma is before an infinitive.
func (x *account) drops(j int) bool {
	p := x.passage.tokens
	for n := j - 1; n >= 0 && (p[n].segment == p[j].segment || x.k.claims.language == "de" && p[n].sentence == p[j].sentence); n-- {
		if !p[n].function && !x.said(n) {
			return true
		}
	}
	return false
}

// said reports whether the claim has token n of the passage.
func (x *account) said(n int) bool {
	o := x.passage.tokens[n].operator
	return x.taken[n] || o > 0 && x.used[o-1]
}

// dropsLast reports whether the claim leaves out the last word that is no function word before token j of the passage.
func (x *account) dropsLast(j int) bool {
	p := x.passage.tokens
	for n := j - 1; n >= 0 && p[n].segment == p[j].segment; n-- {
		if !p[n].function {
			return !x.said(n)
		}
	}
	return false
}

// complementReach is how many tokens behind a "that" belong to its clause at most, governorReach how many are between the "that"
// and its verb.
const (
	complementReach = 20
	governorReach   = 2
)

// complement reports whether token at of the passage is in a clause that says what somebody feared or ruled out: its "that" is
// behind a word that the claim leaves out, and that is no "said" or "found".
func (x *account) complement(at int) bool {
	p := x.passage.tokens
	var opens []string
	switch x.k.claims.language {
	case "en":
		opens = []string{"that"}
	case "de":
		opens = []string{"dass", "daß"}
	case "fr":
		opens = []string{"que", "qu"}
	case "es":
		opens = []string{"que"}
	}
	for j := at - 1; j > 0 && j >= at-complementReach && p[j].sentence == p[at].sentence; j-- {
		if !slices.Contains(opens, p[j].fold) || p[j+1].clause != p[at].clause {
			continue
		}
		for g := j - 1; g >= 0 && g >= j-governorReach && p[g].sentence == p[j].sentence; g-- {
			if p[g].function {
				continue
			}
			if o := p[g].operator; o > 0 {
				return !x.used[o-1] && x.passage.operators[o-1].weakens()
			}
			if x.k.claims.language == "fr" || x.k.claims.language == "es" { // "pidió al dueño que …"
				return x.drops(j)
			}
			return p[g].content() && p[g].number == 0 && !x.taken[g] && !narrowingWords()["factive"][p[g].fold]
		}
	}
	return false
}

// asked reports whether token at of the passage is in a question, or in a condition such as "had the bank lent the money".
func (x *account) asked(at int) bool {
	p := x.passage.tokens
	sentence := x.k.sentence(x.doc, p[at].sentence).text
	if question(sentence) && !question(x.claim.text) {
		return true
	}
	first := x.passage.segmentStart(at)
	return x.k.claims.language == "en" && p[first].opens && slices.Contains([]string{"had", "were", "should"}, p[first].fold)
}

// weakens reports whether what an operator is about may not be so: "rules out", "presumed".
func (o *operator) weakens() bool {
	return slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool {
		switch e.Kind {
		case lexicon.Negation, lexicon.Myth, lexicon.Condition, lexicon.Averted:
			return true
		case lexicon.Certainty:
			return e.Value < 4
		}
		return false
	})
}

// beforehand reports whether token at of the passage says before what something happened: "put out before it reached the
// harbour". It may never have come about.
func (x *account) beforehand(at int) bool {
	p := x.passage.tokens
	if p[at].time || slices.ContainsFunc(x.claim.operators, isBefore) {
		return false
	}
	han := p[at].han || x.k.claims.language == "ja"
	return slices.ContainsFunc(x.passage.operators, func(o operator) bool {
		if !isBefore(o) || p[o.first].segment != p[at].segment {
			return false
		}
		if han {
			return o.first > at
		}
		return o.last < at && slices.Contains([]string{"before", "bevor", "ehe", "avant", "antes"}, p[o.first].fold)
	})
}

func isBefore(o operator) bool { return o.means(lexicon.Relation, "before") }

// unreal reports whether the claim uses a word behind an operator of the passage, in its sentence; in Japanese on either side.
func (x *account) unreal(o *operator, used []bool) bool {
	p := x.passage.tokens
	for j := range p {
		if used[j] && p[j].sentence == p[o.first].sentence && (j > o.last || x.k.claims.language == "ja") {
			return true
		}
	}
	return false
}

// measured reports whether a number or a quantity follows token i: "almost half", "nearly all".
func (r *reader) measured(w *wording, i int) bool {
	if i+1 == len(w.tokens) || w.tokens[i+1].segment != w.tokens[i].segment {
		return false
	}
	next := &w.tokens[i+1]
	_, quantity := r.lexicon.Is(lexicon.Quantifier, next.word)
	return quantity || next.number > 0
}

// preventionReach is how many tokens may be between "prevents" and "from".
const preventionReach = 8

// addPreventions takes the "from" of "keeps the tank from overflowing" for a negation, but not that of "keeps flowing from springs".
func (r *reader) addPreventions(w *wording) {
	if r.language != "en" || r.lexicon == nil {
		return
	}
	for i := 1; i+1 < len(w.tokens); i++ {
		if w.tokens[i].fold != "from" || !endsAny(w.tokens[i+1].fold, "ing") || slices.ContainsFunc(w.operators, func(o operator) bool { return o.first <= i && i <= o.last }) {
			continue
		}
		for j := i - 1; j >= 0 && j >= i-preventionReach && w.tokens[j].segment == w.tokens[i].segment; j-- {
			if e, ok := r.lexicon.Is(lexicon.Averted, w.tokens[j].word); !ok || e.Class != "from" {
				continue
			}
			if !endsAny(w.tokens[j+1].fold, "ing") {
				at, _ := slices.BinarySearchFunc(w.operators, i, func(o operator, i int) int { return o.first - i })
				w.operators = slices.Insert(w.operators, at, operator{meanings: []lexicon.Entry{{Kind: lexicon.Negation, Class: "fail"}}, first: i, last: i})
			}
			break
		}
	}
}

// deniedPrevention reports whether an operator of the passage is the "from" of "does not keep it from …": the two denials
// together leave open what happens.
func (x *account) deniedPrevention(o *operator) bool {
	p := x.passage.tokens
	return p[o.first].fold == "from" && slices.ContainsFunc(x.passage.operators, func(before operator) bool {
		return before.is(lexicon.Negation) && before.last < o.first && p[before.last].segment == p[o.first].segment
	})
}
