package report

import (
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report/bibliography"
	"github.com/citeloop/citeloop/internal/sanitize"
)

func renderBibTeX(d Document) ([]byte, error) {
	var remarks []string
	if d.Unverified {
		remarks = append(remarks, draftNotice)
	}
	remarks = append(remarks, "Sources of: "+heading(d))
	if !d.GeneratedAt.IsZero() {
		remarks = append(remarks, "Written by "+sanitize.Line(d.Generator)+" at "+Minute(d.GeneratedAt))
	}
	return bibliography.BibTeX(remarks, works(d)), nil
}

// renderRIS writes all sources.
func renderRIS(d Document) ([]byte, error) {
	return bibliography.RIS(works(d)), nil
}

func renderCSLJSON(d Document) ([]byte, error) { return indented(bibliography.CSL(works(d))) }

// works prepares the sources of a document, the cited ones first.
func works(d Document) []bibliography.Work {
	cited, cites := citedPages(d), citedLines(d)
	out := make([]bibliography.Work, len(d.Sources))
	for i, s := range d.Sources {
		w := bibliography.Work{Kind: bibliography.Document, ID: s.ID, Title: s.title(), Publisher: sanitize.Line(s.Publisher),
			Authors: s.Authors, Published: s.PublishedAt,
			DOI: docid.NormalizeDOI(s.DOI), Link: sanitize.Link(s.address()), Language: languageOf(s.Language), Keyword: "read",
			Fetched: s.FetchedAt.UTC(),
			Pages:   strings.ReplaceAll(cited[s.ID].String(), ",", ", "), Lines: cites[s.ID].String(), SHA256: sanitize.Line(s.SHA256),
			Zotero: docid.ZoteroItem(s.URL)}
		if id, ok := strings.CutPrefix(s.Key, "arxiv:"); ok {
			w.ArXiv = sanitize.Line(id)
		}
		switch { // by what is known: a DOI alone does not say of what
		case w.ArXiv != "":
			w.Kind = bibliography.Preprint
		case s.Container == "journal":
			w.Kind = bibliography.Article
		case s.Container == "proceedings":
			w.Kind = bibliography.Paper
		case s.ContentType == "application/epub+zip":
			w.Kind = bibliography.Book
		case w.Link != "" && w.DOI == "":
			w.Kind = bibliography.WebPage
		}
		if s.Number > 0 {
			w.Keyword = "cited"
		}
		if d.Unverified {
			w.Notes = append(w.Notes, "From a DRAFT that was not verified")
		}
		if file := s.file(); file != "" {
			w.Notes = append(w.Notes, "File: "+file)
		}
		if w.DOI == "" && s.ClaimedDOI != "" {
			w.Notes = append(w.Notes, "DOI that the text states: "+docid.NormalizeDOI(s.ClaimedDOI))
		}
		if s.Pasted {
			w.Notes = append(w.Notes, "Text pasted by the user")
		}
		out[i] = w
	}
	return out
}
