package reader

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
)

//go:embed data
var files embed.FS

var languages = []string{"de", "en", "es", "fr", "ja", "zh"}

// swap replaces words by others. In a list there are no others.
type swap struct{ from, to string }

// tables are the words of every language, by language and section. A test reads every file.
var tables = sync.OnceValue(func() map[string]map[string][]swap {
	out := map[string]map[string][]swap{}
	for _, language := range languages {
		data, _ := files.ReadFile("data/" + language + ".txt")
		out[language] = parse(string(data))
	}
	return out
})

// parse reads "from -> to" lines, "a <-> b" lines for both directions, and lines of a list. The longest phrases of a section
// come first.
func parse(data string) map[string][]swap {
	out := map[string][]swap{}
	for section, line := range datafile.Sections(data) {
		from, to, _ := strings.Cut(line, " -> ")
		if a, b, both := strings.Cut(line, " <-> "); both {
			from, to = a, b
			out[section] = append(out[section], swap{b, a})
		}
		out[section] = append(out[section], swap{from, to})
	}
	for _, swaps := range out {
		slices.SortStableFunc(swaps, func(a, b swap) int { return len(b.from) - len(a.from) })
	}
	return out
}

// lists reports whether a word of a section, of whatever language, is as asked for.
func lists(section string, is func(word string) bool) bool {
	return slices.ContainsFunc(languages, func(language string) bool {
		return slices.ContainsFunc(tables()[language][section], func(s swap) bool { return is(s.from) })
	})
}
