package channels

import (
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Bounds of one result, in code points; sources send abstracts of 10,000 and author lists of 3,000.
const (
	maxSnippet = 600
	maxTitle   = 300
	maxAuthor  = 120
	maxAuthors = 50
	maxURL     = 4_096 // bytes
)

// cleaned makes results plain text and drops those without a title or an address.
func cleaned(results []Result, source string, plain bool) (kept []Result, droppedCount int) {
	kept = make([]Result, 0, len(results))
	for _, e := range results {
		if e, ok := clean(e, source, plain); ok {
			kept = append(kept, e)
		}
	}
	return kept, len(results) - len(kept)
}

func clean(e Result, source string, plain bool) (Result, bool) {
	text := plainText
	if plain {
		text = sanitize.Line
	}
	authors := make([]string, 0, min(len(e.Authors), maxAuthors))
	for _, a := range e.Authors {
		if a = clip(text(a), maxAuthor); a != "" && len(authors) < maxAuthors {
			authors = append(authors, a)
		}
	}
	if len(authors) == 0 {
		authors = nil
	}
	out := Result{Share: e.Share, Lines: clip(sanitize.Line(e.Lines), maxTitle), Section: clip(text(e.Section), maxTitle), IDs: cleanIDs(e.IDs), Related: cleanIDs(e.Related), Evidence: Evidence{
		Title:       clip(text(e.Title), maxTitle),
		URL:         strings.TrimSpace(e.URL),
		Snippet:     clip(text(e.Snippet), maxSnippet),
		Source:      source,
		SourceType:  e.SourceType,
		PublishedAt: normalDate(e.PublishedAt),
		Authors:     authors,
		DOI:         docid.NormalizeDOI(e.DOI),
		Score:       e.Score,
	}}
	if !docid.ValidSourceType(out.SourceType) {
		out.SourceType = ""
	}
	if len(e.Language) <= 35 && languageTag.MatchString(e.Language) {
		out.Language = e.Language
	}
	if out.URL == "" && out.DOI != "" {
		out.URL = doiURL(out.DOI)
	}
	return out, out.Title != "" && validURL(out.URL)
}

func validURL(s string) bool {
	if len(s) > maxURL {
		return false
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Host != ""
	case "file":
		return u.Path != ""
	case "zotero":
		return zoteroSelect.MatchString(s)
	}
	return false
}

// registeredURL returns the address of a DOI as registered, or "" if doi is not a DOI. Normalising a DOI removes a
// final character that a few have.
func registeredURL(doi string) string {
	bare := strings.ToLower(strings.TrimSpace(doi))
	if !strings.HasPrefix(bare, "10.") {
		return ""
	}
	return doiURL(bare)
}

// doiURL returns the address that resolves a DOI. A DOI may contain any printable character.
func doiURL(doi string) string {
	return (&url.URL{Scheme: "https", Host: "doi.org", Path: "/" + doi}).String()
}

// zoteroSelect matches the address of an item in Zotero.
var zoteroSelect = lazyregexp.New(`^zotero://select/(?:library/|groups/([0-9]{1,12})/)?items/(?:0_)?([A-Z0-9]{8})$`)
