package report

import (
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// cslItem is one item of CSL-JSON (citationstyles.org, schema 1.0.2), as far as a source can fill it.
type cslItem struct {
	ID             string    `json:"id"`
	Type           string    `json:"type"`
	Title          string    `json:"title"`
	Author         []cslName `json:"author,omitempty"`
	Issued         *cslDate  `json:"issued,omitempty"`
	ContainerTitle string    `json:"container-title,omitempty"`
	Publisher      string    `json:"publisher,omitempty"`
	DOI            string    `json:"DOI,omitempty"`
	Number         string    `json:"number,omitempty"`
	URL            string    `json:"URL,omitempty"`
	Accessed       *cslDate  `json:"accessed,omitempty"`
	Language       string    `json:"language,omitempty"`
	Locator        string    `json:"locator,omitempty"` // pages of the PDF that the report rests on
	Note           string    `json:"note,omitempty"`
	Keyword        string    `json:"keyword,omitempty"`
}

type cslName struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

type cslDate struct {
	DateParts [][]int `json:"date-parts"`
}

// renderCSLJSON writes the sources as CSL-JSON items under the same keys as the BibTeX entries.
func renderCSLJSON(d Document) ([]byte, error) {
	keys, cited := citeKeys(d.Sources), citedPages(d)
	items := make([]cslItem, 0, len(d.Sources))
	for i, s := range d.Sources {
		items = append(items, cslOf(keys[i], s, cited[s.ID], d.Unverified))
	}
	return indented(items)
}

func cslOf(key string, s Source, cited []pageSpan, draft bool) cslItem {
	item := cslItem{
		ID: key, Type: "document", Title: s.title(), DOI: loopstate.NormalizeDOI(s.DOI), URL: sanitize.Link(s.address()),
		Accessed: accessed(s.FetchedAt), Language: languageOf(s.Language), Locator: pageNumbers(cited, "-"), Keyword: "read",
	}
	if s.Number > 0 {
		item.Keyword = "cited"
	}
	publisher := sanitize.Line(s.Publisher)
	switch arxiv := arxivID(s); {
	case arxiv != "":
		item.Type, item.Number, item.Publisher = "article", "arXiv:"+arxiv, "arXiv" // CSL's word for a preprint
	case item.DOI != "" || s.SourceType == "peer":
		item.Type, item.ContainerTitle = "article-journal", publisher
	case item.URL != "":
		item.Type, item.ContainerTitle = "webpage", publisher
	default:
		item.Publisher = publisher
	}
	for _, p := range people(s.Authors) {
		item.Author = append(item.Author, cslName{Family: p.family, Given: p.given, Literal: p.literal})
	}
	if year, month, day := loopstate.DateParts(s.PublishedAt); year > 0 {
		parts := []int{year}
		if month > 0 {
			parts = append(parts, month)
		}
		if month > 0 && day > 0 {
			parts = append(parts, day)
		}
		item.Issued = &cslDate{[][]int{parts}}
	}
	var notes []string
	if draft {
		notes = append(notes, "From a DRAFT that was not verified")
	}
	if s.Pasted {
		notes = append(notes, "Text pasted by the user")
	}
	item.Note = strings.Join(notes, ". ")
	return item
}

func accessed(t time.Time) *cslDate {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &cslDate{[][]int{{t.Year(), int(t.Month()), t.Day()}}}
}
