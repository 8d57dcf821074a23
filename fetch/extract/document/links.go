package document

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
)

const (
	MaxReferences     = 300 // in a document
	MaxReferenceChars = 300 // in the text of a reference
)

// Links collects the links of a document to other sites or to papers, without repeats.
type Links struct {
	Base       *url.URL // the document's address, or nil
	References []Reference

	linked map[string]bool // their addresses
}

// Refer adds a link. It calls text for the words of the link only if the link is kept.
func (l *Links) Refer(to string, text func() string) {
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || len(l.References) >= MaxReferences {
		return
	}
	doi := ""
	if host := strings.ToLower(u.Hostname()); host == "doi.org" || host == "dx.doi.org" || strings.Contains(u.Path, "/doi/") {
		doi = docid.NormalizeDOI(to)
	}
	if doi == "" && l.Base != nil && SameSite(u.Hostname(), l.Base.Hostname()) {
		return
	}
	u.Fragment, u.RawFragment = "", ""
	key := First(doi, u.String())
	if l.linked[key] {
		return
	}
	if l.linked == nil {
		l.linked = map[string]bool{}
	}
	l.linked[key] = true
	l.References = append(l.References, Reference{URL: u.String(), DOI: doi, Text: Shorten(Title(text()), MaxReferenceChars)})
}

// Shorten cuts a text to a number of code points.
func Shorten(s string, chars int) string {
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return string([]rune(s)[:chars-1]) + "…"
}
