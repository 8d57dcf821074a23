// Package lexicon holds what the wording check knows about words: negation, quantifiers, certainty, opposites,
// units, number words, time relations, conditions, attribution, function words and equivalents, in English,
// German, French, Spanish, Chinese and Japanese. The knowledge is in data files; the code only reads them.
//
// A word or phrase has [Entry] values. [Lexicon.Scan] finds all of them in a text, [Lexicon.Lookup] answers for
// one phrase.
package lexicon

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Kind says what an entry is knowledge about. The name of the data file is the kind.
type Kind string

// The kinds, and what Class, Name and Value of their entries mean.
const (
	// Negation reverses a statement. Class: not, never, none, without, fail (fails to, lacks),
	// contrast (instead of).
	Negation Kind = "negation"
	// Neutral is a phrase that contains a word of another kind without its meaning: "not only", 不过. It hides
	// the shorter matches that it contains.
	Neutral Kind = "neutral"
	// Quantifier says how much of a set. Class share: Name all, most, many, some, few, none, ordered by Value
	// from 6 to 0. Class only: Name only. Class both: Name both, either, neither.
	// Class any: Name any.
	Quantifier Kind = "quantifiers"
	// Bound qualifies a number. Class limit: Name at-least, at-most, above, below, exactly. Class approximate:
	// Name about, almost.
	Bound Kind = "bounds"
	// Certainty is an ordered claim strength; Class is the axis, Value the level on it, higher is stronger.
	// epistemic: 1 may, 2 suggests or likely, 3 is expected to be true, 4 shows, 5 proves.
	// realisation: 1 considered, 2 planned, 3 under way, 4 done.
	// obligation: 1 may, 2 should, 3 must.
	// permission: 0 banned, 1 allowed.
	Certainty Kind = "certainty"
	// Unit is a unit of measurement. Class is the dimension, Name the canonical unit, Value the factor to the
	// base unit of the dimension; temperatures are degrees without their offset.
	Unit Kind = "units"
	// Rate is "per day", "daily". Class is the period (second to century) or person, unit; Value is the length of
	// the period in days.
	Rate Kind = "rates"
	// Number is a number word. Class number, ordinal, fraction, part (a fraction only beside an Amount),
	// multiplier (twice, dozen), scale (million), decade; Value is its value.
	Number Kind = "numbers"
	// Amount is a word that turns the number beside it into an amount: "of" after "half". Class: see the data.
	Amount Kind = "amounts"
	// Relation is a relation in time. Class before, after, until, since, during, by, from, while.
	Relation Kind = "relations"
	// Calendar is a month or a weekday. Class month or weekday, Value 1 to 12 or 1 (Monday) to 7.
	Calendar Kind = "calendar"
	// Condition restricts a statement. Class if, unless, only-if, except, although, sometimes (has other meanings as well).
	Condition Kind = "conditions"
	// Attribution names who says something. Class verb, noun, phrase (according to).
	Attribution Kind = "attribution"
	// Myth marks a statement that the text refutes. Class: myth ("it is a myth that"), refuted ("this is a myth",
	// about the sentence before), heading, correction.
	Myth Kind = "myths"
	// Averted marks what does not happen. Class: almost ("nearly"), unreal (what follows is only thought or feared), from
	// (verbs behind which "from" and a verb in -ing deny: "keep it from blocking").
	Averted Kind = "averted"
	// Function is a word that adds no meaning of its own. Class determiner, pronoun, preposition, conjunction,
	// copula, auxiliary, light (make, take), discourse (however, also), adverb.
	Function Kind = "function"
	// Synonym is a stem of a group of synonyms; see [Lexicon.Group]. Class: stem, ending.
	Synonym Kind = "synonyms"
	// Anaphor is a word that refers to a thing named before. Class: pronoun, possessive, demonstrative, definite (an
	// article that does so together with its noun), relative (opens a clause).
	Anaphor Kind = "anaphors"
	// Cause says that one thing is the reason for another. Class: cause (only that), link (that among others).
	Cause Kind = "causes"
	// Case is a word that marks the role of the noun beside it: from, to, by; が, を. Class before or behind; Name the role.
	Case Kind = "cases"
	// Equivalent is a word or phrase that can replace others; Name is the first of its group.
	Equivalent Kind = "equivalents"
	// Paraphrase is a word or phrase of reports with the meaning of others; Name is the first form of its group. Unlike
	// Equivalent it is for comparison only: its forms do not replace each other in a sentence.
	Paraphrase Kind = "paraphrases"
	// Place is the name of a place or of its people. Class country, region, city; Name is the same in all languages.
	Place Kind = "places"
	// Translation is a common word; Name is the same in all languages. It serves retrieval, not verdicts.
	Translation Kind = "translations"
	// Opposite is a word form that has opposites; see [Lexicon.Opposed]. Class is the part of speech.
	Opposite Kind = "opposites"
)

// Entry is one meaning of a word or phrase.
type Entry struct {
	Kind  Kind
	Class string
	Name  string
	Value float64
}

// Languages lists the languages that have a lexicon, as primary subtags of BCP 47.
func Languages() []string { return []string{"de", "en", "es", "fr", "ja", "zh"} }

