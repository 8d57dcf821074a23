package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
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
	best, most := "", 0
	for _, language := range []string{"en", "de", "fr", "es"} {
		n := 0
		l := lexicon.For(language)
		for _, w := range words {
			if _, ok := l.Is(lexicon.Function, w); ok {
				n += 2
			}
		}
		if language == source {
			n++
		}
		if n > most {
			best, most = language, n
		}
	}
	const enough = 5 // one word in so many is a function word
	if most < 2 || most*enough < 2*len(words) {
		return source
	}
	return best
}

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
	return passages.LanguageOf(text)
}
