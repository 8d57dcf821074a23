package remark

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/text/words"
)

//go:embed data/words.txt
var wordFile string

// phrase is a sequence of terms.
type phrase []string

// lists are the phrases of each section of the file, such as "negation en": one entry a line, and two for a line of opposites.
// They are read with the analyzer that reads texts of their language.
var lists = sync.OnceValue(func() map[string][][]phrase {
	out := map[string][][]phrase{}
	for section, line := range datafile.Sections(wordFile) {
		_, language, _ := strings.Cut(section, " ")
		analyzer := words.NewAnalyzer(language)
		for side := range strings.SplitSeq(line, "|") {
			var phrases []phrase
			for text := range strings.SplitSeq(side, ",") {
				phrases = append(phrases, phrase{})
				for _, t := range scan(analyzer, language, text) {
					phrases[len(phrases)-1] = append(phrases[len(phrases)-1], t.Term)
				}
			}
			out[section] = append(out[section], phrases)
		}
	}
	return out
})

// listed returns all phrases of a kind in a language.
func listed(kind, language string) []phrase { return slices.Concat(lists()[kind+" "+language]...) }

// match returns the length of the longest phrase that begins tokens, 0 for none.
func match(phrases []phrase, tokens []token) (longest int) {
	for _, p := range phrases {
		same := func(term string, t token) bool { return t.Term == term }
		if len(p) > longest && len(p) <= len(tokens) && slices.EqualFunc(p, tokens[:len(p)], same) {
			longest = len(p)
		}
	}
	return longest
}

// find returns where phrases begin in tokens. Harmless phrases are skipped.
func find(phrases, harmless []phrase, tokens []token) (places []int) {
	for i := 0; i < len(tokens); {
		skip := match(harmless, tokens[i:])
		if skip == 0 {
			if skip = match(phrases, tokens[i:]); skip > 0 {
				places = append(places, i)
			}
		}
		i += max(skip, 1)
	}
	return places
}

// opposed returns where a pair of opposites stands, one in a and the other in b.
func opposed(language string, a, b []token) (i, iEnd, j, jEnd int) {
	pairs := lists()["opposite "+language]
	for k, left := range pairs {
		right := pairs[k^1]
		if at, bt := find(left, nil, a), find(right, nil, b); len(at) > 0 && len(bt) > 0 {
			return at[0], at[0] + match(left, a[at[0]:]), bt[0], bt[0] + match(right, b[bt[0]:])
		}
	}
	return 0, 0, 0, 0
}
