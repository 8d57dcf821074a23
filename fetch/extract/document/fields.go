package document

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/publicsuffix"
)

// MaxAuthors bounds the authors of one document; collaborations of physicists name thousands.
const MaxAuthors = 100

// MaxTitleChars bounds a line that may be a title. Chosen: titles of papers reach 250, first paragraphs
// begin at some 150, and losing a title costs less than making one up.
const MaxTitleChars = 120

// First is the first of values that is more than white space.
func First(values ...string) string {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

// MaxNameChars bounds a title or a name: what is longer is not one.
const MaxNameChars = 500

// Title writes a title or a name on one line, without what is not seen.
func Title(s string) string {
	s = strings.Join(strings.FieldsFunc(sanitize.Visible(s), IsSpace), " ")
	if utf8.RuneCountInString(s) > MaxNameChars {
		s = strings.TrimSpace(string([]rune(s)[:MaxNameChars])) + "…"
	}
	return s
}

var bcp47 = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)

// Language returns a BCP 47 tag, or "" when s is not one. "en_US" is read as "en-US".
func Language(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	if len(s) > 35 || !bcp47.MatchString(s) {
		return ""
	}
	return s
}

var bylineStart = regexp.MustCompile(`(?i)^(written )?by\s+`)

// AddAuthor appends a name. It skips addresses, handles and repeats.
func AddAuthor(authors []string, name string) []string {
	name = Title(strings.Trim(strings.TrimSpace(name), `"'`))
	name = bylineStart.ReplaceAllString(name, "")
	if name == "" || utf8.RuneCountInString(name) > MaxTitleChars || strings.Contains(name, "://") || strings.HasPrefix(name, "@") || len(authors) >= MaxAuthors {
		return authors
	}
	for _, have := range authors {
		if strings.EqualFold(have, name) {
			return authors
		}
	}
	return append(authors, name)
}

// CanonicalURL is the page's canonical address when it is on the same registrable site. Elsewhere it would
// let a page claim to be another one.
func CanonicalURL(href string, base *url.URL) string {
	if href == "" || base == nil {
		return ""
	}
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	target, err := address.Check(base.ResolveReference(ref))
	if err != nil || !SameSite(target.Hostname(), base.Hostname()) {
		return ""
	}
	return target.String()
}

// SameSite reports two hosts of one registrable name, as a.example.org and b.example.org are.
func SameSite(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	siteA, errA := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(a))
	siteB, errB := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(b))
	return errA == nil && errB == nil && siteA == siteB
}
