package passages

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// functionWords are short words that prose of a language cannot do without: the languages of each word.
var functionWords = sync.OnceValue(func() map[string][]string {
	byWord := map[string][]string{}
	for _, line := range wordlist.Lines("languages") {
		for _, w := range line.Words {
			byWord[w] = append(byWord[w], line.Section)
		}
	}
	return byWord
})

// FunctionWordOf lists the languages that LanguageOf knows and that have a word among their most frequent ones.
func FunctionWordOf(word string) []string {
	return slices.Clone(functionWords()[strings.ToLower(word)])
}

// LanguageOf tells the language in which a text is written, by its most frequent words and its script, as the
// primary subtag of BCP 47: one of en, de, fr, es, it, pt, nl, sv, no, hu, ru; "" where it is another, or the
// text is too short to tell. It reads the beginning of the text.
func LanguageOf(text string) string {
	const enough = 6000 // bytes: some thousand words, of which every third is a function word
	if len(text) > enough {
		text = text[:enough]
	}
	byWord := functionWords()
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
