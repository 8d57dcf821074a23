package query

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/text/words"
)

// latin are the languages with function words here that share an alphabet. In a tie, the first wins.
var latin = []string{"en", "de", "es", "fr"}

// Language returns the language of a question: de, fr, es, zh or ja, or en for English, other and unknown ones. Unlike
// [words.Language], it decides on a few words.
func Language(text string) string {
	if l := words.Script(text); l == "zh" || l == "ja" {
		return l
	}
	counts := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		of, n := "", 0
		for _, l := range latin {
			if without(l, w) {
				of = l
				n++
			}
		}
		if n == 1 { // a word of several languages tells nothing
			counts[of]++
		}
	}
	best := latin[0]
	for _, l := range latin {
		if counts[l] > counts[best] {
			best = l
		}
	}
	return best
}

//go:embed data/query_words.txt
var queryWordsFile string

// queryWords maps each word of the list to its languages.
var queryWords = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range datafile.Lines(queryWordsFile) {
		fields := strings.Fields(line)
		for _, w := range fields[1:] {
			all[w] = append(all[w], fields[0])
		}
	}
	return all
})

// without reports whether a query in a language does without a word.
func without(language, word string) bool {
	return words.Function(language, word) || slices.Contains(queryWords()[word], language)
}
