package words

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Every embedded list has sections and words of one piece, each once in a section.
func TestListsAreRead(t *testing.T) {
	entries, err := files.ReadDir("data")
	if err != nil || len(entries) != 8 {
		t.Fatalf("%d lists, %v", len(entries), err)
	}
	sections := map[string][]string{"points": {"before-name", "before-number", "before-ordinal", "may-end", "german-month", "opener"},
		"languages": latin}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".txt")
		words := list(name)()
		if len(words) < 20 {
			t.Errorf("%s: %d words", name, len(words))
		}
		for word, of := range words {
			if strings.ContainsFunc(word, unicode.IsSpace) || word != strings.ToLower(word) && !slices.Contains(of, "opener") ||
				strings.Contains(word, "’") {
				t.Errorf("%s: word %q", name, word)
			}
			for i, section := range of {
				known, fixed := sections[name]
				if section == "" || slices.Contains(of[:i], section) || fixed && !slices.Contains(known, section) {
					t.Errorf("%s: %q in %q", name, word, of)
				}
			}
		}
	}
	for language := range functionWords {
		if len(functionWords[language]()) < 100 {
			t.Errorf("function words of %s: %d", language, len(functionWords[language]()))
		}
	}
}

func TestFunction(t *testing.T) {
	for _, word := range []string{"de Der", "en the", "en itself", " of", "fr l’", "es los", "ja の", "zh 的", "it della", "nl het"} {
		if language, word, _ := strings.Cut(word, " "); !Function(language, word) {
			t.Errorf("Function(%q, %q) = false", language, word)
		}
	}
	for _, word := range []string{"en der", "de Haus", "it mare", "xx the", " not"} {
		if language, word, _ := strings.Cut(word, " "); Function(language, word) {
			t.Errorf("Function(%q, %q) = true", language, word)
		}
	}
}
