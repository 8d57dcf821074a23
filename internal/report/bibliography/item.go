// Package bibliography writes sources as CSL-JSON, BibTeX and RIS: BibTeX and RIS are written from the items of CSL-JSON.
package bibliography

import "github.com/citeloop/citeloop/loopstate"

// The types of items, as CSL names them.
const (
	Preprint = "article"
	Article  = "article-journal"
	Paper    = "paper-conference"
	Book     = "book"
	WebPage  = "webpage"
	Document = "document"
)

// Item is an item of CSL-JSON (citationstyles.org, schema 1.0.2) with the fields that sources have. Its texts are on one line.
type Item struct {
	ID             string `json:"id"` // see [WithKeys]
	Type           string `json:"type"`
	Title          string `json:"title"`
	Author         []Name `json:"author,omitempty"`
	Issued         *Date  `json:"issued,omitempty"`
	ContainerTitle string `json:"container-title,omitempty"`
	Publisher      string `json:"publisher,omitempty"`
	DOI            string `json:"DOI,omitempty"`
	Number         string `json:"number,omitempty"` // "arXiv:2005.11401"
	URL            string `json:"URL,omitempty"`
	Accessed       *Date  `json:"accessed,omitempty"`
	Language       string `json:"language,omitempty"`
	Note           string `json:"note,omitempty"` // a line each
	Keyword        string `json:"keyword,omitempty"`

	Source string `json:"-"` // S3 is the third source that was read
}

// Date has one list of a year and, if they are known, a month and a day.
type Date struct {
	DateParts [][]int `json:"date-parts"`
}

// DateOf returns the date of YYYY, YYYY-MM or YYYY-MM-DD; nil for anything else.
func DateOf(s string) *Date {
	year, month, day := loopstate.DateParts(s)
	var known []int
	for _, part := range []int{year, month, day} {
		if part < 1 {
			break
		}
		known = append(known, part)
	}
	if known == nil {
		return nil
	}
	return &Date{[][]int{known}}
}

func (d *Date) parts() []int {
	if d == nil || len(d.DateParts) == 0 {
		return nil
	}
	return d.DateParts[0]
}

// publisher returns the publisher, or else the journal or site.
func (item Item) publisher() string { return item.ContainerTitle + item.Publisher }
