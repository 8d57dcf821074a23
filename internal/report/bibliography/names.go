package bibliography

import (
	"regexp"
	"strings"

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

// Key returns an id of the item, as "pike2015s3": the name of the first author, the year, and the id of the source in its loop, so that it
// stays the same when sources come to the loop. It has lower-case letters and digits only.
func (item Item) Key(source string) string {
	name := ""
	if len(item.Author) > 0 {
		name = key(item.Author[0].Family + item.Author[0].Literal)
	}
	return key(name[:min(len(name), 24)]+strings.TrimLeft(item.Issued.year(), "0")) + key(source)
}

// other matches what no key has.
var other = regexp.MustCompile(`[^a-z0-9]+`)

// key returns the letters and digits of s without accents, in lower case, from its first letter on.
func key(s string) string {
	return strings.TrimLeft(other.ReplaceAllString(words.Fold(s), ""), "0123456789")
}
