package grounding

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// claimLanguage tells the language of a claim as a subtag of BCP 47: one that has a lexicon, or the one of its
// source where the claim has too few words to tell; "" where neither is known.
func claimLanguage(text, source string) string {
	han, kana, letters := scripts(text)
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
	found, told := make(map[string]int), make(map[string]float64) // listed words; of these, one that several languages have tells less
	for _, w := range words {
		of := languagesOf(w)
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
	for language := range found {
		if told[language] > told[best] && found[language]*enough >= len(words) { // one without a lexicon
			return ""
		}
	}
	switch {
	case best != "" && found[best]*enough >= len(words):
		return best
	case source == "" && english(words):
		return "en"
	}
	return source
}

// scripts counts the Chinese characters, the Japanese ones and the other letters of a text.
func scripts(text string) (han, kana, other int) {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			other++
		}
	}
	return han, kana, other
}

// languagesOf lists the languages that have a word as a function word, or in French with a function word that is elided.
func languagesOf(word string) []string {
	out := passages.FunctionWordOf(word)
	if !strings.ContainsAny(word, "'’") && !functionWords()[lexicon.Fold(word)] {
		return out
	}
	for _, language := range spaced {
		l := lexicon.For(language)
		_, ok := l.Is(lexicon.Function, word)
		if elided := strings.IndexAny(word, "'’"); !ok && language == "fr" && elided > 0 {
			_, ok = l.Is(lexicon.Function, word[:elided]+"'")
		}
		if ok && !slices.Contains(out, language) {
			out = append(out, language)
		}
	}
	return out
}

// functionWords are the function words of one word of all languages in spaced.
var functionWords = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool)
	for _, language := range spaced {
		for _, word := range lexicon.For(language).Words(lexicon.Function, "", "") {
			words[lexicon.Fold(word)] = true
		}
	}
	return words
})

// english reports whether most words of a short text are English ones, and none is a function word of other languages only.
func english(words []string) bool {
	const fewest = 3
	l := lexicon.For("en")
	known, all := 0, 0
	for _, w := range words {
		if of := languagesOf(w); len(of) > 0 && !slices.Contains(of, "en") || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxLatin1 && r != '’' || r >= 0xc0 && r <= unicode.MaxLatin1 }) {
			return false
		}
		if capitalised(w) {
			continue // a name, or the first word
		}
		all++
		if len(l.Lookup(w)) > 0 || len(l.Bases(w)) > 0 {
			known++
		}
	}
	return all >= fewest && 4*known >= 3*all
}

// spaced are the languages with a lexicon that write spaces.
var spaced = []string{"en", "de", "fr", "es"}

// sourceLanguage tells the language of a source.
func sourceLanguage(text string) string {
	han, kana, other := scripts(firstBytes(text, 6000))
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
