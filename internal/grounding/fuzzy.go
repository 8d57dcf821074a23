package grounding

import (
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

const (
	// minFuzzyWords: a shorter quote has to be right (DESIGN: fuzzy is for long quotes).
	minFuzzyWords = 8
	// maxFuzzyWords bounds the alignment; longer quotes are compared exactly only.
	maxFuzzyWords = 300
	// wordsPerSlip: one slip in eight words at most (chosen).
	wordsPerSlip = 8
	// maxAnchors bounds where an alignment is tried.
	maxAnchors = 40
)

type textWord struct {
	s          string
	start, end int // bytes
}

func foldedWords(s string) []textWord {
	var out []textWord
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, textWord{passages.Fold(firstBytes(s[start:end], 128)), start, end})
			start = -1
		}
	}
	for i, r := range s {
		word := alphabetic(r) || (r == '\'' || r == '’') && start >= 0
		if !word && r >= 0x2e80 && unicode.IsLetter(r) {
			flush(i)
			out = append(out, textWord{string(r), i, i + utf8.RuneLen(r)})
			continue
		}
		if word && start < 0 {
			start = i
		} else if !word {
			flush(i)
		}
	}
	flush(len(s))
	return out
}

func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// fuzzyQuote finds a long quote of which single words are misspelt or an article is missing or added. It
// starts at the quote's rarest words and walks from there in both texts.
func fuzzyQuote(quote, text string) (start, end int, ok bool) {
	q := foldedWords(firstBytes(quote, maxFuzzyWords*32))
	if len(q) < minFuzzyWords || len(q) > maxFuzzyWords {
		return 0, 0, false
	}
	t := foldedWords(text)
	places := make(map[string][]int, len(q))
	for _, w := range q {
		places[w.s] = nil
	}
	for i, w := range t {
		if list, wanted := places[w.s]; wanted && len(list) <= maxAnchors {
			places[w.s] = append(list, i)
		}
	}
	tries := 0
	for i, w := range q {
		list := places[w.s]
		if len(list) > 3 { // common words are poor anchors; a long quote has others
			continue
		}
		for _, place := range list {
			if tries++; tries > maxAnchors {
				return 0, 0, false
			}
			slips := len(q) / wordsPerSlip
			last, used, ok := walk(q, t, i, place, slips, 1)
			if !ok {
				continue
			}
			first, _, ok := walk(q, t, i, place, slips-used, -1)
			if ok {
				return t[first].start, t[last].end, true
			}
		}
	}
	return 0, 0, false
}

// walk aligns q from i on with t from j on, in one direction, and returns the last word of t that it reached.
func walk(q, t []textWord, i, j, slips, step int) (last, used int, ok bool) {
	last = j
	for i >= 0 && i < len(q) {
		switch {
		case j >= 0 && j < len(t) && q[i].s == t[j].s:
			last = j
			i, j = i+step, j+step
			continue
		case used == slips:
			return 0, 0, false
		case j >= 0 && j < len(t) && slip(q[i].s, t[j].s):
			last = j
			i, j = i+step, j+step
		case article(q[i].s):
			i += step
		case j >= 0 && j < len(t) && article(t[j].s):
			j += step
		default:
			return 0, 0, false
		}
		used++
	}
	return last, used, true
}

func article(s string) bool { return s == "a" || s == "an" || s == "the" }

// slip reports whether one word may be a misspelling of the other: one letter in four to seven, two in more.
// Words of numbers and negations are never misspelt.
func slip(a, b string) bool {
	ra, rb := []rune(a), []rune(b)
	if len(ra) < 5 || len(rb) < 5 || len(ra) > 40 || len(rb) > 40 || hasNegator(a) != hasNegator(b) || ra[0] != rb[0] {
		return false
	}
	for _, r := range a + b {
		if unicode.IsDigit(r) {
			return false
		}
	}
	if len(quantities(a)) > 0 || len(quantities(b)) > 0 {
		return false
	}
	allowed := 1
	if min(len(ra), len(rb)) > 8 {
		allowed = 2
	}
	return editDistance(ra, rb) <= allowed
}

func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ca := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, cb := range b {
			cost := diagonal
			if ca != cb {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
