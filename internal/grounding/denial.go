package grounding

import (
	"slices"
	"strings"
)

// denialContext is how many words on either side of a negator are compared, and denialWords how many of
// them there must be at least: with four words in a row the same, a "not" between them is the difference.
const (
	denialContext = 3
	denialWords   = 4
)

// deniedInPlace finds a negator of a whose neighbours are in b side by side, without it: "the channel is
// not shallow" against "because the channel is shallow". It needs no guess about scope, so nothing else in
// the sentence excuses it.
func deniedInPlace(a, b []negatedWord) (string, bool) {
	plain := withoutDenial(b)
	for i, w := range a {
		if !w.negator {
			continue
		}
		left, right := withoutDenial(a[:i]), withoutDenial(a[i+1:])
		left, right = left[max(0, len(left)-denialContext):], right[:min(len(right), denialContext)]
		if base := undenied(w.surface); base != "" { // isn't, cannot: the verb goes with the words before
			left = append(append([]negatedWord(nil), left...), negatedWord{surface: base, term: base})
		}
		if len(left)+len(right) < denialWords || !anyContent(right) && !anyContent(left) {
			continue
		}
		if at := sequenceAt(plain, left, right); at >= 0 {
			return telling(left, right), true
		}
	}
	return "", false
}

// telling is the word to show: the first one of content after the negator, else the last one before it.
func telling(left, right []negatedWord) string {
	for _, w := range right {
		if w.content {
			return w.surface
		}
	}
	for i := len(left) - 1; i >= 0; i-- {
		if left[i].content {
			return left[i].surface
		}
	}
	return ""
}

// sequenceAt finds left and right side by side in words, with no negator between them, and nowhere with one.
func sequenceAt(words, left, right []negatedWord) int {
	found := -1
	for at := len(left); at+len(right) <= len(words); at++ {
		if !sameWords(words[at-len(left):at], left) || !sameWords(words[at:at+len(right)], right) {
			continue
		}
		if len(right) > 0 && words[at].negated && words[at].first || at > 0 && words[at-1].negator {
			return -1 // the other denies it as well
		}
		found = at
	}
	return found
}

func sameWords(a, b []negatedWord) bool {
	for i := range a {
		if a[i].term != b[i].term && a[i].surface != b[i].surface {
			return false
		}
	}
	return true
}

func anyContent(words []negatedWord) bool {
	return slices.ContainsFunc(words, func(w negatedWord) bool { return w.content })
}

// withoutDenial drops negators that are words of their own, and the "do" that English adds for them.
func withoutDenial(words []negatedWord) []negatedWord {
	out := make([]negatedWord, 0, len(words))
	for i, w := range words {
		if w.negator {
			if base := undenied(w.surface); base != "" {
				w.surface, w.term = base, base
				out = append(out, w) // it stays a negator: see sequenceAt
			} else if len(out) > 0 {
				out[len(out)-1].negator = true
			}
			continue
		}
		if i+1 < len(words) && words[i+1].negator && (w.surface == "do" || w.surface == "does" || w.surface == "did") {
			continue
		}
		out = append(out, w)
	}
	return out
}

// undenied is the verb in a word that also denies it; empty for words that only deny, and for don't, whose
// verb is there for the sake of the negation.
func undenied(surface string) string {
	switch surface {
	case "cannot", "can't", "can’t":
		return "can"
	case "won't", "won’t":
		return "will"
	case "don't", "don’t", "doesn't", "doesn’t", "didn't", "didn’t":
		return ""
	}
	for _, suffix := range []string{"n't", "n’t"} {
		if base, ok := strings.CutSuffix(surface, suffix); ok {
			return base
		}
	}
	return ""
}
