package passage

import (
	"math"
	"slices"

	"github.com/citeloop/citeloop/internal/text/words"
)

const bm25K1, bm25B = 1.2, 0.75 // BM25's usual constants (Robertson and Zaragoza, 2009)

// Weight is BM25's weight of a term that df of n passages have.
func Weight(df, n int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// Norm is BM25's norm of a passage of so many terms, where the average passage has average.
func Norm(length, average float64) float64 {
	return bm25K1 * (1 - bm25B + bm25B*length/average)
}

// Gain is what a term of a weight adds to the BM25 score of a passage that has it count times.
func Gain(weight, count, norm float64) float64 {
	return weight * count * (bm25K1 + 1) / (count + norm)
}

// queryWord is a word of a query.
type queryWord struct {
	text, term string
	function   bool // such as "the"
	pair       bool // a pair of characters of a script without spaces
}

// queryWords returns the words of a query, each once. If all are function words, none counts as one.
func queryWords(query string) []queryWord {
	language := words.Language(query)
	var a words.Analyzer
	var out []queryWord
	seen := make(map[string]bool)
	a.SearchTerms(query, func(t words.SearchTerm) {
		if !seen[t.Term] {
			seen[t.Term] = true
			out = append(out, queryWord{text: t.Written, term: t.Term, function: words.Function(language, t.Written), pair: t.Pair})
		}
	})
	if !slices.ContainsFunc(out, func(w queryWord) bool { return !w.function }) {
		for i := range out {
			out[i].function = false
		}
	}
	return out
}
