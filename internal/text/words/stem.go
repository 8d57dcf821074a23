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

// stemmer reduces a word to its stem. Most take the folded word, so that a word that is typed without its accents
// is the same term. accents says that the rules cannot do without them, as й in Russian; such a stemmer takes
// the word as it is written, in lower case, and what it leaves is folded.
type stemmer struct {
	stem    func(word string) string
	accents bool
}

// stemmerOf is how words of a language, by its primary subtag, are stemmed. A language without a stemmer is
// folded and no more; "" counts as English.
func stemmerOf(language string) stemmer {
	snowball := func(stem func(string, bool) string, accents bool) stemmer {
		return stemmer{stem: func(w string) string { return stem(w, true) }, accents: accents}
	}
	switch language {
	case "", "en":
		return stemmer{stem: func(w string) string {
			if !asciiLetters(w) {
				return w
			}
			return english.Stem(w, true)
		}}
	case "fr":
		return snowball(french.Stem, false)
	case "es":
		return snowball(spanish.Stem, false)
	case "sv":
		return snowball(swedish.Stem, false)
	case "no", "nb", "nn":
		return snowball(norwegian.Stem, false)
	case "hu":
		return snowball(hungarian.Stem, true)
	case "ru":
		return snowball(russian.Stem, true)
	case "de":
		return stemmer{stem: stemGerman}
	}
	return stemmer{stem: func(w string) string { return w }}
}

// apply stems a word of which folded is the folding.
func (s stemmer) apply(word, folded string) string {
	if !s.accents {
		return s.stem(folded)
	}
	return withoutPoints(Fold(s.stem(strings.ToLower(norm.NFC.String(word)))))
}

// stemGerman takes the endings of declension and comparison off a folded word: the light stemmer of J. Savoy
// ("Light stemming approaches for the French, Portuguese, German and Hungarian languages", 2006), which loses
// fewer distinctions than Snowball's and finds as much.
func stemGerman(w string) string {
	n := len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ern"):
		w = w[:n-3]
	case n > 4 && w[n-2] == 'e' && strings.IndexByte("mnrs", w[n-1]) >= 0:
		w = w[:n-2]
	case n > 3 && w[n-1] == 'e', n > 3 && w[n-1] == 's' && beforeS(w[n-2]):
		w = w[:n-1]
	}
	n = len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "est"):
		w = w[:n-3]
	case n > 4 && (strings.HasSuffix(w, "er") || strings.HasSuffix(w, "en")), n > 4 && strings.HasSuffix(w, "st") && beforeS(w[n-3]):
		w = w[:n-2]
	}
	return w
}

// beforeS reports letters after which an s or st is an ending.
func beforeS(c byte) bool { return strings.IndexByte("bdfghklmnt", c) >= 0 }
