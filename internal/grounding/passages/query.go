package passages

import (
	"slices"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

const (
	// lessForFunction is what a function word of a query counts against another word (chosen).
	lessForFunction = 0.1
	// relatedWeight is what a related word counts against the word of the query itself. Chosen on half of the questions on
	// Debian's documentation (bench/README.md): .4 to .6 give the same.
	relatedWeight = 0.5
	// familyWeight is what a word counts that is derived from the query's word, or that it is derived from (read and reader).
	// Chosen on the same half: .7 to .9 give the same.
	familyWeight = 0.7
)

// Variant is a term that says what a word says; Match is how well, up to 1.
type Variant struct {
	Term  string
	Match float64
}

// Related returns the terms that texts use where a question has a word, by the term of that word. They belong to related and
// derived words. Function words have none, and only English has any.
func Related(question string) map[string][]Variant {
	if claimLanguage(question, nil) != "en" {
		return nil
	}
	words := lexicon.For("en")
	out := make(map[string][]Variant)
	var a Analyzer
	a.Tokens(question, func(t Token) {
		word := question[t.ByteStart:t.ByteEnd]
		if _, function := words.Is(lexicon.Function, word); function || out[t.Term] != nil {
			return
		}
		for _, term := range related()[t.Term] {
			out[t.Term] = append(out[t.Term], Variant{term, relatedWeight})
		}
		for _, base := range words.Bases(word) {
			for _, derived := range words.Family(base) {
				if terms := Terms(derived); len(terms) == 1 {
					out[t.Term] = append(out[t.Term], Variant{terms[0], familyWeight})
				}
			}
		}
	})
	return out
}

// queryWord is a word of a query with the terms that answer it, its own first.
type queryWord struct {
	text     string
	variants []Variant
	function bool // such as "the"
	pair     bool // a pair of characters of a script without spaces
}

// queryWords returns the words of a query, each once.
func queryWords(query string) []queryWord {
	words := lexiconOf(query, nil)
	others := Related(query)
	var a Analyzer
	var out []queryWord
	seen := make(map[string]bool)
	a.Tokens(query, func(t Token) {
		if seen[t.Term] {
			return
		}
		seen[t.Term] = true
		w := queryWord{text: query[t.ByteStart:t.ByteEnd], pair: t.Pair}
		own := Variant{t.Term, 1}
		if _, w.function = words.Is(lexicon.Function, w.text); w.function {
			own.Match = lessForFunction
		}
		w.variants = append([]Variant{own}, others[t.Term]...)
		out = append(out, w)
	})
	return out
}

// Absent lists the words of a query, without function words, that no passage of the documents that keep accepts (nil: all)
// has, not even as a related word or one that begins alike. keep must not call the index.
func (ix *Index) Absent(query string, keep func(doc string) bool) []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var out []string
	for _, word := range queryWords(query) {
		if word.function || word.pair || slices.ContainsFunc(word.variants, func(v Variant) bool { return ix.has(v.Term, keep) }) {
			continue
		}
		own := word.variants[0].Term
		alike := false // weight and weigh
		for term := range ix.terms {
			if short := min(len(own), len(term)); short >= minAlike && max(len(own), len(term)) <= short+1 && own[:short] == term[:short] && ix.has(term, keep) {
				alike = true
				break
			}
		}
		if !alike {
			out = append(out, word.text)
		}
	}
	return out
}

// minAlike letters and at most one more make a form of the same word (chosen).
const minAlike = 5

// has reports whether a passage of the documents that keep accepts has a term.
func (ix *Index) has(term string, keep func(doc string) bool) bool {
	n, ok := ix.terms[term]
	return ok && slices.ContainsFunc(ix.postings[n], func(p posting) bool {
		e := &ix.entries[p.id]
		return !e.removed && (keep == nil || keep(e.doc))
	})
}
