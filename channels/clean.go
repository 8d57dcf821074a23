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
	authors := make([]string, 0, min(len(e.Authors), normal.MaxAuthors))
	for _, a := range e.Authors {
		if a = normal.Clip(text(a), maxAuthor); a != "" && len(authors) < normal.MaxAuthors {
			authors = append(authors, a)
		}
	}
	if len(authors) == 0 {
		authors = nil
	}
	out := Result{Share: e.Share, Lines: normal.Clip(sanitize.Line(e.Lines), maxTitle), Section: normal.Clip(text(e.Section), maxTitle), IDs: normal.CleanIDs(e.IDs), Related: normal.CleanIDs(e.Related), Evidence: Evidence{
		Title:       normal.Clip(text(e.Title), maxTitle),
		URL:         strings.TrimSpace(e.URL),
		Snippet:     normal.Clip(text(e.Snippet), maxSnippet),
		Source:      source,
		SourceType:  e.SourceType,
		PublishedAt: normal.Date(e.PublishedAt),
		Authors:     authors,
		DOI:         docid.NormalizeDOI(e.DOI),
		Score:       e.Score,
		Container:   normal.Clip(text(e.Container), maxTitle),
		Update:      e.Update.clean(),
		Version:     normal.Clip(sanitize.Line(e.Version), 20),
	}}
	if !docid.ValidSourceType(out.SourceType) {
		out.SourceType = ""
	}
	if len(e.Language) <= 35 && normal.LanguageTag.MatchString(e.Language) {
		out.Language = e.Language
	}
	if out.URL == "" && out.DOI != "" {
		out.URL = normal.DOIURL(out.DOI)
	}
	return out, out.Title != "" && normal.ValidURL(out.URL)
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
