package grounding

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// A negation counts where it denies the predicate that claim and sentence share. A "not" anywhere else says
// nothing: on real claims, counting every negator made the verdict worse.

// negatedWord is a word of a sentence with what the comparison needs.
type negatedWord struct {
	surface, term string
	start, end    int
	negator       bool // not, never, without …
	soft          bool // denied, few, failed: speaks against a mismatch, but does not prove one
	negated       bool // in the scope of a negator
	first         bool // the first word of content after the negator
	content       bool
	clause        int
}

const (
	scopeWords   = 3 // words of content that a negator reaches
	scopeTokens  = 7 // words of any kind that it reaches
	softDistance = 6 // words on either side in which a soft negation excuses a difference
)

func negationWords(s string, a *passages.Analyzer) []negatedWord {
	var out []negatedWord
	clause, last := 0, 0
	a.Tokens(s, func(t passages.Token) {
		if t.Pair {
			return
		}
		if strings.ContainsAny(s[last:t.ByteStart], ",;:.!?()\"“”—\n") {
			clause++
		}
		last = t.ByteEnd
		surface := passages.Fold(firstBytes(s[t.ByteStart:t.ByteEnd], 64))
		out = append(out, negatedWord{surface: surface, term: t.Term, start: t.ByteStart, end: t.ByteEnd, clause: clause,
			content: !isStop(surface)})
	})
	for i := range out {
		out[i].soft = softNegator(out[i].surface)
		out[i].negator = negatorAt(out, i)
	}
	for i := range out {
		if !out[i].negator {
			continue
		}
		found := 0
		for j := i + 1; j < len(out) && j <= i+scopeTokens && out[j].clause == out[i].clause && found < scopeWords; j++ {
			if out[j].surface == "that" {
				break // what is not confirmed, said or clear is another clause
			}
			if out[j].content {
				out[j].negated = true
				out[j].first = found == 0
				found++
			}
		}
	}
	return out
}

// negatorAt reports whether word i denies what follows. "Not only", "no doubt", "No. 5" and comparisons such
// as "no more than" deny nothing.
func negatorAt(words []negatedWord, i int) bool {
	next, before := "", ""
	if i+1 < len(words) && words[i+1].clause == words[i].clause {
		next = words[i+1].surface
	}
	if i > 0 {
		before = words[i-1].surface
	}
	switch w := words[i].surface; w {
	case "not":
		if negations().behindNot[next] || superlativeBehind(words, i) { // "not only"; "not the most pleasant part" denies a degree
			return false
		}
		return before != "or" && before != "if" && before != "whether"
	case "no":
		switch next {
		case "doubt", "more", "less", "fewer", "later", "one", "matter", "sooner", "wonder", "":
			return next == "one"
		}
		return !(next[0] >= '0' && next[0] <= '9')
	case "never", "none", "nobody", "nothing", "neither", "nor", "cannot":
		return true
	case "without":
		return false
	default:
		return strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
	}
}

// superlativeBehind reports whether "most", "best" or the like follows closely.
func superlativeBehind(words []negatedWord, i int) bool {
	const reach = 3
	for j := i + 1; j < len(words) && j <= i+reach; j++ {
		if negations().superlative[words[j].surface] {
			return true
		}
	}
	return false
}

func softNegator(w string) bool {
	return negations().soft[w] || strings.HasSuffix(w, "n't") || strings.HasPrefix(w, "un") && len(w) > 6 || strings.HasPrefix(w, "non")
}

// hasNegator reports whether s denies something, in English or Chinese.
func hasNegator(s string) bool {
	var a passages.Analyzer
	for _, w := range negationWords(s, &a) {
		if w.negator || w.surface == "without" || w.surface == "no" || w.surface == "not" {
			return true
		}
	}
	return len(chineseNegators(s)) > 0
}

// mismatch is a word that one side denies and the other says.
type mismatch struct {
	word    string
	byClaim bool // the claim is the one that denies it
}

// polarityMismatch finds a word that the claim denies and the sentence says, or the reverse. What needs no
// guess about the scope of a negation is tried first.
func polarityMismatch(claim, sentence string, a *passages.Analyzer) (mismatch, bool) {
	claim, sentence = cutChars(claim, maxClaimChars), cutChars(sentence, maxClaimChars)
	c, s := negationWords(claim, a), negationWords(sentence, a)
	for _, find := range []func(a, b []negatedWord) (string, bool){deniedInPlace, deniedOnly} {
		if word, ok := find(c, s); ok {
			return mismatch{word, true}, true
		}
		if word, ok := find(s, c); ok {
			return mismatch{word, false}, true
		}
	}
	cn, sn := chineseNegators(claim), chineseNegators(sentence)
	if word, ok := deniedHan(cn, sn, sentence); ok {
		return mismatch{word, true}, true
	}
	word, ok := deniedHan(sn, cn, claim)
	return mismatch{word, false}, ok
}

