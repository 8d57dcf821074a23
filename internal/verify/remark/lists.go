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

// What a phrase means. Those of the two sides of a pair of opposites are even and odd.
const (
	harmless  = iota // it has a negation and denies nothing
	negation         // it denies
	opposites        // the first pair
)

// phrase is a sequence of terms.
type phrase struct {
	terms   []string
	meaning int
}

// lexicon has the phrases of a language by their first terms.
type lexicon map[string][]phrase

// lexicons are read with the analyzer that reads texts of their language: one phrase after the other on a line, and two sides on a line of
// opposites.
var lexicons = sync.OnceValue(func() map[string]lexicon {
	out, next := map[string]lexicon{}, opposites
	for section, line := range datafile.Sections(wordFile) {
		kind, language, _ := strings.Cut(section, " ")
		if out[language] == nil {
			out[language] = lexicon{}
		}
		meaning, listed := map[string]int{"harmless": harmless, "negation": negation}[kind]
		analyzer := words.NewAnalyzer(language)
		for side := range strings.SplitSeq(line, "|") {
			if !listed {
				meaning, next = next, next+1
			}
			for text := range strings.SplitSeq(side, ",") {
				p := phrase{meaning: meaning}
				for _, t := range scan(analyzer, language, text) {
					p.terms = append(p.terms, t.Term)
				}
				if len(p.terms) > 0 {
					out[language][p.terms[0]] = append(out[language][p.terms[0]], p)
				}
			}
		}
	}
	return out
})

// beginning returns the phrases that tokens begin with.
func (l lexicon) beginning(tokens []token) (out []phrase) {
	for _, p := range l[tokens[0].Term] {
		n := 0
		for n < len(p.terms) && n < len(tokens) && tokens[n].Term == p.terms[n] {
			n++
		}
		if n == len(p.terms) {
			out = append(out, p)
		}
	}
	return out
}

// negations returns where tokens deny.
func (l lexicon) negations(tokens []token) (places []int) {
	for i := 0; i < len(tokens); {
		denies, skip := false, 0
		for _, p := range l.beginning(tokens[i:]) {
			if denies = denies || p.meaning == negation; p.meaning == harmless {
				skip = max(skip, len(p.terms))
			}
		}
		if denies && skip == 0 {
			places = append(places, i)
		}
		i += max(skip, 1)
	}
	return places
}

func (l lexicon) denies(tokens []token) bool { return len(l.negations(tokens)) > 0 }

// opposed returns where opposites stand, one in a and the other in b.
func (l lexicon) opposed(a, b []token) (at hunk, ok bool) {
	for i := range a {
		for _, p := range l.beginning(a[i:]) {
			for j := range b {
				for _, q := range l.beginning(b[j:]) {
					if p.meaning >= opposites && p.meaning^1 == q.meaning {
						return hunk{i, i + len(p.terms), j, j + len(q.terms)}, true
					}
				}
			}
		}
	}
	return at, false
}
