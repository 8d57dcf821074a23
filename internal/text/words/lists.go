package words

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
)

//go:embed data
var files embed.FS

// list returns a reader of an embedded list, whose words are separated by commas: the sections of each word.
func list(name string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		data, _ := files.ReadFile("data/" + name + ".txt") // a test reads each
		sections := map[string][]string{}
		for section, line := range datafile.Sections(string(data)) {
			for word := range strings.SplitSeq(line, ",") {
				if word = strings.TrimSpace(word); word != "" {
					sections[word] = append(sections[word], section)
				}
			}
		}
		return sections
	})
}

var (
	// points are words before which or after which a full stop may not end a sentence.
	points = list("points")
	// frequent are the languages of which a word is one of the most frequent.
	frequent      = list("languages")
	functionWords = map[string]func() map[string][]string{
		"de": list("function-de"), "en": list("function-en"), "es": list("function-es"),
		"fr": list("function-fr"), "ja": list("function-ja"), "zh": list("function-zh"),
	}
)

// is reports whether a word has a section in points.
func is(word, section string) bool { return slices.Contains(points()[word], section) }

// Function reports whether a word adds no meaning of its own to a statement in a language; "" is English. Languages without
// a list of function words have only their most frequent words.
func Function(language, word string) bool {
	word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
	if language == "" {
		language = "en"
	}
	if words, ok := functionWords[language]; ok {
		return slices.ContainsFunc(words()[word], func(section string) bool { return section != searchSection })
	}
	return slices.Contains(frequent()[word], language)
}

// searchSection has words that mean something in a statement, and that a search does without: quantities, modal verbs, question words,
// negations.
const searchSection = "search"

// Omitted reports whether a search in a language does without a word in small letters: a function word, or one of those that only a
// statement needs.
func Omitted(language, word string) bool { return functionWords[language]()[word] != nil }
