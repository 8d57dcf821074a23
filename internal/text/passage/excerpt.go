package passage

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Excerpt returns the part of a text, at most chars code points, that has most of a query's words: whole sentences, or a part of
// one that is longer.
func Excerpt(text, query string, chars int) Passage {
	whole := block{end: utf8.RuneCountInString(text), byteEnd: len(text)}
	if whole.end <= chars {
		return whole.passage(text)
	}
	counts := map[string]int{} // of the query's words, in the pieces from one up to to
	for _, w := range queryWords(query) {
		if !w.function {
			counts[w.term] = 0
		}
	}
	pieces, terms := excerptPieces(text, max(1, chars), counts)
	var best block
	to, has, most := 0, 0, -1
	for from, first := range pieces {
		for ; to < len(pieces) && (to <= from || pieces[to].end-first.start <= chars); to++ {
			for _, term := range terms[to] {
				if counts[term]++; counts[term] == 1 {
					has++
				}
			}
		}
		if has > most {
			last := pieces[to-1]
			best, most = block{start: first.start, end: last.end, byteStart: first.byteStart, byteEnd: last.byteEnd}, has
		}
		for _, term := range terms[from] {
			if counts[term]--; counts[term] == 0 {
				has--
			}
		}
	}
	return best.passage(text)
}

// excerptPieces returns the sentences of a text, those that are too long in parts of a third of an excerpt, and the wanted terms
// of each piece.
func excerptPieces(text string, chars int, wanted map[string]int) (pieces []block, terms [][]string) {
	for _, s := range sentences(text) {
		if s.end-s.start <= chars {
			pieces = append(pieces, s)
		} else {
			pieces = append(pieces, s.pieces(text, words.Cut(s.of(text), max(1, chars/3)))...)
		}
	}
	terms = make([][]string, len(pieces))
	var a words.Analyzer
	for i, p := range pieces {
		a.SearchTerms(p.of(text), func(t words.SearchTerm) {
			if _, is := wanted[t.Term]; is {
				terms[i] = append(terms[i], t.Term)
			}
		})
	}
	return pieces, terms
}
