// Package remark says about a claim what can be said without a reader: which quantities the cited blocks lack, and where a
// nearly verbatim sentence denies what its source says, or says the opposite. A remark puts a claim at the front of the reader's queue. It
// is never a verdict: a claim without remarks may be false, and one with remarks true.
//
//   - Quantities: a number, date or measure that the blocks lack where they have another one in its place.
//   - Near-verbatim sentences: the claim is aligned word by word with the best sentence of the blocks. Where the words around
//     it are the same, a negation and an opposite are visible.
//
// Both are blind to paraphrases, which share too few words with their source. data/words.txt has short lists of negations
// and opposites for six languages; the alignment does the rest.
//
// Files, each using only those above it: tokens.go (a text as comparable words), lists.go (the lists of words), align.go (the
// alignment with the best sentence), numbers.go (quantities), changes.go (near-verbatim sentences), remark.go (Find).
package remark

import (
	"cmp"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Find returns the remarks on a claim that cites blocks.
func Find(claim string, blocks []Block) []Remark {
	var beginning strings.Builder
	for i := 0; i < len(blocks) && beginning.Len() < 6000; i++ {
		beginning.WriteString(blocks[i].Text + "\n")
	}
	claimLanguage, language := words.Language(claim), words.Language(beginning.String())
	language = cmp.Or(language, claimLanguage, "en")
	claimLanguage = cmp.Or(claimLanguage, language)
	analyzer := words.NewAnalyzer(language)
	tokens, all := scan(analyzer, claimLanguage, claim), sentences(analyzer, language, blocks)
	if len(tokens) == 0 || len(tokens) > maxTokens {
		return nil
	}
	var have []placed
	wanted := place(claimLanguage, claim, tokens, nil)
	for i := 0; len(wanted) > 0 && i < len(all); i++ {
		have = append(have, place(language, all[i].Text, all[i].tokens, &all[i])...)
	}
	out := numbers(wanted, have)
	s, known := best(tokens, all), lexicons()[language]
	if s == nil || known == nil {
		return out
	}
	x := changes{sentence: s, lexicon: known, text: claim, claim: tokens}
	return append(out, x.compare()...)
}
