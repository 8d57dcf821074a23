// Package references reads lists of references and compares their entries with the records of bibliographic services. It is
// pure: it looks nothing up.
//
// [Parse] reads BibTeX, RIS, CSL-JSON, and text with a list of references. An entry of a text is compared by its own words,
// because where its title ends and its journal begins is a guess. [Compare] compares an entry with a record field by field:
// initials, diacritics, capitals, abbreviated venues, subtitles and preprints are no differences.
package references

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	ISBN    string // the first valid one, as ISBN-13
	Book    bool   // a whole book
	// Text is the whole entry of a list in a text, whose other fields are guesses; "" for the other formats.
	Text string
}

// maxEntries bounds a list; a long book has 2,000.
const maxEntries = 5_000

// isBook reports whether a type of BibTeX, RIS or CSL-JSON is that of a whole book.
func isBook(kind string) bool {
	return slices.Contains([]string{"book", "mvbook", "booklet", "collection", "mvcollection", "ebook", "edbook"}, strings.ToLower(kind))
}

var (
	yearIn  = lazyregexp.New(`\b((?:1[5-9]|20)\d\d)[a-z]?\b`) // 2014a
	arxivID = lazyregexp.New(`\b(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?\b`)
	inArXiv = lazyregexp.New(`(?i)arxiv(?:\.org/(?:abs|pdf)/|[\s:.]+(?:preprint\s+)?(?:arxiv:)?)(\d{4}\.\d{4,5}|` +
		`[a-z-]+(?:\.[A-Z]{2})?/\d{7})`)
	numberIn = lazyregexp.New(`\d+`)
	isbnIn   = lazyregexp.New(`\b(?:97[89][ -]?)?(?:\d[ -]?){9}[\dXx]\b`)
)

// arxivOf returns the first identifier of arXiv in a value, without its version, or "".
func arxivOf(value string) string {
	if m := arxivID.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return ""
}

// isbnOf returns the first valid ISBN of a value as ISBN-13, or "".
func isbnOf(value string) string {
	for _, written := range isbnIn.FindAllString(value, -1) {
		if isbn := docid.ISBN(written); isbn != "" {
			return isbn
		}
	}
	return ""
}

// maxUsed bounds a value for comparisons, in bytes, and maxAuthors their number.
const (
	maxUsed    = 4 << 10
	maxAuthors = 1_000
)

// shortList matches the end of a list of authors that is shortened.
var shortList = lazyregexp.New(`(?i)(?:^|[\s,;]+)\{?(?:et\.?[\s~]*al\.?|others\.?|u\.[\s~]*a\.|и\s+др\.?|\.\.\.|…)\}?\s*$`)

// fill sets the entry's fields from values with the names of BibTeX and biblatex, and from the names of its authors. A name in braces
// is that of a group.
func (e *Entry) fill(values map[string]string, names []string) {
	plain := func(names ...string) string {
		for _, name := range names {
			if v := plainTeX(strings.ToValidUTF8(values[name][:min(len(values[name]), maxUsed)], "")); v != "" {
				return v
			}
		}
		return ""
	}
	e.Title = plain("title")
	if sub := plain("subtitle"); sub != "" {
		e.Title += ": " + sub
	}
	for i, name := range names[:min(len(names), maxAuthors)] {
		if at := shortList.FindStringIndex(name); at != nil && i == len(names)-1 {
			name, e.Others = name[:at[0]], true
		}
		name = strings.Trim(name, " \t\r\n,;")
		n := NameOf(plainTeX(name))
		if group, braced := strings.CutPrefix(name, "{"); braced && strings.Count(name, "{") == 1 && strings.HasSuffix(group, "}") {
			n = Name{Family: withoutAcronym(plainTeX(group))}
		}
		if parts := extended(name); parts["family"] != "" {
			n = Name{strings.TrimSpace(parts["prefix"] + " " + parts["family"]), parts["given"]}
		}
		if n.Family != "" {
			e.Authors = append(e.Authors, n)
		}
	}
	if years := yearsIn(cmp.Or(values["year"], values["date"])); len(years) > 0 {
		e.Year = years[0]
	}
	e.Venue = plain("journal", "journaltitle", "booktitle", "maintitle")
	e.DOI, e.PMID, e.ISBN = docid.NormalizeDOI(plain("doi")), numberIn.FindString(values["pmid"]), isbnOf(values["isbn"])
	if strings.EqualFold(cmp.Or(values["eprinttype"], values["archiveprefix"], "arxiv"), "arxiv") {
		e.ArXiv = arxivOf(cmp.Or(values["eprint"], values["volume"])) // dblp: volume = {abs/2101.00001}
	}
	e.identify(plain("url") + " " + e.Venue + " " + plain("note") + " " + plain("howpublished"))
}

// extended returns the parts of a name as biblatex writes them: family=Tour, given=Jean-Luc, prefix=de la.
func extended(name string) map[string]string {
	parts := map[string]string{}
	for part := range strings.SplitSeq(name, ",") {
		key, value, _ := strings.Cut(part, "=")
		parts[strings.TrimSpace(key)] = plainTeX(value)
	}
	return parts
}

// yearsIn returns the years in a text.
func yearsIn(text string) (out []int) {
	for _, m := range yearIn.FindAllStringSubmatch(text, -1) {
		year, _ := strconv.Atoi(m[1])
		out = append(out, year)
	}
	return out
}

// identify finds the identifiers in the entry's other words.
func (e *Entry) identify(text string) {
	if m := inArXiv.FindStringSubmatch(text); m != nil && e.ArXiv == "" {
		e.ArXiv = m[1]
	}
	e.DOI = cmp.Or(e.DOI, docid.NormalizeDOI(text))
	if id, ok := strings.CutPrefix(e.DOI, "10.48550/arxiv."); ok && e.ArXiv == "" {
		e.ArXiv = arxivOf(id)
	}
}

// Problem is a part of a file that is no valid entry.
type Problem struct {
	Line int
	What string
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.What) }

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

	// What was published about the work later.
	Update string `json:"update,omitempty"` // retracted, withdrawn, removed, expression of concern, corrected
	Notice string `json:"notice,omitempty"` // DOI of the notice
	Date   string `json:"notice_date,omitempty"`
}
