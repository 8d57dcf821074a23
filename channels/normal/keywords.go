package normal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
	"golang.org/x/text/unicode/norm"
)

// Keywords returns the words of a query without English function words, in order, without repeats: search engines that require every
// word find nothing with them.
func Keywords(text string) []string {
	var about []string
	seen := map[string]bool{}
	for _, word := range Words(text) {
		low := strings.ToLower(word)
		if !questionWord(word) && !seen[low] {
			seen[low] = true
			about = append(about, word)
		}
	}
	return about
}

// KeywordsOrWords returns the keywords of a text, or all its words if it has only question words, such as "who" and "the".
func KeywordsOrWords(text string) []string {
	if about := Keywords(text); len(about) > 0 {
		return about
	}
	return Words(text)
}

// QueryTerms returns the words of each quoted phrase of a query, and the keywords of the rest. The question words of the
// rest are dropped only if another term is left.
func QueryTerms(text string) (quoted []string, about []string) {
	for _, m := range Phrases.FindAllStringSubmatch(text, -1) {
		if phrase := Words(m[1]); len(phrase) > 0 {
			quoted = append(quoted, strings.Join(phrase, " "))
		}
	}
	rest := Phrases.ReplaceAllString(text, " ")
	if len(quoted) > 0 {
		return quoted, Keywords(rest)
	}
	return nil, KeywordsOrWords(rest)
}

// Words splits a text into words: letters and digits joined by hyphens, dots, plus and number signs. It drops quotes,
// brackets and operators.
func Words(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune("-.+#'’", r)
	}) {
		if word = strings.Trim(word, "-.'’"); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// questionWord reports a function word. One in capitals is an abbreviation: "WHO", "US".
func questionWord(word string) bool {
	return (len(word) < 2 || word != strings.ToUpper(word)) && words.Omitted("en", strings.ToLower(word))
}

// Phrases finds quoted phrases.
var Phrases = lazyregexp.New(`"([^"]+)"`)

// ProperName returns the first run of capitalised words in a query, without question words, or "".
func ProperName(text string) string {
	var run []string
	for _, w := range Words(text) {
		first, _ := utf8.DecodeRuneInString(w)
		if unicode.IsUpper(first) && !questionWord(w) || len(run) > 0 && unicode.IsNumber(first) {
			run = append(run, w)
		} else if len(run) > 0 {
			break
		}
	}
	return strings.Join(run, " ")
}

// Unaccented returns a query without the accents that ZIM files omit from their index ("Mühle" is indexed as "muhle").
// kiwix-serve 3.3.0 does not remove them itself.
func Unaccented(text string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}
