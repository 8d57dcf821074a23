package remark

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/text/words"
)

//go:embed data/words.txt
var wordFile string

// phrase is a sequence of terms. Phrases of the lists of two opposites have numbers that differ in the last bit; 0 is of no opposite.
type phrase struct {
	terms    []string
	opposite int
}

// phrases are phrases by their first term.
type phrases map[string][]phrase

// lists are the phrases of a language.
type lists struct{ negation, harmless, opposite phrases }

// allLists are the lists by language: one phrase after the other on a line, and two sides on a line of opposites. They are read with the
// analyzer that reads texts of their language.
var allLists = sync.OnceValue(func() map[string]*lists {
	out := map[string]*lists{}
	pairs := 2
	for section, line := range datafile.Sections(wordFile) {
		kind, language, _ := strings.Cut(section, " ")
		of := out[language]
		if of == nil {
			of = &lists{phrases{}, phrases{}, phrases{}}
			out[language] = of
		}
		into := map[string]phrases{"negation": of.negation, "harmless": of.harmless, "opposite": of.opposite}[kind]
		analyzer := words.NewAnalyzer(language)
		for i, side := range strings.Split(line, "|") {
			for text := range strings.SplitSeq(side, ",") {
				p := phrase{opposite: pairs + i}
				for _, t := range scan(analyzer, language, text) {
					p.terms = append(p.terms, t.Term)
				}
				if len(p.terms) > 0 {
					into[p.terms[0]] = append(into[p.terms[0]], p)
				}
			}
		}
		pairs += 2
	}
	return out
})

// match returns the longest phrase that begins tokens, with no terms for none.
func (all phrases) match(tokens []token) (longest phrase) {
	for _, p := range all[tokens[0].Term] {
		if len(p.terms) > len(longest.terms) && p.begins(tokens) {
			longest = p
		}
	}
	return longest
}

func (p phrase) begins(tokens []token) bool {
	for i, term := range p.terms {
		if i == len(tokens) || tokens[i].Term != term {
			return false
		}
	}
	return true
}

// negations returns where tokens deny. Harmless phrases are skipped.
func (l *lists) negations(tokens []token) (places []int) {
	for i := 0; i < len(tokens); {
		skip := len(l.harmless.match(tokens[i:]).terms)
		if skip == 0 {
			if skip = len(l.negation.match(tokens[i:]).terms); skip > 0 {
				places = append(places, i)
			}
		}
		i += max(skip, 1)
	}
	return places
}

func (l *lists) denies(tokens []token) bool { return len(l.negations(tokens)) > 0 }

// opposed returns where opposites stand, one in a and the other in b.
func (l *lists) opposed(a, b []token) (at hunk, ok bool) {
	for i := range a {
		for _, p := range l.opposite[a[i].Term] {
			for j := range b {
				for _, q := range l.opposite[b[j].Term] {
					if p.opposite^1 == q.opposite && p.begins(a[i:]) && q.begins(b[j:]) {
						return hunk{i, i + len(p.terms), j, j + len(q.terms)}, true
					}
				}
			}
		}
	}
	return at, false
}
