package report

import (
	"slices"
	"strings"
	"time"
)

// cslItem is an item of CSL-JSON (citationstyles.org, schema 1.0.2) with the fields that sources have.
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
	Locator        string    `json:"locator,omitempty"` // cited pages of a PDF
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

// renderCSLJSON writes the sources as CSL-JSON items with the keys of the BibTeX entries.
func renderCSLJSON(d Document) ([]byte, error) {
	items := make([]cslItem, 0, len(d.Sources))
	for _, w := range works(d) {
		items = append(items, cslOf(w))
	}
	return indented(items)
}

func cslOf(w work) cslItem {
	item := cslItem{ID: w.key, Type: w.kind.csl, Title: w.title, DOI: w.doi, URL: w.link, Accessed: accessed(w.fetched), Language: w.language,
		Locator: pageNumbers(w.pages, "-"), Keyword: w.keyword, Note: strings.Join(append(slices.Clone(w.notes), w.linesNote()...), ". ")}
	if w.zotero != "" { // a separate line, as in Zotero's field for notes
		item.Note = strings.TrimPrefix(item.Note+"\n", "\n") + "zotero: " + w.zotero
	}
	switch w.kind {
	case preprint:
		item.Number, item.Publisher = "arXiv:"+w.arxiv, "arXiv"
	case otherDoc, book:
		item.Publisher = w.publisher
	default:
		item.ContainerTitle = w.publisher
	}
	for _, p := range w.people {
		item.Author = append(item.Author, cslName{Family: p.family, Given: p.given, Literal: p.literal})
	}
	if w.year > 0 {
		parts := []int{w.year}
		if w.month > 0 {
			parts = append(parts, w.month)
		}
		if w.month > 0 && w.day > 0 {
			parts = append(parts, w.day)
		}
		item.Issued = &cslDate{[][]int{parts}}
	}
	return item
}

// linesNote returns the cited lines as a note: a locator has pages alone.
func (w work) linesNote() []string {
	if w.pages = nil; w.lines == "" {
		return nil
	}
	return []string{w.cited("-")}
}

func accessed(t time.Time) *cslDate {
	if t.IsZero() {
		return nil
	}
	return &cslDate{[][]int{{t.Year(), int(t.Month()), t.Day()}}}
}
