package grounding

import (
	"slices"
	"strings"
)

// adverbial reports whether the passage has token i of the claim as a listed phrase of time, place or manner in other words,
// in the clause of the words beside it: such a phrase may be anywhere in its clause.
func (x *account) adverbial(i int) bool {
	t, p := &x.claim.tokens[i], x.passage.tokens
	at := x.at[i]
	if p[at].fold == t.fold || !slices.ContainsFunc(t.keys, func(key string) bool {
		return strings.HasPrefix(key, "=adverb:") && slices.Contains(p[at].keys, key)
	}) {
		return false
	}
	return slices.ContainsFunc([]int{1, -1}, func(step int) bool {
		n := x.neighbour(i, step)
		return n >= 0 && p[n].clause == p[at].clause
	})
}

// ofOtherClause reports whether the word right behind an adverb in the passage is in another clause of the claim than the adverb:
// "to safely open the gate and to close it" is not "to open the gate and to close it safely".
func (x *account) ofOtherClause(i int) bool {
	t, p, at := x.claim.tokens, x.passage.tokens, x.at[i]
	if x.k.claims.language != "en" || !strings.HasSuffix(t[i].fold, "ly") || at+1 >= len(p) || !p[at+1].tight || !p[at+1].content() {
		return false
	}
	verb := slices.Index(x.at, at+1)
	return verb >= 0 && t[verb].clause != t[i].clause
}

// adverbOfInfinitive reports whether the passage has an adverb of the claim between "to" and a verb, and the claim has it behind
// that verb and its object: "to safely remove the file" and "to remove the file safely".
func (x *account) adverbOfInfinitive(i int) bool {
	const most = 4 // words of content from the verb to the adverb
	t, p, at := x.claim.tokens, x.passage.tokens, x.at[i]
	if x.k.claims.language != "en" || !strings.HasSuffix(t[i].fold, "ly") || at == 0 || at+1 >= len(p) || p[at-1].fold != "to" || !p[at+1].tight {
		return false
	}
	next := at + 1 // of the passage
	for j := slices.Index(x.at, next); j >= 0 && j < i && t[j].clause == t[i].clause && next <= at+most+1; j++ {
		if t[j].function || t[j].operator > 0 {
			continue
		}
		if x.at[j] < next || x.at[j]-next > tightReach {
			return false
		}
		next = x.at[j]
		if j+1 == i || j+2 == i && t[j+1].function {
			return true
		}
	}
	return false
}