// deniedOnly finds a word that a denies and b says without any negation near it.
func deniedOnly(a, b []negatedWord) (string, bool) {
	for i, w := range a {
		if !w.negated || !w.first && !firstUnmatched(a, i, b) {
			continue
		}
		found, excused := false, false
		for j, v := range b {
			if v.term != w.term {
				continue
			}
			found = true
			excused = excused || v.negated || softNear(b, j)
		}
		if found && !excused {
			return w.surface, true
		}
	}
	return "", false
}

// firstUnmatched reports whether b has none of the denied words before word i: then i is the first to compare.
func firstUnmatched(a []negatedWord, i int, b []negatedWord) bool {
	for k := i - 1; k >= 0 && !a[k].negator; k-- {
		if a[k].negated {
			for _, v := range b {
				if v.term == a[k].term {
					return false
				}
			}
		}
	}
	return true
}

func softNear(words []negatedWord, i int) bool {
	for j := max(0, i-softDistance); j < min(len(words), i+softDistance+1); j++ {
		if words[j].soft || words[j].negator {
			return true
		}
	}
	return false
}

// chineseNegator is a negation and the characters around it.
type chineseNegator struct {
	before, after string // two characters each, without punctuation
}

// negationLists are the words of negation that the ranking knows.
type negationLists struct {
	soft, behindNot, superlative map[string]bool
	chinese, harmless            []string
}

var negations = sync.OnceValue(func() negationLists {
	const name = "negation"
	return negationLists{soft: wordlist.Set(name, "soft"), behindNot: wordlist.Set(name, "behind-not"), superlative: wordlist.Set(name, "superlative"),
		chinese: wordlist.Words(name, "chinese"), harmless: wordlist.Words(name, "harmless")}
})

func chineseNegators(s string) []chineseNegator {
	var out []chineseNegator
	for i := 0; i < len(s); {
		width := harmlessAt(s, i)
		if width > 0 {
			i += width
			continue
		}
		if width = chineseNegatorAt(s[i:]); width == 0 {
			_, w := utf8.DecodeRuneInString(s[i:])
			i += w
			continue
		}
		out = append(out, chineseNegator{before: lastHan(s[:i]), after: firstHan(s[i+width:])})
		i += width
	}
	return out
}

func harmlessAt(s string, i int) int {
	if s[i] < utf8.RuneSelf {
		return 0
	}
	for _, h := range negations().harmless {
		if strings.HasPrefix(s[i:], h) {
			return len(h)
		}
	}
	return 0
}

func chineseNegatorAt(s string) int {
	for _, n := range negations().chinese {
		if strings.HasPrefix(s, n) {
			return len(n)
		}
	}
	return 0
}

const nearHan = 2 // characters that identify a place in a Chinese sentence

func firstHan(s string) string {
	var b strings.Builder
	n := 0
	for i, r := range s {
		if n == nearHan || i > 24 {
			break
		}
		if unicode.Is(unicode.Han, r) {
			b.WriteRune(r)
			n++
		}
	}
	return b.String()
}

func lastHan(s string) string {
	out := ""
	for n, seen := 0, 0; n < nearHan && seen < 8 && s != ""; seen++ {
		r, w := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-w]
		if unicode.Is(unicode.Han, r) {
			out = string(r) + out
			n++
		}
	}
	return out
}

// deniedHan finds a negation of a whose surroundings b's text has without one.
func deniedHan(a, b []chineseNegator, other string) (string, bool) {
	for _, n := range a {
		if utf8.RuneCountInString(n.after) < nearHan || utf8.RuneCountInString(n.before) < nearHan {
			continue
		}
		// Both sides must be there, close together, with nothing that denies between them.
		i := strings.Index(other, n.before)
		if i < 0 {
			continue
		}
		between := other[i+len(n.before):]
		j := strings.Index(between, n.after)
		const near = 5 * utf8.UTFMax // bytes between the two: a verb that the negation replaced
		if j < 0 || j > near || len(chineseNegators(between[:j+len(n.after)])) > 0 || negatedHere(b, n) {
			continue
		}
		return n.after, true
	}
	return "", false
}

func negatedHere(list []chineseNegator, n chineseNegator) bool {
	return slices.ContainsFunc(list, func(o chineseNegator) bool { return o.after == n.after || o.before == n.before })
}
