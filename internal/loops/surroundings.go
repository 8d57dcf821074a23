package loops

import "github.com/citeloop/citeloop/internal/grounding/passages"

// How much of the stored text a receipt shows on each side of its passage (chosen): enough to see whether the passage
// means alone what it means there.
const (
	contextChars     = 420 // at most, in code points
	contextSentences = 3   // at most
)

// surroundings are the sentences before and after a passage of a text, in code points; start and end are the
// passage's. They touch it, and are whole sentences where these are not too long.
func surroundings(text []rune, start, end int) (before, after string) {
	left, right := string(text[max(0, start-contextChars):start]), string(text[end:min(len(text), end+contextChars)])
	return left[lastSentences(left, start <= contextChars):], right[:firstSentences(right, end+contextChars >= len(text))]
}

// lastSentences is the byte at which the last sentences of a text begin. Unless the text is whole, its first one was
// cut and is left out, if another is there.
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

// firstSentences is the byte at which the first sentences of a text end. Unless the text is whole, its last one was
// cut and is left out, if another is there.
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
