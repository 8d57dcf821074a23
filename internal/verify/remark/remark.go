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
	foreign := claimLanguage != "" && language != "" && claimLanguage != language
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
	if s := best(tokens, all); s != nil && !foreign {
		x := changes{alignment: align(tokens, s), text: claim, language: language, all: all}
		x.negations, x.harmless = listed("negation", language), listed("harmless", language)
		out = append(out, x.compare()...)
	}
	return out
}

// Verbatim reports whether the whole claim stands in one of blocks, word for word: case, marks and spaces may differ.
func Verbatim(claim string, blocks []Block) bool {
	analyzer := words.NewAnalyzer("")
	key := func(text string) string {
		var b strings.Builder
		for _, t := range scan(analyzer, "", text) {
			b.WriteString(" " + words.Fold(t.text))
		}
		return b.String() + " "
	}
	wanted := key(claim)
	for _, b := range blocks {
		if wanted != " " && strings.Contains(key(b.Text), wanted) {
			return true
		}
	}
	return false
}
