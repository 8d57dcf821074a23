package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// SameTitle reports whether the entry can be of a work with this title: whether most words of the shorter one are in the
// other. A title of a word or two, or in another script, proves nothing.
func (e Reference) SameTitle(title string) bool {
	const least, share = 3, 0.6
	a, b := titleTerms(e.Title), titleTerms(title)
	if len(a) > len(b) {
		a, b = b, a
	}
	common := len(a) - len(slices.DeleteFunc(slices.Clone(a), func(term string) bool { return slices.Contains(b, term) }))
	return len(a) < least || wideLetters(e.Title) > 0 != (wideLetters(title) > 0) || float64(common) >= share*float64(len(a))
}

// titleTerms are the words of a title without function words.
func titleTerms(title string) []string {
	return slices.DeleteFunc(words.Terms(words.First(title, 400)), func(term string) bool { return words.Function("en", term) })
}

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
