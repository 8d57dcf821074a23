package grounding

// A claim may rest on neighbouring sentences: one names the subject, and the next continues with a pronoun, or each says one
// clause of the claim. Words that only happen to be in sentences beside each other say nothing together.

// mixed lists the words of content that a clause of the claim takes from another sentence of the passage than the rest of it,
// without anything that joins the two.
func (x *account) mixed() []int {
	t, p := x.claim.tokens, x.passage.tokens
	if x.mostlyReferred() {
		return x.referred
	}
	if x.first == x.last {
		return nil
	}
	const all = -1            // the claim as one clause
	home := make(map[int]int) // by clause
	words := make(map[int]int)
	weights := make(map[[2]int]float64)
	for i := range t {
		if !x.rests(i) || x.repeated(i) {
			continue
		}
		words[t[i].clause]++
		for _, clause := range []int{t[i].clause, all} {
			key := [2]int{clause, p[x.at[i]].sentence}
			weights[key] += t[i].weightOf()
			if h, known := home[clause]; !known || weights[key] > weights[[2]int{clause, h}] {
				home[clause] = key[1]
			}
		}
	}
	for clause, n := range words {
		if n == 1 { // it says nothing alone
			home[clause] = home[all]
		}
	}
	var out []int
	leading := true // no word of the home sentence so far
	named := -1     // the last word that the home sentence has as a pronoun
	for i := range t {
		if i > 0 && t[i].clause != t[i-1].clause {
			leading = true
		}
		if !x.rests(i) {
			continue
		}
		h, s := home[t[i].clause], p[x.at[i]].sentence
		switch {
		case s == h:
			leading = false
		case x.resolved(i), x.extends(named, i):
			named = i
		case leading && s < h && x.continues(h), x.phraseOf(i), x.repeated(i), x.ownPlace(i), x.ownName(i), x.whole(s):
		default:
			out = append(out, i)
		}
	}
	return out
}

// mostlyReferred reports whether pronouns account for more of the claim than words do: a pronoun names one thing, and does not
// say what it does.
func (x *account) mostlyReferred() bool {
	referred, said := 0.0, 0.0
	for _, i := range x.referred {
		referred += x.claim.tokens[i].weightOf()
	}
	for i := range x.claim.tokens {
		if x.rests(i) {
			said += x.claim.tokens[i].weightOf()
		}
	}
	return referred > said
}

// rests reports whether a token of the claim rests on the word of the passage that it is matched with.
func (x *account) rests(i int) bool {
	t := &x.claim.tokens[i]
	return x.at[i] >= 0 && t.content() && !t.hidden
}

// continues reports whether a sentence of the passage continues about what was named before it: it has a pronoun, an article or
// a demonstrative before the first word that the claim takes from it, or no subject of its own.
func (x *account) continues(sentence int) bool {
	for j := range x.passage.tokens {
		p := &x.passage.tokens[j]
		if p.sentence != sentence {
			continue
		}
		if p.anaphor != "" && p.anaphor != "rest" {
			return true
		}
		if p.content() { // a verb opens a sentence without a subject
			return x.taken[j] && dropsSubjects(x.k.claims.language)
		}
	}
	return false
}

// whole reports whether the claim has every word of content of a sentence: a fragment that adds to the one before.
func (x *account) whole(sentence int) bool {
	for j := range x.passage.tokens {
		if p := &x.passage.tokens[j]; p.sentence == sentence && p.content() && !x.taken[j] {
			return false
		}
	}
	return true
}

// dropsSubjects reports whether a language leaves out a subject that is known.
func dropsSubjects(language string) bool {
	return language == "es" || language == "zh" || language == "ja"
}
