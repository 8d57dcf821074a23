package passages

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// Excerpt returns the part of a text, at most chars code points, that has most of a query's words. It begins with a
// sentence if one begins there or if no other part has more of the words, else with a word.
func Excerpt(text, query string, chars int) Passage {
	if whole := (Passage{0, utf8.RuneCountInString(text), text}); whole.End <= chars {
		return whole
	}
	wanted := map[string]bool{}
	english := lexicon.For("en")
	var a Analyzer
	a.Tokens(query, func(t Token) {
		if _, function := english.Is(lexicon.Function, query[t.ByteStart:t.ByteEnd]); !function {
			wanted[t.Term] = true
		}
	})
	var words []Token // of the text
	a.Tokens(text, func(t Token) { words = append(words, t) })
	sentences := map[int]bool{0: true}
	for _, s := range sentenceSpans(text) {
		sentences[s.start] = true
	}
	best, most := Token{}, -1
	for i, first := range words {
		seen := map[string]bool{}
		for _, t := range words[i:] {
			if t.End-first.Start > chars {
				break
			}
			if wanted[t.Term] {
				seen[t.Term] = true
			}
		}
		n := 2 * len(seen)
		if sentences[first.Start] {
			n++
		}
		if n > most {
			best, most = first, n
		}
	}
	from := span{start: best.Start, end: utf8.RuneCountInString(text), byteStart: best.ByteStart, byteEnd: len(text)}
	return from.cut(text, chars)[0].passage(text)
}
