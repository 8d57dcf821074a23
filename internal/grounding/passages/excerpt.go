package passages

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// Excerpt returns the part of a text, at most chars code points, that has most of a query's words: whole sentences, or words of
// a sentence that is longer, if that has more than twice as many of the query's words.
func Excerpt(text, query string, chars int) Passage { return excerpt(text, query, chars, chars) }

// ExcerptSentences is Excerpt, except that a single sentence may have twice as many characters.
func ExcerptSentences(text, query string, chars int) Passage {
	return excerpt(text, query, chars, 2*chars)
}

// excerpt is Excerpt; a single sentence may have longest characters.
func excerpt(text, query string, chars, longest int) Passage {
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
	count := func(from []Token, end int) int {
		seen := map[string]bool{}
		for _, t := range from {
			if t.End > end {
				break
			}
			if wanted[t.Term] {
				seen[t.Term] = true
			}
		}
		return len(seen)
	}
	part, most := span{}, -1
	next := 0 // the first word of the sentence
	sentences := sentenceSpans(text)
	for i, first := range sentences {
		for next < len(words) && words[next].Start < first.start {
			next++
		}
		if first.end-first.start > longest {
			continue
		}
		last := first
		for _, s := range sentences[i+1:] {
			if s.end-first.start > chars {
				break
			}
			last = s
		}
		if n := count(words[next:], last.end); n > most {
			part, most = span{start: first.start, end: last.end, byteStart: first.byteStart, byteEnd: last.byteEnd}, n
		}
	}
	enough := 2 * most // words for which whole sentences are given up
	for i, first := range words {
		if n := count(words[i:], first.Start+chars); n > most && n > enough {
			rest := span{start: first.Start, end: utf8.RuneCountInString(text), byteStart: first.ByteStart, byteEnd: len(text)}
			part, most = rest.cut(text, chars)[0], n
		}
	}
	if most < 0 { // no words at all
		return span{end: utf8.RuneCountInString(text), byteEnd: len(text)}.cut(text, chars)[0].passage(text)
	}
	return part.passage(text)
}
