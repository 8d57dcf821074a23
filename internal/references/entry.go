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

// maxEntries bounds a list (chosen: a long book has 2,000).
const maxEntries = 5_000

// FormatOf returns the format of a file by its name: .bib, .ris, .json, and otherwise text.
func FormatOf(name string) string {
	at := strings.LastIndexByte(name, '.')
	switch strings.ToLower(name[at+1:]) {
	case "bib", "bibtex":
		return BibTeX
	case "ris":
		return RIS
	case "json", "csl":
		return CSLJSON
	}
	return Text
}

// Parse reads a list. Damaged entries are problems; the others are read all the same. The error is about the file as a whole.
func Parse(format, text string) ([]Entry, []Problem, error) {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\uFEFF"), "\ufffd")
	var entries []Entry
	var problems []Problem
	var err error
	switch format {
	case BibTeX:
		entries, problems = parseBibTeX(text)
	case RIS:
		entries, problems = parseRIS(text)
	case CSLJSON:
		entries, err = parseCSL(text)
	default:
		entries = parseText(text)
	}
	if len(entries) > maxEntries {
		problems = append(problems, Problem{entries[maxEntries].Line, fmt.Sprintf("%d entries more than %d are left out", len(entries)-maxEntries, maxEntries)})
		entries = entries[:maxEntries]
	}
	return entries, problems, err
}

// lineAt returns the line of a byte, from 1.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
