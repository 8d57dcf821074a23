// Package query turns questions and gaps into search queries, and judges hits and texts by their words: whether they are
// about a topic, admit that nothing was found, or depend on the date.
package query

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// A search query is a few words. A gap is a sentence, so its content words are the query.
const (
	minQueryWords = 3
	maxQueryWords = 8
	// maxScriptChars bounds a query in a script without spaces: eight words of about three characters.
	maxScriptChars = 24
)

// emptyInScript are function words of Chinese and Japanese. They separate the words of a query.
var emptyInScript = strings.NewReplacer(
	"什么", " ", "哪些", " ", "为什么", " ", "怎么", " ", "如何", " ", "是否", " ", "多少", " ", "的", " ", "了", " ",
	"吗", " ", "是", " ", "在", " ", "和",
	" ", "与", " ", "有没有", " ",
	"ですか", " ", "ますか", " ", "でしょうか", " ", "どのような", " ", "どのように", " ", "なぜ", " ",
	"について", " ", "における", " ", "は", " ", "が", " ", "を", " ",
	"に", " ", "の", " ", "と", " ", "で", " ", "も", " ")

// contentWords returns the words of a text without its function words, each once, in order and as written.
func contentWords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for w := range eachWord(text) {
		if low := strings.ToLower(w); !seen[low] && !isFunction(w) {
			seen[low] = true
			out = append(out, w)
		}
	}
	return out
}

// eachWord yields the words of a text, function words included, in order and as written.
func eachWord(text string) iter.Seq[string] {
	if unspaced(text) {
		text = emptyInScript.Replace(text)
	}
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !wordRune(r) }) {
			if w = strings.Trim(w, "-'’.+#&/"); w != "" && !yield(w) {
				return
			}
		}
	}
}

// isFunction reports whether a word, or each part of a compound such as "est-elle", is a function word. A word in capitals
// is an abbreviation: "IT", "WHO".
func isFunction(w string) bool {
	if len(w) > 1 && w == strings.ToUpper(w) {
		return false
	}
	for part := range strings.FieldsFuncSeq(strings.ToLower(w), func(r rune) bool { return strings.ContainsRune("-'’", r) }) {
		if !slices.ContainsFunc([]string{"en", "de", "es", "fr"}, func(language string) bool { return words.Omitted(language, part) }) {
			return false
		}
	}
	return true
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.IndexByte("-'.+#&/%_", byte(r)) >= 0
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '’'
}

// unspaced reports whether a text is Chinese or Japanese, which are written without spaces.
func unspaced(text string) bool {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2e80 }) { // where the Han, Hiragana and Katakana blocks begin
		return false
	}
	l := words.Script(text)
	return l == "zh" || l == "ja"
}

// Of returns a search query of three to eight words for a text; the words of about complete a short one. It returns a
// query unchanged.
func Of(text string, about ...string) string {
	text = strings.Join(strings.Fields(text), " ")
	if unspaced(text) {
		return scriptQuery(text)
	}
	fields := strings.Fields(text)
	if len(fields) >= minQueryWords && IsQuery(text) {
		return text
	}
	kept := contentWords(text)
	if len(kept) == 0 {
		kept = fields
	}
	for _, w := range contentWords(strings.Join(about, " ")) {
		if len(kept) >= minQueryWords {
			break
		}
		if !slices.ContainsFunc(kept, func(have string) bool { return strings.EqualFold(have, w) }) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept[:min(len(kept), maxQueryWords)], " ")
}

// IsQuery reports whether a text is short enough for a query and not a sentence. A text without spaces never is.
func IsQuery(text string) bool {
	return !unspaced(text) && len(strings.Fields(text)) <= maxQueryWords && !strings.ContainsAny(text, "?!;:") &&
		!strings.HasSuffix(text, ".")
}

func scriptQuery(text string) string {
	if utf8.RuneCountInString(text) <= maxScriptChars && !strings.ContainsAny(text, "？?。.") {
		return text
	}
	kept, chars := []string{}, 0
	for _, w := range contentWords(text) {
		if chars += utf8.RuneCountInString(w); chars > maxScriptChars && len(kept) > 0 {
			break
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}
