package loopstate

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/datafile"
)

// A search query is a few words. A gap is a sentence, so its content words are the query.
const (
	minQueryWords = 3
	maxQueryWords = 8
	// maxScriptChars bounds a query in a script without spaces: eight words of about three characters.
	maxScriptChars = 24
)

//go:embed data/function_words.txt
var functionWordsFile string

// functionWords maps each function word to the languages that have it.
var functionWords = sync.OnceValue(func() map[string][]string {
	words := map[string][]string{}
	for line := range datafile.Lines(functionWordsFile) {
		fields := strings.Fields(line)
		for _, w := range fields[1:] {
			words[w] = append(words[w], fields[0])
		}
	}
	return words
})

// emptyInScript are function words of Chinese and Japanese. They separate the words of a query.
var emptyInScript = strings.NewReplacer(
	"什么", " ", "哪些", " ", "为什么", " ", "怎么", " ", "如何", " ", "是否", " ", "多少", " ", "的", " ", "了", " ", "吗", " ", "是", " ", "在", " ", "和", " ", "与", " ", "有没有", " ",
	"ですか", " ", "ますか", " ", "でしょうか", " ", "どのような", " ", "どのように", " ", "なぜ", " ", "について", " ", "における", " ", "は", " ", "が", " ", "を", " ", "に", " ", "の", " ", "と", " ", "で", " ", "も", " ")

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
		if _, ok := functionWords()[part]; !ok {
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
	l := WrittenIn(text)
	return l == "zh" || l == "ja"
}

// queryOf returns a search query of three to eight words for a text; the words of about complete a short one. It returns a
// query unchanged.
func queryOf(text string, about ...string) string {
	text = strings.Join(strings.Fields(text), " ")
	if unspaced(text) {
		return scriptQuery(text)
	}
	fields := strings.Fields(text)
	if len(fields) >= minQueryWords && isQuery(text) {
		return text
	}
	words := contentWords(text)
	if len(words) == 0 {
		words = fields
	}
	for _, w := range contentWords(strings.Join(about, " ")) {
		if len(words) >= minQueryWords {
			break
		}
		if !slices.ContainsFunc(words, func(have string) bool { return strings.EqualFold(have, w) }) {
			words = append(words, w)
		}
	}
	return strings.Join(words[:min(len(words), maxQueryWords)], " ")
}

// isQuery reports whether a text is short enough for a query and not a sentence.
func isQuery(text string) bool {
	return len(strings.Fields(text)) <= maxQueryWords && !strings.ContainsAny(text, "?!;:") && !strings.HasSuffix(text, ".")
}

// keywordsOf is queryOf for a sentence, which is never a query, however short.
func keywordsOf(sentence string, about ...string) string {
	return queryOf(strings.TrimRight(sentence, " .。")+".", about...)
}

func scriptQuery(text string) string {
	if utf8.RuneCountInString(text) <= maxScriptChars && !strings.ContainsAny(text, "？?。.") {
		return text
	}
	words, chars := []string{}, 0
	for _, w := range contentWords(text) {
		if chars += utf8.RuneCountInString(w); chars > maxScriptChars && len(words) > 0 {
			break
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// subject returns the subject of the loop in words for a query.
func (s *State) subject() string {
	if s.Query == "" && s.Entity != nil {
		return s.Entity.Name
	}
	return s.Query
}

// queryFor returns the query that may close a gap.
func (s *State) queryFor(g Gap) string {
	if g.Query != g.Gap && isQuery(g.Query) && !unspaced(g.Query) {
		return g.Query
	}
	return queryOf(g.Query, g.Gap, s.subject())
}
