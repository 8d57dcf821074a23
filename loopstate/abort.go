package loopstate

import (
	"slices"
	"strings"
	"unicode"
)

// Words of a reason to abort, as they begin. Models fill the argument with what they do not mean: "no", "keep going", "the user does not
// want to stop".
var (
	// noWords turn around what follows them in their clause.
	noWords = []string{"no", "none", "not", "never", "nothing", "nobody", "without", "cannot", "dont", "false", "f", "n", "na",
		"nan", "nil", "null", "off", "nein", "nicht", "kein", "keine", "non", "ne", "нет", "не", "否", "无", "不", "别"}
	stopWords = []string{"stop", "abort", "cancel", "quit", "halt", "terminat", "end the", "end this", "end it", "end now", "ending",
		"abbrech", "abbruch", "arrêt", "停", "止"}
	goWords = []string{"continu", "proceed", "resum", "keep going", "keep on", "keep it", "keep search", "keep read", "keep look",
		"keep work", "keep research", "keep run", "keep the loop", "go on", "going on", "goes on", "go ahead", "carry on", "carrying on",
		"not yet", "not now", "not asked", "not ask", "not request", "not applicable", "weiter", "fortsetz", "继", "続", "продолж"}
)

// declines reports whether a reason to abort says that nobody aborts: the first that it says of going on or of stopping decides. A reason
// of a few words with a no is none either. An abort cannot be undone.
func declines(reason string) bool {
	for clause := range strings.FieldsFuncSeq(reason, func(r rune) bool { return strings.ContainsRune(".,;:!?()。，\n", r) }) {
		said := wordsOf(clause)
		for i := range said {
			rest := strings.Join(said[i:], " ")
			begins := func(word string) bool { return strings.HasPrefix(rest, word) }
			stops, goes := slices.ContainsFunc(stopWords, begins), slices.ContainsFunc(goWords, begins)
			if stops || goes {
				return goes != slices.ContainsFunc(said[:i], isNo)
			}
		}
	}
	said := wordsOf(reason)
	return len(said) == 0 || len(said) < 4 && slices.ContainsFunc(said, isNo)
}

func isNo(word string) bool { return slices.Contains(noWords, word) }

// wordsOf returns the words of a text in small letters: "don't" is "do" and "not", and each Chinese character is a word.
func wordsOf(text string) []string {
	text = strings.NewReplacer("n't", " not", "n’t", " not").Replace(strings.ToLower(text))
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			b.WriteString(" " + string(r) + " ")
		case unicode.IsLetter(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}
