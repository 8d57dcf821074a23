package references

import (
	"fmt"
	"strings"
)

// Entry is one item of a list of references. Empty fields are not given.
type Entry struct {
	Key     string // of BibTeX or CSL-JSON, or the number in a list
	Line    int    // of the file, from 1
	Title   string
	Authors []Name
	Others  bool // the list of authors is shortened: "and others", "et al."
	Year    int
	Venue   string // journal, proceedings or book
	DOI     string // normalised; Written is as in the list
	Written string
	ArXiv   string // 2101.00001, without its version
	PMID    string
	ISBN    string // digits
	URL     string
	// Text is the whole entry of a list in a text, whose other fields are guesses; "" for the other formats.
	Text string

	fields map[string]span // of BibTeX: where the values are
	end    int             // of BibTeX: before the closing brace
}

// Names the fields of an entry that are compared.
const (
	FieldTitle   = "title"
	FieldAuthors = "authors"
	FieldYear    = "year"
	FieldVenue   = "venue"
	FieldDOI     = "doi"
)

// Problem is a part of a file that is no valid entry.
type Problem struct {
	Line int
	What string
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.What) }

// Formats of a list.
const (
	BibTeX  = "bibtex"
	RIS     = "ris"
	CSLJSON = "csl-json"
	Text    = "text" // plain or Markdown
)

// lineAt returns the line of a byte, from 1.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

// Record is what a service has of a work.
type Record struct {
	From    string // the service
	Title   string
	Authors []string // as the service writes them, in order; may be cut short
	Year    int      // 0 = not known
	Venue   string
	DOI     string // normalised
	ArXiv   string
	PMID    string
	URL     string
}

// maxEntries bounds a list (chosen: a long book has 2,000).
const maxEntries = 5_000

// span is a part of a file, in bytes.
type span struct{ start, end int }
