package normal

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"golang.org/x/text/language"
)

// Language returns a source's language ("eng", "EN", "en_US") as a tag, or "" if it is unknown.
func Language(s string) string {
	tag, err := language.Parse(strings.TrimSpace(s))
	if err != nil || tag.IsRoot() {
		return ""
	}
	return tag.String()
}

// GivenFirst turns "Miller, Ada" into "Ada Miller". Other names stay as they are.
func GivenFirst(name string) string {
	last, given, ok := strings.Cut(name, ",")
	if !ok || strings.Contains(given, ",") || strings.TrimSpace(given) == "" {
		return name
	}
	return strings.TrimSpace(given) + " " + strings.TrimSpace(last)
}

// LanguageTag matches the form of BCP 47 tags, and "simple" and "be-tarask", which name editions of Wikipedia.
var LanguageTag = lazyregexp.New(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// PrimaryLanguage returns the first part of a tag in lower case: "pt" for "pt-BR".
func PrimaryLanguage(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return primary
}

// anyLanguage are words for no language in particular.
var anyLanguage = []string{"", "any", "all", "auto", "mul", "und"}

// AskedLanguage returns the tag of a language that somebody asks for, by a tag or a code of ISO 639 (eng); "" = any.
func AskedLanguage(said string) (tag string, ok bool) {
	said = strings.ReplaceAll(strings.ToLower(said), "_", "-")
	switch {
	case slices.Contains(anyLanguage, said):
		return "", true
	case Language(said) != "":
		return Language(said), true
	case said == "simple" || len(PrimaryLanguage(said)) <= len("als") && LanguageTag.MatchString(said): // editions of Wikipedia
		return said, true
	}
	return "", false
}
