package remark

import (
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/text/words"
)

// leadWords is how many words before a quotation can deny or restrict it (chosen: "there is no evidence at all that …").
const leadWords = 6

// LeftOut returns a word that denies or restricts a quotation and that the quotation leaves out, or "". before is the part of its
// sentence before the quotation, and stretch the part of the text that it comes from, with what an ellipsis stands for. A
// claim that says the word itself does not leave it out. A word that denies counts only in the clause that the quotation goes on.
func LeftOut(quotation, claim, before, stretch string) string {
	language := words.Language(stretch + " " + claim)
	analyzer := words.NewAnalyzer(language)
	said := append(scan(analyzer, language, quotation), scan(analyzer, language, claim)...)
	lead := scan(analyzer, language, before)
	lead = lead[max(0, len(lead)-leadWords):]
	whole := scan(analyzer, language, stretch)
	left := slices.Concat(lead, whole)
	quoted := make([]bool, len(left)) // the tokens that the quotation has
	for i, t := range left {
		quoted[i] = i >= len(lead) && slices.ContainsFunc(said, func(s token) bool { return s.Term == t.Term })
	}
	if len(whole) > 0 { // a colon before a quotation divides nothing
		left[len(lead)].opens = strings.ContainsAny(afterWords(before, lead), strings.ReplaceAll(clauseMarks, ":", ""))
	}
	harmless := listed("harmless", language)
	for _, kind := range []string{"condition", "negation"} {
		for _, at := range find(listed(kind, language), harmless, left) {
			word := left[at]
			if quoted[at] || slices.ContainsFunc(said, func(s token) bool { return s.Term == word.Term }) || !isListed(kind, language, word.text) {
				continue
			}
			if kind == "condition" || reaches(left[at+1:], quoted[at+1:]) {
				return word.text
			}
		}
	}
	return ""
}

// afterWords returns what stands after the last of the words.
func afterWords(text string, words []token) string {
	if len(words) == 0 {
		return ""
	}
	return text[min(len(text), words[len(words)-1].ByteEnd):]
}

// reaches reports whether the words that follow lead to one of the quotation without a mark that ends the clause.
func reaches(tokens []token, quoted []bool) bool {
	for i, t := range tokens {
		if t.opens {
			return false
		}
		if quoted[i] {
			return true
		}
	}
	return false
}

// surfaces are the words of each section of the file as they are written.
var surfaces = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for section, line := range datafile.Sections(wordFile) {
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" ,|", r) }) {
			out[section] = append(out[section], written(word))
		}
	}
	return out
})

func written(word string) string { return words.Fold(strings.ReplaceAll(word, "’", "'")) }

// isListed reports whether a word is in a list as it is written, or a negation with another ending: "prevents" for "prevent". Words that
// only share a stem say other things: "near" and "nearly", "provides" and "provided".
func isListed(kind, language, word string) bool {
	w := written(word)
	return slices.ContainsFunc(surfaces()[kind+" "+language], func(s string) bool {
		ending, longer := strings.CutPrefix(w, s)
		if !longer {
			ending, longer = strings.CutPrefix(s, w)
		}
		return s == w || kind == "negation" && longer && len(s) > 3 && len(ending) <= 3 && ending != "ly"
	})
}
