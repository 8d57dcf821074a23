package report

import (
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report/bibliography"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

func renderBibTeX(d Document) ([]byte, error) {
	return bibliography.BibTeX(nonEmpty("Sources of: "+heading(d), d.Notice()), items(d)), nil
}

func renderRIS(d Document) ([]byte, error) { return bibliography.RIS(items(d)), nil }

func renderCSLJSON(d Document) ([]byte, error) { return indented(items(d)) }

// items makes the entries of the sources of a document.
func items(d Document) []bibliography.Item {
	out := []bibliography.Item{}
	for _, s := range d.Sources {
		item := bibliography.Item{Type: bibliography.Document, Title: s.title(), Publisher: sanitize.Line(s.Publisher),
			Issued:   bibliography.Date(loopstate.PublicationDate(s.PublishedAt)),
			Accessed: bibliography.Date(stamp(s.FetchedAt, time.DateOnly)), Language: sanitize.Line(s.Language),
			DOI: sanitize.Line(docid.NormalizeDOI(s.DOI)), URL: sanitize.Link(s.address()), Keyword: "read"}
		for _, a := range s.Authors {
			if name := bibliography.NameOf(a); name != (bibliography.Name{}) {
				item.Author = append(item.Author, name)
			}
		}
		arXiv, ok := strings.CutPrefix(s.Key, "arxiv:")
		switch { // by what is known: a DOI alone does not say of what
		case ok:
			item.Type, item.Number, item.Publisher = bibliography.Preprint, "arXiv:"+sanitize.Line(arXiv), "arXiv"
		case s.Container == "journal":
			item.Type = bibliography.Article
		case s.Container == "proceedings":
			item.Type = bibliography.Paper
		case s.ContentType == "application/epub+zip":
			item.Type = bibliography.Book
		case item.URL != "" && item.DOI == "":
			item.Type = bibliography.WebPage
		}
		switch item.Type {
		case bibliography.Article, bibliography.Paper, bibliography.WebPage:
			item.ContainerTitle, item.Publisher = item.Publisher, ""
		}
		if s.Number > 0 {
			item.Keyword = "cited"
		}
		item.Note = strings.Join(nonEmpty(told(d.Unverified, "From a DRAFT that was not verified"), after("File: ", s.file()),
			told(s.Pasted, "Text pasted by the user"),
			after("DOI that the text states: ", told(item.DOI == "", docid.NormalizeDOI(s.ClaimedDOI))),
			after("SHA-256 of the text read: ", sanitize.Line(s.SHA256))), "\n")
		item.ID = item.Key(s.ID)
		out = append(out, item)
	}
	return out
}
