// Package bibliography writes sources as CSL-JSON, BibTeX and RIS: BibTeX and RIS are written from the items of CSL-JSON.
package bibliography

import "strings"

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
	ID             string `json:"id"` // see [Item.Key]
	Type           string `json:"type"`
	Title          string `json:"title"`
	Author         []Name `json:"author,omitempty"`
	Issued         Date   `json:"issued,omitempty"`
	ContainerTitle string `json:"container-title,omitempty"`
	Publisher      string `json:"publisher,omitempty"`
	DOI            string `json:"DOI,omitempty"`
	Number         string `json:"number,omitempty"` // "arXiv:2005.11401"
	URL            string `json:"URL,omitempty"`
	Accessed       Date   `json:"accessed,omitempty"`
	Language       string `json:"language,omitempty"`
	Note           string `json:"note,omitempty"` // a line each
	Keyword        string `json:"keyword,omitempty"`
}

// Date is YYYY, YYYY-MM or YYYY-MM-DD; "" if it is unknown.
type Date string

// MarshalJSON implements json.Marshaler: CSL-JSON has a date as numbers.
func (d Date) MarshalJSON() ([]byte, error) {
	numbers := strings.NewReplacer("-0", ",", "-", ",").Replace(strings.TrimLeft(string(d), "0"))
	return []byte(`{"date-parts":[[` + numbers + `]]}`), nil
}

// year returns the year, or "".
func (d Date) year() string {
	year, _, _ := strings.Cut(string(d), "-")
	return year
}

// publisher returns the publisher, or else the journal or site.
func (item Item) publisher() string { return item.ContainerTitle + item.Publisher }
