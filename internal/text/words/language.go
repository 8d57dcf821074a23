package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

)

// frequent are short words that prose of a language cannot do without: the languages of each word.
var frequent = sync.OnceValue(func() map[string][]string {
	byWord := map[string][]string{}
	for _, l := range list("languages") {
		for _, w := range l.words {
			byWord[w] = append(byWord[w], l.section)
		}
	}
	return byWord
})

// Language tells the language in which a text is written, by its most frequent words and its script, as the
// primary subtag of BCP 47: one of en, de, fr, es, it, pt, nl, sv, no, hu, ru; "" where it is another, or the
// text is too short to tell. It reads the beginning of the text.
func Language(text string) string {
	const enough = 6000 // bytes: some thousand words, of which every third is a function word
	if len(text) > enough {
		text = text[:enough]
	}
	byWord := frequent()
	counts := map[string]float64{}
	words, cyrillic := 0, 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		words++
		if first, _ := utf8.DecodeRuneInString(w); unicode.Is(unicode.Cyrillic, first) {
			cyrillic++
		}
		for _, language := range byWord[w] {
			counts[language] += 1 / float64(len(byWord[w]))
		}
	}
	if words >= 10 && 2*cyrillic > words {
		return "ru"
	}
	best, second := "", 0.0
	for language, n := range counts {
		switch {
		case best == "" || n > counts[best] || n == counts[best] && language < best:
			if best != "" {
				second = max(second, counts[best])
			}
			best = language
		default:
			second = max(second, n)
		}
	}
	// Prose has a tenth of such words at least; a list of names or a program has fewer, and tells nothing.
	if best == "" || counts[best] < 5 || counts[best]*12 < float64(words) || counts[best] < 1.2*second {
		return ""
	}
	return best
}
