package bibliography

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Name is that of an author: family and given name, or one literal name.
type Name struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

// body matches words in names of institutions.
var body = regexp.MustCompile(`(?i)\b(?:the|of|and|for|university|institute?|organi[sz]ation|agency|commission|committee|council|` +
	`ministry|department|office|group|team|project|foundation|association|society|corporation|company|inc|ltd|llc|gmbh|ag|press|` +
	`news|times|staff|editors?|authors?|contributors?|wikipedia|consortium|collaboration|authority|board|library|museum|laboratory|` +
	`school|college|hospital|developers|community|bureau|cent(?:re|er)|bank|service|network|union|google|microsoft)\b`)

// personal matches two to five words of Latin letters; the family name has the particles before it.
var personal = regexp.MustCompile(`(?i)^(\p{Latin}[\p{Latin}\p{Mn}.'’-]*(?: [\p{Latin}\p{Mn}.'’-]+){0,3}?) ` +
	`((?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ter|ten|zu|zur|bin|al|el) )*[\p{Latin}\p{Mn}.'’-]+)$`)

// NameOf splits a name if that is safe: "Family, Given", or a personal name in Latin letters without a word for an institution.
// Otherwise it is one name, because a wrong split is worse.
func NameOf(name string) Name {
	name = sanitize.Line(name)
	if family, given, ok := strings.Cut(name, ", "); ok && family != "" && !strings.Contains(given, ",") && !body.MatchString(name) {
		return Name{Family: family, Given: given}
	}
	if m := personal.FindStringSubmatch(name); m != nil && !body.MatchString(name) {
		return Name{Family: m[2], Given: m[1]}
	}
	return Name{Literal: name}
}

// WithKeys sets the ids of items, as "pike2015": the family name of the first author, or else a word of the name of an institution,
// of the title or of the publisher, and the year. Equal ones get a, b, c in the order in which the sources were read, so that a key
// stays the same when sources come to a loop. Keys have lower-case letters and digits only.
func WithKeys(items []Item) []Item {
	order := make([]*Item, len(items))
	for i := range items {
		order[i] = &items[i]
	}
	slices.SortStableFunc(order, func(a, b *Item) int {
		return cmp.Or(cmp.Compare(len(a.Source), len(b.Source)), strings.Compare(a.Source, b.Source)) // S9 before S10
	})
	taken := map[string]bool{}
	for _, item := range order {
		base := item.key()
		item.ID = base
		for n := 0; taken[item.ID]; n++ {
			item.ID = base + strings.Repeat("z", n/26) + string(rune('a'+n%26))
		}
		taken[item.ID] = true
	}
	return items
}

func (item Item) key() string {
	name := ""
	if len(item.Author) > 0 {
		name = cmp.Or(ascii(item.Author[0].Family), keyWord(item.Author[0].Literal))
	}
	name = cmp.Or(name, keyWord(item.Title), keyWord(item.publisher()), "source")
	return name[:min(len(name), 24)] + strings.TrimLeft(item.Issued.year(), "0")
}

// keyWord returns the first word of a text that is longer than most articles and prepositions, or else the first one.
func keyWord(text string) (first string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		w := ascii(word)
		if len(w) > 3 {
			return w
		}
		first = cmp.Or(first, w)
	}
	return first
}

// other matches what no key has.
var other = regexp.MustCompile(`[^a-z0-9]+`)

// ascii returns the letters and digits of s without accents, in lower case, from its first letter on.
func ascii(s string) string {
	return strings.TrimLeft(other.ReplaceAllString(words.Fold(s), ""), "0123456789")
}
