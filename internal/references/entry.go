package references

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Entry is one item of a list of references. Empty fields are not given.
type Entry struct {
	Key     string // of the list, or the number in it
	Line    int    // of the file, from 1
	Title   string
	Authors []Name
	Others  bool // the list of authors is shortened: "and others", "et al."
	Year    int
	Venue   string // journal, proceedings or book
	DOI     string // normalised
	ArXiv   string // 2101.00001, without its version
	PMID    string
	ISBN    string // the first, as ISBN-13; BadISBN is as in the list if its check digit is wrong
	BadISBN string
	Type    Type
	URL     string
	// Text is the whole entry of a list in a text, whose other fields are guesses; "" for the other formats.
	Text string

	fields map[string]span // of BibTeX: where the values are
	end    int             // of BibTeX: before the closing brace
}

// Type is what an entry is, as far as it matters for where to look; "" for all others.
type Type string

// The types.
const (
	Book    Type = "book"
	Chapter Type = "chapter" // Venue is its book
)

// types are the types of BibTeX, RIS and CSL-JSON.
var types = map[string]Type{
	"book": Book, "mvbook": Book, "booklet": Book, "collection": Book, "mvcollection": Book, "ebook": Book, "edbook": Book,
	"inbook": Chapter, "incollection": Chapter, "suppbook": Chapter, "chap": Chapter, "echap": Chapter, "chapter": Chapter,
}

// typeOf returns the type of an entry of a kind in a book, if it is named. Without one, BibTeX's inbook is pages of a book.
func typeOf(kind, book string) Type {
	if t := types[strings.ToLower(kind)]; t != Chapter || book != "" {
		return t
	}
	return Book
}

// isbnIn finds ISBNs, whose check digits may be wrong, among other words.
var isbnIn = lazyregexp.New(`\b(?:97[89][ -]?)?(?:\d[ -]?){9}[\dXx]\b`)

// setISBN sets the first valid ISBN of a value.
func (e *Entry) setISBN(value string) {
	for _, written := range isbnIn.FindAllString(value, -1) {
		if e.ISBN = docid.ISBN(written); e.ISBN != "" {
			e.BadISBN = ""
			return
		}
		e.BadISBN = cmp.Or(e.BadISBN, written)
	}
}

// Names the fields of an entry that are compared.
const (
	FieldTitle   = "title"
	FieldAuthors = "authors"
	FieldYear    = "year"
	FieldVenue   = "venue"
	FieldDOI     = "doi"
	FieldISBN    = "isbn"
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
	From    string   `json:"channel"` // the service
	Title   string   `json:"title"`
	Authors []string `json:"authors"`        // as the service writes them, in order; may be cut short
	Year    int      `json:"year,omitempty"` // 0 = not known
	Venue   string   `json:"venue,omitempty"`
	DOI     string   `json:"doi,omitempty"` // normalised
	ArXiv   string   `json:"-"`
	PMID    string   `json:"-"`
	URL     string   `json:"url"`
	// Editions: the record is of a work with all its editions. The year is that of the first, and some authors may be missing.
	Editions bool `json:"-"`
}

// maxEntries bounds a list (chosen: a long book has 2,000).
const maxEntries = 5_000

// span is a part of a file, in bytes.
type span struct{ start, end int }
