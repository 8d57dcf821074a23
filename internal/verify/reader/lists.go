package reader

import (
	"embed"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
)

//go:embed data
var files embed.FS

var languages = []string{"de", "en", "es", "fr", "ja", "zh"}

// tables are the words of every language, by language and section. A test reads every file.
var tables = sync.OnceValue(func() map[string]map[string][]datafile.Swap {
	out := map[string]map[string][]datafile.Swap{}
	for _, language := range languages {
		data, _ := files.ReadFile("data/" + language + ".txt")
		out[language] = datafile.Swaps(string(data))
	}
	return out
})

// lists reports whether a word of a section, of whatever language, is as asked for.
func lists(section string, is func(word string) bool) bool {
	return slices.ContainsFunc(languages, func(language string) bool {
		return slices.ContainsFunc(tables()[language][section], func(s datafile.Swap) bool { return is(s.From) })
	})
}

// Same are the replacements of words that say the same in a language.
func Same(language string) []datafile.Swap { return tables()[language][datafile.Same] }
