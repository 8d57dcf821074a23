package words

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data
var files embed.FS

// line is one line of a list: "[section]" opens a section, "#" begins a comment, and other lines are words separated by commas.
type line struct {
	section string
	words   []string
}

// list returns the lines of an embedded list. A test reads each, so that none is missing.
func list(name string) []line {
	data, _ := files.ReadFile("data/" + name + ".txt")
	var out []line
	section := ""
	for raw := range strings.Lines(string(data)) {
		text, _, _ := strings.Cut(raw, "#")
		text = strings.TrimSpace(text)
		if head, ok := strings.CutPrefix(text, "["); ok {
			section = strings.TrimSuffix(head, "]")
			continue
		}
		if text == "" {
			continue
		}
		l := line{section: section}
		for w := range strings.SplitSeq(text, ",") {
			if w = strings.TrimSpace(w); w != "" {
				l.words = append(l.words, w)
			}
		}
		out = append(out, l)
	}
	return out
}

// functionLists are the languages that have a list of function words.
var functionLists = []string{"de", "en", "es", "fr", "ja", "zh"}

// classes maps each function word of a language to its class, such as "determiner".
var classes = func() map[string]func() map[string]string {
	out := map[string]func() map[string]string{}
	for _, language := range functionLists {
		out[language] = sync.OnceValue(func() map[string]string {
			byWord := map[string]string{}
			for _, l := range list("function-" + language) {
				for _, w := range l.words {
					byWord[w] = l.section
				}
			}
			return byWord
		})
	}
	return out
}()

// Function reports whether a word adds no meaning of its own to a statement in a language. Languages without a list
// have only their most frequent words.
func Function(language, word string) bool {
	word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
	if byWord, ok := classes[language]; ok {
		return byWord()[word] != ""
	}
	return slices.Contains(frequent()[word], language)
}
