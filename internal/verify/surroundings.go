package verify

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Limits of the context that a receipt shows on each side of its passage, so that a person can judge the passage.
const (
	contextChars     = 420 // code points
	contextSentences = 3
)

// Surroundings returns the text before and after a passage, which is [start, end) in code points: whole sentences, unless
// they are too long.
func Surroundings(text *Text, start, end int) (before, after string) {
	left, right := text.Slice(start-contextChars, start), text.Slice(end, end+contextChars)
	first := lastSentences(left, start <= contextChars)
	last := firstSentences(right, utf8.RuneCountInString(right) < contextChars)
	return string([]rune(left)[first:]), string([]rune(right)[:last])
}

// lastSentences returns where, in code points, the last sentences of a text begin. Unless the text is whole, its first sentence is
// cut, and is omitted if there are others.
func lastSentences(text string, whole bool) int {
	all := words.Sentences(text)
	if len(all) < 2 {
		return 0
	}
	if !whole {
		all = all[1:]
	}
	return all[max(0, len(all)-contextSentences)].Start
}

// firstSentences returns where the first sentences of a text end. Unless the text is whole, its last
// sentence is cut, and is omitted if there are others.
func firstSentences(text string, whole bool) int {
	all := words.Sentences(text)
	if len(all) < 2 {
		return utf8.RuneCountInString(text)
	}
	if !whole {
		all = all[:len(all)-1]
	}
	return all[min(len(all), contextSentences)-1].End
}
