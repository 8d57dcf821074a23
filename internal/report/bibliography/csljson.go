package bibliography

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

// CSL returns works as CSL-JSON items with the keys of the BibTeX entries.
func CSL(works []Work) any {
	items := make([]cslItem, 0, len(works))
	keys := keysOf(works)
	for i, w := range works {
		items = append(items, cslOf(keys[i], w))
	}
	return items
}

func cslOf(key string, w Work) cslItem {
	item := cslItem{ID: key, Type: w.Kind.csl, Title: w.Title, DOI: w.DOI, URL: w.Link, Accessed: accessed(w.Fetched), Language: w.Language,
		Locator: w.Pages, Keyword: w.Keyword, Note: strings.Join(append(slices.Clone(w.Notes), w.linesNote()...), ". ")}
	if w.Zotero != "" { // a separate line, as in Zotero's field for notes
		item.Note = strings.TrimPrefix(item.Note+"\n", "\n") + "zotero: " + w.Zotero
	}
	switch w.Kind {
	case Preprint:
		item.Number, item.Publisher = "arXiv:"+w.ArXiv, "arXiv"
	case Document, Book:
		item.Publisher = w.Publisher
	default:
		item.ContainerTitle = w.Publisher
	}
	for _, p := range people(w.Authors) {
		item.Author = append(item.Author, cslName{Family: p.family, Given: p.given, Literal: p.literal})
	}
	if year, month, day := w.date(); year > 0 {
		parts := []int{year}
		if month > 0 {
			parts = append(parts, month)
		}
		if month > 0 && day > 0 {
			parts = append(parts, day)
		}
		item.Issued = &cslDate{[][]int{parts}}
	}
	return item
}

// linesNote returns the cited lines as a note: a locator has pages alone.
func (w Work) linesNote() []string {
	if w.Pages = ""; w.Lines == "" {
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
