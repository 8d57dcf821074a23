package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// claimLanguage tells the language of a claim as a subtag of BCP 47: one that has a lexicon, or the one of its
// source where the claim has too few words to tell; "" where neither is known.
func claimLanguage(text, source string) string {
	han, kana, letters := 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			letters++
		}
	}
	switch {
	case kana > 0 && 4*(kana+han) > letters:
		return "ja"
	case 3*han > letters:
		if source == "ja" && han < 8 {
			return "ja"
		}
		return "zh"
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	found, told := make(map[string]int), make(map[string]float64) // function words; of these, one that several languages have tells less
	for _, w := range words {
		var of []string
		for _, language := range spaced {
			if _, ok := lexicon.For(language).Is(lexicon.Function, w); ok {
				of = append(of, language)
			}
		}
		for _, language := range of {
			found[language]++
			told[language] += 1 / float64(len(of))
		}
	}
	for _, line := range wordlist.Lines("letters") {
		if strings.ContainsAny(text, strings.Join(line.Words, "")) {
			told[line.Section]++
		}
	}
	told[source] += 0.5
	best := ""
	for _, language := range spaced {
		if found[language] > 0 && (best == "" || told[language] > told[best]) {
			best = language
		}
	}
	const enough = 5 // one word in so many is a function word
	if best == "" || found[best]*enough < len(words) {
		return source
	}
	return best
}

// spaced are the languages with a lexicon that write spaces.
var spaced = []string{"en", "de", "fr", "es"}

// sourceLanguage tells the language of a source.
func sourceLanguage(text string) string {
	han, kana, other := 0, 0, 0
	for i, r := range text {
		if i > 6000 {
			break
		}
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			other++
		}
	}
	switch {
	case kana > 0 && 2*(kana+han) > other && 6*kana > han:
		return "ja"
	case 2*han > other:
		return "zh"
	}
	const short = 400 // bytes: too few words for the statistics
	if language := passages.LanguageOf(text); language != "" || len(text) > short {
		return language
	}
	return claimLanguage(text, "")
}
