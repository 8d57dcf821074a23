package draft

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

var siteName = lazyregexp.New(`(?:\s+[|–—·-]\s+|\s*[|_｜]|——).*$`)

// Names reports whether the entry has this title letter for letter, but for case, accents, punctuation and the name of a site
// behind it. A title of a word or two is in many entries and proves nothing.
func (e Reference) Names(title string) bool {
	const least, leastWide = 12, 6 // letters; those of a script without spaces
	name := letters(siteName.ReplaceAllString(title, ""))
	return (len(name) >= least && wideLetters(name) == 0 || wideLetters(name) >= leastWide) && strings.Contains(letters(e.Title), name)
}

func letters(s string) string {
	return strings.Join(strings.FieldsFunc(words.Fold(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), "")
}
