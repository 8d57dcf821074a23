package remark

import (
	"slices"

	"github.com/citeloop/citeloop/internal/text/words"
)

// leadWords is how many words before a quotation can deny or restrict it (chosen: "there is no evidence at all that …").
const leadWords = 6

// LeftOut returns a word that denies or restricts a quotation and that the quotation leaves out, or "". before is the part of its
// sentence before the quotation, and stretch the part of the text that it comes from, with what an ellipsis stands for. A
// claim that says the word itself does not leave it out.
func LeftOut(quotation, claim, before, stretch string) string {
	language := words.Language(stretch + " " + claim)
	analyzer := words.NewAnalyzer(language)
	said := append(scan(analyzer, language, quotation), scan(analyzer, language, claim)...)
	left := scan(analyzer, language, before)
	left = left[max(0, len(left)-leadWords):]
	for _, t := range scan(analyzer, language, stretch) {
		if !slices.ContainsFunc(said, func(s token) bool { return s.Term == t.Term }) {
			left = append(left, t)
		}
	}
	telling := slices.Concat(listed("negation", language), listed("condition", language))
	for _, at := range find(telling, listed("harmless", language), left) {
		if word := left[at]; !slices.ContainsFunc(said, func(s token) bool { return s.Term == word.Term }) {
			return word.text
		}
	}
	return ""
}
