package references

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Name is the name of a person. A group has a family name only.
type Name struct{ Family, Given string }

func (n Name) String() string {
	if n.Given == "" {
		return n.Family
	}
	return n.Given + " " + n.Family
}

// particles begin a family name when they stand before it in lower case.
var particles = []string{"de", "da", "do", "dos", "das", "del", "della", "der", "den", "di", "du", "la", "le", "van", "von", "vom", "zu",
	"zur", "ten", "ter", "bin", "ibn", "el", "al", "y"}

// suffixes follow a family name and are no part of it.
var suffixes = []string{"jr", "sr", "ii", "iii", "iv", "phd", "md"}

// NameOf reads a name as people write it: "Given Family", "Family, Given", "van der Family, G. H.", "Family GH".
func NameOf(s string) Name {
	s = withoutAcronym(strings.Join(strings.Fields(s), " "))
	if family, given, comma := strings.Cut(s, ","); comma {
		if more, after, ok := strings.Cut(given, ","); ok && slices.Contains(suffixes, folded(more)) { // Family, Jr., Given
			given = after
		}
		return Name{strings.TrimSpace(family), strings.TrimSpace(given)}
	}
	parts := strings.Fields(s)
	for len(parts) > 1 && (slices.Contains(suffixes, folded(parts[len(parts)-1])) || isDigits(parts[len(parts)-1])) {
		parts = parts[:len(parts)-1] // dblp numbers namesakes: Wei Wang 0001
	}
	last := len(parts) - 1
	if last < 1 {
		return Name{Family: s}
	}
	if given := last; initials(parts[given]) && !initials(parts[0]) { // Family GH, Family G H
		for given > 1 && initials(parts[given-1]) {
			given--
		}
		return Name{strings.Join(parts[:given], " "), strings.Join(parts[given:], " ")}
	}
	for last > 1 && slices.Contains(particles, parts[last-1]) {
		last--
	}
	return Name{strings.Join(parts[last:], " "), strings.Join(parts[:last], " ")}
}

var acronymBehind = lazyregexp.New(`\s\(\p{Lu}[\p{Lu}\d-]{1,11}\)$`)

// withoutAcronym returns the name of a group without its acronym: World Health Organization (WHO).
func withoutAcronym(name string) string { return acronymBehind.ReplaceAllString(name, "") }

var (
	andWord = lazyregexp.New(`,?\s(?:&|and|und|et|y)\s|[;；、]`)
	comma   = lazyregexp.New(`\s*,\s*`)
)

// list returns the persons of a name that is a list, as people and programs put it in one pair of braces: Lind, N., Berg, O.
func (n Name) list() (out []Name) {
	text := n.Family
	if n.Given != "" {
		text += ", " + n.Given
	}
	for _, part := range andWord.Split(text, -1) {
		names := slices.DeleteFunc(comma.Split(part, -1), func(s string) bool {
			return folded(s) == "" || slices.Contains(suffixes, folded(s))
		})
		for i := 0; i < len(names); i++ {
			name := strings.TrimSpace(names[i])
			family := !strings.Contains(name, " ") && Name{Family: name}.wide() == "" // whose given name follows
			if i+1 < len(names) && (family || initials(strings.ReplaceAll(names[i+1], " ", ""))) {
				i++
				name += ", " + names[i]
			}
			out = append(out, NameOf(name))
		}
	}
	return out
}

// initials reports a word of one to three capitals, with or without full stops. (Xu is a family name.)
func initials(word string) bool {
	bare := strings.NewReplacer(".", "", "-", "").Replace(word)
	return bare != "" && utf8.RuneCountInString(bare) <= 3 && !strings.ContainsFunc(bare, func(r rune) bool { return !unicode.IsUpper(r) })
}

// folded returns a name without case, accents and punctuation.
func folded(s string) string {
	return strings.Join(strings.FieldsFunc(words.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// same reports whether two names can be those of one person: the family names are equal, and of the given names one can be
// the initials of the other. The words of a group, or of a name written in its own order, may be divided in another way.
func (n Name) same(other Name) bool {
	return n.sameFamily(other) && givenFits(n.Given, other.Given) || slices.Equal(n.sorted(), other.sorted()) || n.divides(other) ||
		other.divides(n) ||
		n.Given == "" && len(n.Family) > 2 && folded(n.Family) == other.initialism() || n.wide() != "" && n.wide() == other.wide()
}

// wide returns a name of Han, kana or Hangul alone as one word, which services divide or not; "" for any other.
func (n Name) wide() string {
	all := strings.ReplaceAll(folded(n.Family+n.Given), " ", "")
	if strings.ContainsFunc(all, func(r rune) bool {
		return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	}) {
		return ""
	}
	return all
}

// divides reports whether a name is another one whose family name has more words: García Márquez, G. of Gabriel García Márquez.
func (n Name) divides(other Name) bool {
	family, all := strings.Fields(folded(n.Family)), strings.Fields(folded(other.String()))
	given := len(all) - len(family)
	return given > 0 && slices.Equal(all[given:], family) && givenFits(n.Given, strings.Join(all[:given], " "))
}

// sorted returns the words of a name without their order.
func (n Name) sorted() []string {
	return slices.Sorted(strings.FieldsSeq(folded(n.Given + " " + n.Family)))
}

func (n Name) sameFamily(other Name) bool {
	a, b := familyOf(n), familyOf(other)
	return a == b || asciiUmlauts(a) == asciiUmlauts(b)
}

// familyOf returns a family name folded, without particles before it, and as one word.
func familyOf(n Name) string {
	parts := strings.Fields(folded(n.Family))
	for len(parts) > 1 && slices.Contains(particles, parts[0]) {
		parts = parts[1:]
	}
	return strings.Join(parts, "")
}

// initialism returns the acronym of a name of three words or more, such as who, or "".
func (n Name) initialism() string {
	words, out := strings.Fields(n.String()), ""
	for _, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			out += string(first)
		}
	}
	if len(words) < 3 {
		return ""
	}
	return folded(out)
}

// asciiUmlauts makes Mueller and Muller one.
func asciiUmlauts(s string) string {
	return strings.NewReplacer("aa", "a", "ae", "a", "oe", "o", "ue", "u").Replace(s)
}

// givenFits reports whether given names do not contradict each other: each word of the shorter list begins a word of the other
// one, in order, or is begun by it.
func givenFits(a, b string) bool {
	x, y := givenWords(a), givenWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	at := 0
	for _, word := range x {
		for at < len(y) && !strings.HasPrefix(y[at], word) && !strings.HasPrefix(word, y[at]) {
			at++
		}
		if at == len(y) {
			return strings.Join(x, "") == strings.Join(y, "")
		}
		at++
	}
	return true
}

// givenWords returns the words of given names; GH is G and H.
func givenWords(s string) (out []string) {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '.' || r == '-' || r == ',' }) {
		if initials(part) {
			for _, r := range part {
				out = append(out, folded(string(r)))
			}
			continue
		}
		if f := strings.ReplaceAll(folded(part), " ", ""); f != "" {
			out = append(out, asciiUmlauts(f))
		}
	}
	return out
}

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
