package words

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Language detects the language of a text, a sentence of some six words at least: the primary subtag of BCP 47, one of en,
// de, fr, es, it, pt, nl, sv, no, hu, pl by frequent words, or zh, ja, ko, ru, ar, hi, th, he, el by script, also for shorter texts.
// A script counts as its most widely read language: Ukrainian as ru. "" is unknown: another language, a list of names, too few
// words. Close relatives may be taken for a listed one: Danish for no, Catalan for es. It reads the beginning of a text.
func Language(text string) string {
	text = text[:min(len(text), 6000)] // some thousand words
	if language := Script(text); language != "" {
		return language
	}
	text = strings.NewReplacer("’", "' ", "'", "' ").Replace(strings.ToLower(text)) // "l' eau"
	// what a word tells is shared by the languages that have it
	told := map[string]float64{}
	all, polish := 0.0, 0.0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		all++
		of := frequent()[word]
		for _, language := range of {
			told[language] += 1 / float64(len(of))
		}
		if strings.ContainsAny(word, "ąęłńśźż") {
			polish++
		}
	}
	if told["pl"] > 0 { // its inflected words are many; a name such as Łódź alone tells nothing
		told["pl"] += polish / 2
	}
	best := slices.SortedStableFunc(slices.Values(latin), func(a, b string) int { return cmp.Compare(told[b], told[a]) })
	const (
		share  = 10  // one word in so many of prose is a frequent one at least; of a list of names or a program fewer are
		margin = 1.2 // to the next language
	)
	if most := told[best[0]]; most < 1 || most*share < all || most < margin*told[best[1]] {
		return ""
	}
	return best[0]
}

// latin are the languages that are told by their words, the most used first.
var latin = []string{"en", "de", "fr", "es", "it", "pt", "nl", "sv", "no", "hu", "pl"}

// scripts tell a language. A character of Chinese, Japanese or Korean says as much as two letters.
var scripts = []struct {
	language string
	script   *unicode.RangeTable
	weight   int
}{
	{"", unicode.Latin, 1}, {"zh", unicode.Han, 2}, {"ja", unicode.Hiragana, 2}, {"ja", unicode.Katakana, 2}, {"ko", unicode.Hangul, 2},
	{"ru", unicode.Cyrillic, 1}, {"ar", unicode.Arabic, 1}, {"hi", unicode.Devanagari, 1}, {"th", unicode.Thai, 1},
	{"he", unicode.Hebrew, 1}, {"el", unicode.Greek, 1},
}

// Script returns the language of the script that most of a text is written in, "" for Latin and other scripts.
func Script(text string) (best string) {
	counts := map[string]int{}
	for _, r := range text {
		for _, s := range scripts {
			if unicode.Is(s.script, r) {
				counts[s.language] += s.weight
				break
			}
		}
	}
	if 5*counts["ja"] > counts["zh"] { // Japanese prose is half kana; Chinese has almost none
		counts["ja"] += counts["zh"]
		counts["zh"] = 0
	}
	for _, s := range scripts {
		if counts[s.language] > counts[best] {
			best = s.language
		}
	}
	return best
}
