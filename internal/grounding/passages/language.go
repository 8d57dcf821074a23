package passages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// functionWords are short words that prose of a language cannot do without and that are rare in the others
// of the list. Chosen from the most frequent words of each; a word that two of them share says nothing and is
// left out, unless it is among the very first of one of them.
func functionWords() map[string][]string {
	return map[string][]string{
		"en": {"the", "and", "of", "to", "is", "that", "it", "with", "for", "was", "are", "this", "which", "be"},
		"de": {"der", "die", "und", "das", "ist", "nicht", "mit", "den", "von", "zu", "ein", "eine", "auf", "wird", "dem", "sich"},
		"fr": {"le", "les", "et", "des", "une", "est", "dans", "pour", "du", "qui", "sur", "pas", "avec", "au", "il", "sont"},
		"es": {"el", "los", "las", "y", "una", "es", "por", "con", "para", "del", "se", "su", "como", "más", "al", "pero"},
		"it": {"il", "di", "che", "è", "della", "sono", "gli", "per", "nel", "anche", "più", "dei", "alla", "una"},
		"pt": {"o", "os", "uma", "não", "do", "da", "em", "dos", "com", "mais", "pelo", "são", "ao", "também", "das"},
		"nl": {"het", "een", "van", "en", "niet", "zijn", "voor", "met", "dat", "aan", "ook", "wordt", "bij", "naar"},
		"sv": {"och", "att", "det", "som", "inte", "är", "för", "av", "ett", "till", "har", "med", "på", "från"},
		"no": {"og", "ikke", "det", "er", "som", "på", "til", "av", "et", "har", "ble", "fra", "jeg", "være"},
		"hu": {"a", "az", "és", "hogy", "nem", "egy", "is", "volt", "van", "meg", "ez", "csak", "mint", "már"},
	}
}

// LanguageOf tells the language in which a text is written, by its most frequent words and its script, as the
// primary subtag of BCP 47: one of en, de, fr, es, it, pt, nl, sv, no, hu, ru; "" where it is another, or the
// text is too short to tell. It reads the beginning of the text.
func LanguageOf(text string) string {
	const enough = 6000 // bytes: some thousand words, of which every third is a function word
	if len(text) > enough {
		text = text[:enough]
	}
	byWord := map[string][]string{}
	for language, words := range functionWords() {
		for _, w := range words {
			byWord[w] = append(byWord[w], language)
		}
	}
	counts := map[string]float64{}
	words, cyrillic := 0, 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		words++
		if first, _ := utf8.DecodeRuneInString(w); unicode.Is(unicode.Cyrillic, first) {
			cyrillic++
		}
		for _, language := range byWord[w] {
			counts[language] += 1 / float64(len(byWord[w]))
		}
	}
	if words >= 10 && 2*cyrillic > words {
		return "ru"
	}
	best, second := "", 0.0
	for language, n := range counts {
		switch {
		case best == "" || n > counts[best] || n == counts[best] && language < best:
			if best != "" {
				second = max(second, counts[best])
			}
			best = language
		default:
			second = max(second, n)
		}
	}
	// Prose has a tenth of such words at least; a list of names or a program has fewer, and tells nothing.
	if best == "" || counts[best] < 5 || counts[best]*12 < float64(words) || counts[best] < 1.2*second {
		return ""
	}
	return best
}
