package passage

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Excerpt returns the part of a text, at most chars code points, that has most of a query's words: whole sentences, or a part of
// one that is longer.
func Excerpt(text, query string, chars int) Passage {
	if n := utf8.RuneCountInString(text); n <= chars {
		return Passage{End: n, Text: text}
	}
	counts := map[string]int{} // of the query's words, in the pieces from one up to end
	for _, w := range queryWords(query) {
		if !w.function {
			counts[w.term] = 0
		}
	}
	pieces, terms := excerptPieces(text, max(1, chars), counts)
	var best words.Span
	end, has, most := 0, 0, -1
	for from, first := range pieces {
		for ; end < len(pieces) && (end <= from || pieces[end].End-first.Start <= chars); end++ {
			for _, term := range terms[end] {
				if counts[term]++; counts[term] == 1 {
					has++
				}
			}
		}
		if has > most {
			best, most = to(text, first, pieces[end-1]), has
		}
		for _, term := range terms[from] {
			if counts[term]--; counts[term] == 0 {
				has--
			}
		}
	}
	return Passage{Start: best.Start, End: best.End, Text: best.Text}
}

// excerptPieces returns the sentences of a text, those that are too long in parts of a third of an excerpt, and the wanted terms
// of each piece.
func excerptPieces(text string, chars int, wanted map[string]int) (pieces []words.Span, terms [][]string) {
	for _, s := range sentences(text) {
		size := chars
		if s.End-s.Start > chars {
			size = max(1, chars/3)
		}
		pieces = append(pieces, in(s.Span, words.Cut(s.Text, size))...)
	}
	terms = make([][]string, len(pieces))
	var a words.Analyzer
	for i, p := range pieces {
		a.SearchTerms(p.Text, func(t words.SearchTerm) {
			if _, is := wanted[t.Term]; is {
				terms[i] = append(terms[i], t.Term)
			}
		})
	}
	return pieces, terms
}
