package channels

import (
	"strings"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Bounds of one result, in code points; sources send abstracts of 10,000 and author lists of 3,000.
const (
	maxSnippet = 600
	maxTitle   = 300
	maxAuthor  = 120
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
	text := normal.Plain
	if plain {
		text = sanitize.Line
	}
	var authors []string
	for _, a := range e.Authors {
		if a = normal.Clip(text(a), maxAuthor); a != "" && len(authors) < normal.MaxAuthors {
			authors = append(authors, a)
		}
	}
	e.Title, e.Snippet = normal.Clip(text(e.Title), maxTitle), normal.Clip(text(e.Snippet), maxSnippet)
	e.URL, e.Source, e.Authors = strings.TrimSpace(e.URL), source, authors
	e.PublishedAt, e.DOI = normal.Date(e.PublishedAt), docid.NormalizeDOI(e.DOI)
	e.Container = normal.Clip(text(e.Container), maxTitle)
	e.Update = e.Update.clean()
	e.Lines, e.Section = normal.Clip(sanitize.Line(e.Lines), maxTitle), normal.Clip(text(e.Section), maxTitle)
	e.IDs, e.Related = normal.CleanIDs(e.IDs), normal.CleanIDs(e.Related)
	if !docid.ValidSourceType(e.SourceType) {
		e.SourceType = ""
	}
	if len(e.Language) > 35 || !normal.LanguageTag.MatchString(e.Language) {
		e.Language = ""
	}
	if e.URL == "" && e.DOI != "" {
		e.URL = normal.DOIURL(e.DOI)
	}
	return e, e.Title != "" && normal.ValidURL(e.URL)
}

// updateKinds are the words of services for what happens to a document after its publication, and ours, the gravest first.
var updateKinds = []struct{ word, kind string }{
	{"retract", "retracted"}, {"withdraw", "withdrawn"}, {"remov", "removed"}, {"concern", "expression of concern"},
	{"correct", "corrected"}, {"corrigend", "corrected"}, {"errat", "corrected"},
}

// clean returns an update with a kind of ours, or none.
func (u Update) clean() Update {
	said := strings.ToLower(u.Kind)
	for _, k := range updateKinds {
		if strings.Contains(said, k.word) {
			return Update{Kind: k.kind, Notice: docid.NormalizeDOI(u.Notice), Date: normal.Date(u.Date)}
		}
	}
	return Update{}
}
