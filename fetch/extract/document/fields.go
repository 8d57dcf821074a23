package document

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// MaxAuthors bounds the authors of one document; collaborations in physics name thousands.
const MaxAuthors = 100

// MaxTitleChars bounds a line that may be a title. Chosen: titles of papers reach 250, first paragraphs begin at some 150,
// and a missing title is better than a wrong one.
const MaxTitleChars = 120

// First returns the first of values that is not only white space.
func First(values ...string) string {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

// MaxNameChars bounds a title or a name. Longer values are dropped.
const MaxNameChars = 500

// Title returns a title or a name on one line, without invisible characters.
func Title(s string) string {
	s = sanitize.Line(s)
	if utf8.RuneCountInString(s) > MaxNameChars {
		s = strings.TrimSpace(string([]rune(s)[:MaxNameChars])) + "…"
	}
	return s
}

var bcp47 = lazyregexp.New(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)

// Language returns a BCP 47 tag, or "" if s is not one. "en_US" is read as "en-US".
func Language(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	if len(s) > 35 || !bcp47.MatchString(s) {
		return ""
	}
	return s
}

var bylineStart = lazyregexp.New(`(?i)^(written )?by\s+`)

//go:embed notauthors.txt
var notAuthorList string

// notAuthors are the names that are no authors, and the parts of such names.
var notAuthors = sync.OnceValues(func() (names map[string]bool, parts []string) {
	names = map[string]bool{}
	for line := range datafile.Lines(notAuthorList) {
		if line[0] == '*' {
			parts = append(parts, strings.Trim(line, "*"))
		} else {
			names[line] = true
		}
	}
	return names, parts
})

// isAuthor reports a name that may be a person's or an organisation's, not that of a program, a role or an agency that
// built the site.
func isAuthor(name string) bool {
	names, parts := notAuthors()
	name = strings.ToLower(name)
	return !names[name] && !slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) }) &&
		strings.ContainsFunc(name, unicode.IsLetter)
}

// AddAuthor appends a name. It skips addresses, handles, repeats, and what is no author: programs, roles, agencies.
func AddAuthor(authors []string, name string) []string {
	name = Title(strings.Trim(strings.TrimSpace(name), `"'`))
	name = bylineStart.ReplaceAllString(name, "")
	known := slices.ContainsFunc(authors, func(have string) bool { return strings.EqualFold(have, name) })
	if name == "" || known || len(authors) >= MaxAuthors || utf8.RuneCountInString(name) > MaxTitleChars ||
		strings.Contains(name, "://") || strings.HasPrefix(name, "@") || !isAuthor(name) {
		return authors
	}
	return append(authors, name)
}

// CanonicalURL returns the page's canonical address if it is on the same registrable site. With other sites a page could
// claim to be another one.
func CanonicalURL(href string, base *url.URL) string {
	if href == "" || base == nil {
		return ""
	}
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	target, err := address.Check(base.ResolveReference(ref))
	if err != nil || !docid.SameSite(target.String(), base.String()) {
		return ""
	}
	return target.String()
}
