// Package bibliography writes sources as BibTeX, CSL-JSON and RIS.
package bibliography

import (
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Kind is a kind of source, as the formats name it.
type Kind struct {
	bibtex, bibtexPublisher string // the type of an entry, and its field for the publisher
	csl                     string
	ris, risPublisher       string
}

// The kinds of sources.
var (
	Preprint = Kind{"online", "organization", "article", "UNPB", "PB"}
	Article  = Kind{"article", "journal", "article-journal", "JOUR", "T2"}
	Paper    = Kind{"inproceedings", "booktitle", "paper-conference", "CPAPER", "T2"}
	Book     = Kind{"book", "publisher", "book", "BOOK", "PB"}
	WebPage  = Kind{"online", "organization", "webpage", "ELEC", "PB"}
	Document = Kind{"misc", "organization", "document", "GEN", "PB"}
)

// Work is a source. Its texts are on one line.
type Work struct {
	Kind             Kind
	ID               string // S3 is the third source that was read
	Title, Publisher string
	Authors          []string
	Published        string // YYYY, YYYY-MM or YYYY-MM-DD; "" if unknown
	DOI, ArXiv, Link string
	Language         string
	Keyword          string
	Fetched          time.Time // in UTC
	Pages            string    // cited ones of a PDF: "3-4, 12"
	Lines            string    // cited ones: "120-128,140"
	Notes            []string  // about the whole source
	SHA256           string    // of the text that was read
	Zotero           string    // address of the item in the user's Zotero library
}

// date returns the parts of the date of publication; 0 if unknown.
func (w Work) date() (year, month, day int) { return loopstate.DateParts(w.Published) }

// cited describes the pages and lines that are cited: "Cited: PDF p. 12; lines 120--128", or "".
func (w Work) cited(dash string) string {
	var parts []string
	for _, at := range []struct{ where, one, many string }{{w.Pages, "PDF p. ", "PDF pp. "},
		{strings.ReplaceAll(w.Lines, ",", ", "), "line ", "lines "}} {
		switch {
		case at.where == "":
		case strings.ContainsAny(at.where, "-,"):
			parts = append(parts, at.many+strings.ReplaceAll(at.where, "-", dash))
		default:
			parts = append(parts, at.one+at.where)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Cited: " + strings.Join(parts, "; ")
}
