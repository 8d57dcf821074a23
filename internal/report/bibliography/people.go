package bibliography

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// person is an author: family and given name, or one literal name.
type person struct {
	family, given string
	literal       string
}

// bodies matches words in names of institutions.
var bodies = regexp.MustCompile(`(?i)\b(?:the|of|and|for|university|institute|institut|organi[sz]ation|agency|commission|committee|` +
	`council|ministry|department|office|group|team|project|foundation|association|society|corporation|company|inc|ltd|llc|gmbh|ag|` +
	`press|news|times|staff|editors?|authors?|contributors?|wikipedia|consortium|collaboration|authority|administration|board|library|` +
	`museum|laboratory|school|college|hospital|developers|maintainers|community|bureau|centre|center|bank|service|network|union|google|` +
	`microsoft)\b`)

// particles before a family name belong to it.
var particles = map[string]bool{
	"van": true, "von": true, "de": true, "der": true, "den": true, "del": true, "della": true, "di": true, "da": true,
	"dos": true, "du": true, "la": true, "le": true, "ter": true, "ten": true, "zu": true, "zur": true, "bin": true, "al": true, "el": true,
}

// personOf splits a name if that is safe: "Family, Given", or two to five Latin words without a word for an
// institution. Otherwise it is one name, because a wrong split is worse.
func personOf(name string) (person, bool) {
	name = sanitize.Line(name)
	if name == "" {
		return person{}, false
	}
	if family, given, ok := strings.Cut(name, ","); ok {
		family, given = strings.TrimSpace(family), strings.TrimSpace(given)
		if family != "" && given != "" && !strings.Contains(given, ",") && !bodies.MatchString(name) {
			return person{family: family, given: given}, true
		}
		return person{literal: name}, true
	}
	words := strings.Fields(name)
	if len(words) < 2 || len(words) > 5 || bodies.MatchString(name) || !latinName(name) {
		return person{literal: name}, true
	}
	at := len(words) - 1
	for at > 1 && particles[strings.ToLower(words[at-1])] {
		at--
	}
	return person{family: strings.Join(words[at:], " "), given: strings.Join(words[:at], " ")}, true
}

func latinName(s string) bool {
	for _, r := range s {
		if !unicode.Is(unicode.Latin, r) && !unicode.Is(unicode.Mn, r) && !strings.ContainsRune(" .-'’", r) {
			return false
		}
	}
	return true
}

func people(authors []string) []person {
	var out []person
	for _, a := range authors {
		if p, ok := personOf(a); ok {
			out = append(out, p)
		}
	}
	return out
}
