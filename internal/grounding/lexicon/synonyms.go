package lexicon

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// stemGroups are groups of synonyms in languages without WordNet. A word belongs to the group of the longest stem that,
// with a known ending, forms it.
type stemGroups struct {
	groups  map[string]string // first stem of the group, by stem
	endings map[string]bool
}

// leastStem is the shortest stem of a group, in letters.
const leastStem = 4

// addLine reads a line of stems or endings.
func (s *stemGroups) addLine(class, line string) {
	if s.groups == nil {
		s.groups, s.endings = make(map[string]string), map[string]bool{"": true}
	}
	words := strings.Fields(line)
	for i, w := range words {
		words[i] = unaccented(w)
		if class == "ending" {
			s.endings[words[i]] = true
		} else {
			s.groups[words[i]] = words[0]
		}
	}
}

// Group returns the name of the group of synonyms of a word, or "".
func (l *Lexicon) Group(word string) string {
	if l == nil || l.synonyms.groups == nil {
		return ""
	}
	word = unaccented(word)
	for n := len(word); n >= leastStem; n-- {
		if group, ok := l.synonyms.groups[word[:n]]; ok && l.synonyms.endings[word[n:]] {
			return group
		}
	}
	return ""
}

// unaccented returns a word in lower case without accents.
func unaccented(word string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(Fold(word)) {
		switch {
		case r == 'ß':
			b.WriteString("ss")
		case r == 'œ':
			b.WriteString("oe")
		case !unicode.Is(unicode.Mn, r):
			b.WriteRune(r)
		}
	}
	return b.String()
}
