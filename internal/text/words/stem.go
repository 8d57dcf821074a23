package words

import (
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
	"golang.org/x/text/unicode/norm"
)

// stem reduces a word of a language, by its primary subtag, to its stem. Most rules take the folding, so that a word typed
// without its accents is the same term. Without a stemmer, the folding is the stem.
func stem(language, word, folded string) string {
	switch language {
	case "en":
		if strings.ContainsFunc(folded, func(r rune) bool { return r < 'a' || r > 'z' }) {
			return folded
		}
		return english.Stem(folded, true)
	case "de":
		return stemGerman(folded)
	case "fr":
		return french.Stem(folded, true)
	case "es":
		return spanish.Stem(folded, true)
	case "sv":
		return swedish.Stem(folded, true)
	case "no", "nb", "nn":
		return norwegian.Stem(folded, true)
	case "hu": // its rules and those of Russian need the accents
		return withoutPoints(Fold(hungarian.Stem(strings.ToLower(norm.NFC.String(word)), true)))
	case "ru":
		return withoutPoints(Fold(russian.Stem(strings.ToLower(norm.NFC.String(word)), true)))
	}
	return folded
}

// stemGerman takes the endings of declension and comparison off a folded word: the light stemmer of J. Savoy
// ("Light stemming approaches for the French, Portuguese, German and Hungarian languages", 2006), which loses
// fewer distinctions than Snowball's and finds as much.
func stemGerman(w string) string {
	const beforeS = "bdfghklmnt" // letters after which an s or st is an ending
	n := len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ern"):
		w = w[:n-3]
	case n > 4 && w[n-2] == 'e' && strings.IndexByte("mnrs", w[n-1]) >= 0:
		w = w[:n-2]
	case n > 3 && w[n-1] == 'e', n > 3 && w[n-1] == 's' && strings.IndexByte(beforeS, w[n-2]) >= 0:
		w = w[:n-1]
	}
	n = len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "est"):
		w = w[:n-3]
	case n > 4 && (strings.HasSuffix(w, "er") || strings.HasSuffix(w, "en")),
		n > 4 && strings.HasSuffix(w, "st") && strings.IndexByte(beforeS, w[n-3]) >= 0:
		w = w[:n-2]
	}
	return w
}