// For returns the lexicon of a language, given as a primary subtag of BCP 47; nil for an unknown language. The
// data are read once, when the language is first asked for.
func For(lang string) *Lexicon {
	if read := lexicons[lang]; read != nil {
		return read()
	}
	return nil
}

// Lexicon is the knowledge about one language. It is read-only and safe for concurrent use. A nil *Lexicon
// knows no word.
type Lexicon struct {
	lang    string
	root    *node
	phrases map[Kind][]phrase // in the order of the files
	forms   map[string]*form  // opposites, by folded form
	gapped  map[string][]Gapped
	lines   int // read so far

	synonyms stemGroups
}

// phrase is one entry with its words.
type phrase struct {
	text  string // as in the data
	entry Entry
	line  int // lines of the data are numbered in the order of reading
}

// Language returns the primary subtag of the language.
func (l *Lexicon) Language() string {
	if l == nil {
		return ""
	}
	return l.lang
}

// Lookup returns the entries of a word or phrase, by kind; nil when it has none. Case and compatibility forms
// do not matter, except that an entry of capitals in the data (US) is found by capitals only.
func (l *Lexicon) Lookup(words string) []Entry {
	if l == nil {
		return nil
	}
	n := l.root
	for _, t := range tokens(l.lang, words) {
		if n = n.next[t.fold]; n == nil {
			return nil
		}
	}
	return n.matching(words)
}

// Is reports whether a word or phrase has an entry of a kind, and returns the first one.
func (l *Lexicon) Is(kind Kind, words string) (Entry, bool) {
	for _, e := range l.Lookup(words) {
		if e.Kind == kind {
			return e, true
		}
	}
	return Entry{}, false
}

// Words returns the words and phrases of a kind whose class and name are as given ("" for any), in the order of
// the data.
func (l *Lexicon) Words(kind Kind, class, name string) []string {
	if l == nil {
		return nil
	}
	var out []string
	for _, p := range l.phrases[kind] {
		if (class == "" || p.entry.Class == class) && (name == "" || p.entry.Name == name) {
			out = append(out, p.text)
		}
	}
	return out
}

// Match is an entry found in a text, from byte Start to byte End.
type Match struct {
	Start, End int
	Entry
}

// Scan finds all entries in a text, in order of Start and Kind. Matches begin and end at word boundaries; in
// Chinese and Japanese at characters. A match inside a longer one is not reported (a negation inside Certainty or
// Opposite is), nor is a Neutral phrase.
func (l *Lexicon) Scan(text string) []Match {
	if l == nil {
		return nil
	}
	var found []Match
	ts := tokens(l.lang, text)
	for i := range ts {
		n := l.root
		for j := i; j < len(ts); j++ {
			if n = n.next[ts[j].fold]; n == nil {
				break
			}
			if len(n.entries) == 0 || !bounded(ts, i, j) {
				continue
			}
			for _, e := range n.matching(text[ts[i].start:ts[j].end]) {
				found = append(found, Match{Start: ts[i].start, End: ts[j].end, Entry: e})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return uncovered(found)
}

// Prefix returns the entry of a kind, and of a class unless that is empty, whose words are the longest with which a text
// begins, and where they end.
func (l *Lexicon) Prefix(kind Kind, class, text string) (entry Entry, end int, ok bool) {
	if l == nil || text == "" {
		return Entry{}, 0, false
	}
	ts := tokens(l.lang, firstRunes(text, maxPhrase))
	n := l.root
	for j := range ts {
		if n = n.next[ts[j].fold]; n == nil || ts[0].start > 0 {
			break
		}
		for _, e := range n.matching(text[:ts[j].end]) {
			if e.Kind == kind && (class == "" || e.Class == class) && bounded(ts, 0, j) {
				entry, end, ok = e, ts[j].end, true
				break
			}
		}
	}
	return entry, end, ok
}

// firstRunes returns the start of s: at most n bytes of whole characters.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// maxPhrase is a length in bytes above that of any phrase.
const maxPhrase = 100

// uncovered drops the matches that a longer one hides, and the neutral ones. found is in order of Start, longest
// first.
func uncovered(found []Match) []Match {
	var out []Match
	for i, m := range found {
		hidden := m.Kind == Neutral
		for j := i - 1; j >= 0 && !hidden && m.Start-found[j].Start < maxPhrase; j-- {
			hidden = hides(found[j], m)
		}
		if !hidden {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.End, a.End))
	})
	return out
}

// hides reports whether the longer match that contains m replaces it. "may not" is a permission and also a negation.
func hides(longer, m Match) bool {
	if m.Start < longer.Start || m.End > longer.End || m.End-m.Start == longer.End-longer.Start {
		return false
	}
	if longer.Kind == Paraphrase { // what changes a statement still counts: "could", "not"
		return m.Kind == Paraphrase || m.Kind == Relation || m.Kind == Bound || m.Kind == Quantifier
	}
	if longer.Kind == Translation || longer.Kind == Amount {
		return m.Kind == longer.Kind
	}
	return m.Kind != Negation || longer.Kind != Certainty && longer.Kind != Opposite
}
