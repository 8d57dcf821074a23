package grounding

import (
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// A text may speak of something narrower than a claim that uses its words: of the mayor's son, of one of the largest ports, of
// mice, of what happens by default. Wording does not decide whether the claim holds beyond that.

var narrowingWords = sync.OnceValue(func() map[string]map[string]bool { return wordlist.Sections("narrowing") })

// narrower reports whether the passage says what it says with token i of the claim of a part, a relative or a kind of it only.
func (x *account) narrower(i int) bool {
	at := x.at[i]
	p := x.passage.tokens
	if p[at].han || p[at].number > 0 {
		return false
	}
	return x.partOf(i) || x.kindOf(i) || x.inOtherTime(i) || x.inRelativeClause(i)
}

// partOf reports whether the noun is below another one that the claim leaves out: "half of the bridge", "the mayor's son", "the
// museum shop".
func (x *account) partOf(i int) bool {
	c, p, at := x.claim.tokens, x.passage.tokens, x.at[i]
	language := x.k.claims.language
	if language == "en" && (x.firstOfCompound(at) || x.possessive(at) || x.boundedBehind(at)) {
		return true
	}
	links := narrowingWords()[language+" of"]
	of := at - 1
	for of > 0 && (p[of].determiner || p[of].fold == "the") && p[of].segment == p[at].segment && !links[p[of].fold] {
		of--
	}
	if of < 1 || p[of].segment != p[at].segment || !links[p[of].fold] {
		return false
	}
	for n := i - 1; n >= 0 && n >= i-3 && c[n].segment == c[i].segment; n-- {
		if links[c[n].fold] && c[n].fold != "der" { // "der" is an article as well
			return false
		}
		if c[n].content() {
			break
		}
	}
	whole := &p[of-1]
	if whole.segment != p[of].segment || x.said(of-1) {
		return false
	}
	if language == "en" {
		return !whole.function || whole.fold == "one"
	}
	return narrowingWords()["whole"][whole.fold]
}

// firstOfCompound reports whether a noun of the passage only says which kind the noun behind it is, and the claim leaves out that
// one: "the museum shop closed".
func (x *account) firstOfCompound(at int) bool {
	p := x.passage.tokens
	if at == 0 || at+2 >= len(p) || p[at].upper || p[at+2].segment != p[at].segment || p[at-1].segment != p[at].segment {
		return false
	}
	second, verb := &p[at+1], &p[at+2]
	return second.tight && second.content() && !second.upper && !second.time && second.number == 0 && !x.said(at+1) && !endsAny(second.fold, "ly", "ing", "ed") &&
		!narrowingWords()["behind noun"][second.fold] && !narrowingWords()["past"][second.fold] &&
		(p[at-1].determiner || p[at-1].anaphor != "" || p[at-1].content()) && (verb.content() && x.said(at+2) || verb.copula)
}

// possessive reports whether a token of the passage has an 's, and the claim leaves out the noun behind it: "the mayor's son".
func (x *account) possessive(at int) bool {
	t := &x.passage.tokens[at]
	written := x.k.sentence(x.doc, t.sentence).text[t.start:]
	end := strings.IndexByte(written, ' ')
	if end < 0 || !strings.HasSuffix(written[:end], "'s") && !strings.HasSuffix(written[:end], "’s") {
		return false
	}
	p := x.passage.tokens
	for n := at + 1; n < len(p) && n <= at+2 && p[n].segment == p[at].segment; n++ {
		if p[n].content() && p[n].fold != "s" {
			return !x.said(n)
		}
	}
	return false
}

// boundedBehind reports whether a number behind a noun of the passage says which ones are meant, and the claim leaves it out:
// "children under five".
func (x *account) boundedBehind(at int) bool {
	p := x.passage.tokens
	for n := at + 1; n < len(p) && n <= at+3 && p[n].segment == p[at].segment; n++ {
		if p[n].number > 0 {
			return !x.said(n) && n > at+1 && narrowingWords()["bound"][p[at+1].fold]
		}
	}
	return false
}

// kindOf reports whether the noun has a word before it that makes it another thing, and that the claim leaves out: "former mayor",
// "second largest".
func (x *account) kindOf(i int) bool {
	p, at := x.passage.tokens, x.at[i]
	if at == 0 || p[at-1].segment != p[at].segment || x.said(at-1) && p[at-1].fold != "most" && p[at-1].fold != "least" {
		return false
	}
	before := p[at-1].fold
	if at > 1 && (before == "most" || before == "least") { // "second most visited"
		return narrowingWords()["before noun"][p[at-2].fold] && !x.said(at-2)
	}
	if before == "called" && at > 1 && p[at-2].fold == "so" {
		return true
	}
	return narrowingWords()["before noun"][before] || before == "being" && x.k.claims.language == "en"
}

// inOtherTime reports whether the passage has the word behind an "after" or "until" that the claim leaves out: "sank after the
// storm" is not "sank in the storm".
func (x *account) inOtherTime(i int) bool {
	const reach = 3 // tokens: "after the great storm"
	p, at := x.passage.tokens, x.at[i]
	if p[at].time || slices.ContainsFunc(x.claim.operators, func(o operator) bool { return o.is(lexicon.Relation) || o.is(lexicon.Condition) }) ||
		slices.ContainsFunc(x.claim.tokens, func(t token) bool { return t.causes > 0 }) {
		return false
	}
	return slices.ContainsFunc(x.passage.operators, func(o operator) bool {
		return o.is(lexicon.Relation) && !p[o.last].han && o.last < at && at-o.last <= reach && p[o.last].segment == p[at].segment && !x.crossesContent(o.last, at)
	})
}

// crossesContent reports whether words of content are between two tokens of the passage.
func (x *account) crossesContent(from, to int) bool {
	return slices.ContainsFunc(x.passage.tokens[from+1:to], func(t token) bool { return t.content() })
}

// inRelativeClause reports whether the claim gives a word of a relative clause the verb behind that clause: in "Berg, who
// succeeded Holt, closed the mine", Holt closed nothing.
func (x *account) inRelativeClause(i int) bool {
	p, at := x.passage.tokens, x.at[i]
	if at == 0 || p[at-1].segment == p[at].segment || i == 0 || x.k.claims.language != "en" {
		return false
	}
	for n := i - 1; n >= 0; n-- {
		from := x.at[n]
		if from < 0 || !x.claim.tokens[n].content() {
			continue
		}
		if x.claim.tokens[n].segment != x.claim.tokens[i].segment { // the claim has the clause as well
			return false
		}
		first := x.passage.segmentStart(from)
		return p[from].sentence == p[at].sentence && p[from].segment == p[at].segment-1 && slices.Contains([]string{"who", "which", "whose", "whom"}, p[first].fold)
	}
	return false
}

// onlyInCase lists the first token of the claim if the passage says the whole only of a case that the claim leaves out: "in mice",
// "by default", "with the option -q", "one of the largest".
func (x *account) onlyInCase() []int {
	first := slices.IndexFunc(x.at, func(at int) bool { return at >= 0 })
	if first < 0 {
		return nil
	}
	p := x.passage.tokens
	last, taken, all := map[int]int{}, map[int]int{}, 0 // by sentence: the last token that the claim uses, and how many
	for i, at := range x.at {
		if at >= 0 && x.claim.tokens[i].content() {
			last[p[at].sentence] = max(last[p[at].sentence], at)
			taken[p[at].sentence]++
			all++
		}
	}
	for sentence, n := range taken {
		if 2*n >= all && x.namesCase(sentence) {
			return []int{first}
		}
	}
	if x.k.claims.language != "en" {
		return nil
	}
	if x.orForAnd() || x.nowForThen(last) || x.fewerCompared() || x.quoted() {
		return []int{first}
	}
	for j := range p {
		end, ok := last[p[j].sentence]
		ok = ok && 2*taken[p[j].sentence] >= all
		if ok && p[j].fold == "default" && !x.said(j) {
			return []int{first}
		}
		if ok && p[j].fold == "but" && x.excepts(j) {
			return []int{first}
		}
		if !ok || !p[j].preposed && p[j].fold != "under" {
			continue
		}
		opens := j == 0 || p[j-1].sentence != p[j].sentence
		behind := j > end && p[j].segment == p[end].segment
		if (opens || behind) && x.otherCase(j, behind) {
			return []int{first}
		}
	}
	return nil
}

// fewerCompared reports whether the claim leaves out what a superlative of the passage is limited to: "the first left-handed
// player", "the highest summit that can be climbed without ropes".
func (x *account) fewerCompared() bool {
	c, p := x.claim.tokens, x.passage.tokens
	for i := range c {
		at := x.at[i]
		if at < 0 || !narrowingWords()["superlative"][c[i].fold] && !endsAny(c[i].fold, "est") {
			continue
		}
		for j := at + 1; j < len(p) && p[j].segment == p[at].segment; j++ {
			next := slices.Index(x.at, j)
			if next == i+1 { // what follows in the claim as well
				break
			}
			if p[j].content() && !x.said(j) {
				return true
			}
		}
		for j := at + 2; j+1 < len(p) && p[j].segment == p[at].segment; j++ {
			if slices.Contains([]string{"that", "who", "which"}, p[j].fold) && x.said(j-1) && x.dropsAll(j+1) {
				return true
			}
		}
	}
	return false
}

// dropsAll reports whether the claim has no word of content from token j of the passage on, in its segment.
func (x *account) dropsAll(j int) bool {
	p := x.passage.tokens
	some := false
	for n := j; n < len(p) && p[n].segment == p[j-1].segment; n++ {
		if p[n].content() {
			some = true
			if x.said(n) {
				return false
			}
		}
	}
	return some
}

// excepts reports whether a "but" of the passage takes something out of an "every" or a "none" before it, and the claim has no
// exception.
func (x *account) excepts(but int) bool {
	p := x.passage.tokens
	if x.said(but) || x.restricts() {
		return false
	}
	for j := but - 1; j >= 0 && p[j].segment == p[but].segment; j-- {
		if slices.Contains([]string{"every", "all", "any", "other", "none", "everyone", "everything", "nobody", "nothing"}, p[j].fold) {
			return true
		}
	}
	return false
}

// quoted reports whether all that the claim takes from the passage is within quotation marks there, and the claim names no speaker.
func (x *account) quoted() bool {
	if strings.ContainsAny(x.claim.text, `"“”«»`) || slices.ContainsFunc(x.claim.tokens, func(t token) bool { return t.speech }) {
		return false
	}
	p := x.passage.tokens
	some := false
	for i, at := range x.at {
		if at < 0 || !x.claim.tokens[i].content() {
			continue
		}
		text := x.k.sentence(x.doc, p[at].sentence).text
		before, behind := text[:p[at].start], text[p[at].end:]
		straight := strings.Count(before, `"`)%2 == 1 && strings.Contains(behind, `"`)
		curly := strings.Count(before, "“") > strings.Count(before, "”") && strings.Contains(behind, "”")
		if !straight && !curly {
			return false
		}
		some = true
	}
	return some
}

// namesCase reports whether a sentence of the passage has words of a case or a part that the claim has not.
func (x *account) namesCase(sentence int) bool {
	text, claim := passages.Fold(x.k.sentence(x.doc, sentence).text), passages.Fold(x.claim.text)
	return slices.ContainsFunc(caseWords(), func(word string) bool {
		if firstRune(word) >= cjkStart {
			return strings.Contains(text, word) && !strings.Contains(claim, word)
		}
		return containsWord(text, word) && !containsWord(claim, word)
	})
}

// cjkStart is the first character of the scripts that put no space between words.
const cjkStart = 0x2e80

var caseWords = sync.OnceValue(func() []string {
	var out []string
	for _, w := range wordlist.Words("narrowing", "case") {
		out = append(out, passages.Fold(w))
	}
	return out
})

// otherCase reports whether the phrase that a preposition opens in the passage restricts what the sentence says, and the claim has
// nothing of it. In the past, a time, a name or a thing with an article only says when and where it was.
func (x *account) otherCase(j int, behind bool) bool {
	p := x.passage.tokens
	article, name, content := false, false, false
	for n := j + 1; n < len(p) && p[n].segment == p[j].segment; n++ {
		switch {
		case x.said(n) || p[n].time:
			return false
		case p[n].number > 0:
			if q := x.passage.numbers[p[n].number-1]; q.kind == date || q.value >= 1000 {
				return false
			}
			content = true
		case p[n].determiner:
			article = true
		case p[n].content():
			content, name = true, name || p[n].upper
		}
	}
	if !content {
		return false
	}
	if x.inPast(p[j].sentence) {
		return !behind && !article && !name
	}
	return true
}

// inPast reports whether a sentence of the passage has a verb in the past and none in the present.
func (x *account) inPast(sentence int) bool {
	var of []token
	for _, t := range x.passage.tokens {
		if t.sentence == sentence {
			of = append(of, t)
		}
	}
	return past(of) && !present(of)
}

func past(tokens []token) bool {
	words := narrowingWords()["past"]
	return slices.ContainsFunc(tokens, func(t token) bool { return words[t.fold] || endsAny(t.fold, "ed") })
}

func present(tokens []token) bool {
	words := narrowingWords()["present"]
	return slices.ContainsFunc(tokens, func(t token) bool { return words[t.fold] })
}

// nowForThen reports whether the claim is in the present and each sentence that it takes words from in the past.
func (x *account) nowForThen(sentences map[int]int) bool {
	if !present(x.claim.tokens) || past(x.claim.tokens) {
		return false
	}
	for s := range sentences {
		if !x.inPast(s) {
			return false
		}
	}
	return true
}

// orForAnd reports whether the claim has an "and" where the passage has an "or", or the reverse.
func (x *account) orForAnd() bool {
	c, p := x.claim.tokens, x.passage.tokens
	for i := 1; i+1 < len(c); i++ {
		if left, right := x.at[i-1], x.at[i+1]; left >= 0 && right == left+2 && (c[i].fold == "and" && p[left+1].fold == "or" || c[i].fold == "or" && p[left+1].fold == "and") {
			return true
		}
	}
	return false
}
