package loops

import "github.com/citeloop/citeloop/internal/grounding/passages"

// Limits of the context that a receipt shows on each side of its passage, so that a person can judge the passage.
const (
	contextChars     = 420 // code points
	contextSentences = 3
)

// surroundings returns the text before and after a passage, which is [start, end) in code points: whole sentences, unless
// they are too long.
func surroundings(text []rune, start, end int) (before, after string) {
	left, right := string(text[max(0, start-contextChars):start]), string(text[end:min(len(text), end+contextChars)])
	return left[lastSentences(left, start <= contextChars):], right[:firstSentences(right, end+contextChars >= len(text))]
}

// lastSentences returns the byte offset of the last sentences of a text. Unless the text is whole, its first sentence is
// cut, and is omitted if there are others.
func lastSentences(text string, whole bool) int {
	all := passages.Sentences(text)
	if len(all) < 2 {
		return 0
	}
	if !whole {
		all = all[1:]
	}
	return runeOffset(text, all[max(0, len(all)-contextSentences)].Start)
}

// firstSentences returns the byte offset of the end of the first sentences of a text. Unless the text is whole, its last
// sentence is cut, and is omitted if there are others.
func firstSentences(text string, whole bool) int {
	all := passages.Sentences(text)
	if len(all) < 2 {
		return len(text)
	}
	if !whole {
		all = all[:len(all)-1]
	}
	return runeOffset(text, all[min(len(all), contextSentences)-1].End)
}
