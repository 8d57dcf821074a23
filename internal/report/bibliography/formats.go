package bibliography

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// types are the types of entries in BibTeX and RIS, each with the field for the publisher.
var types = map[string]struct{ bib, bibPublisher, ris, risPublisher string }{
	Article:  {"article", "journal", "JOUR", "T2"},
	Paper:    {"inproceedings", "booktitle", "CPAPER", "T2"},
	Book:     {"book", "publisher", "BOOK", "PB"},
	Preprint: {"online", "organization", "UNPB", "PB"},
	WebPage:  {"online", "organization", "ELEC", "PB"},
	Document: {"misc", "organization", "GEN", "PB"},
}

// field is a field of an entry: its names in BibTeX and RIS, and its value in each. One without a name or a value is left out.
type field struct{ bib, ris, tex, plain string }

// fields lists the fields of an item, in the order of BibTeX.
func (item Item) fields() []field {
	as, date := types[item.Type], string(item.Issued)
	note := strings.ReplaceAll(item.Note, "\n", ". ")
	fields := []field{{bib: "author", tex: bibAuthors(item.Author)}}
	for _, a := range item.Author { // the comma separates family and given name
		name := strings.ReplaceAll(a.Literal, ",", " ")
		if a.Literal == "" {
			name = a.Family + ", " + a.Given
		}
		fields = append(fields, field{ris: "AU", plain: name})
	}
	same := func(bib, ris, value string) field { return field{bib, ris, verbatim(value), value} }
	prefix, arXiv, _ := strings.Cut(item.Number, ":") // of a preprint alone
	return append(fields,
		field{"title", "TI", "{" + sanitize.TeX(item.Title) + "}", item.Title}, // the second braces keep its capitals
		same("year", "PY", item.Issued.year()),
		field{"date", "DA", date, risDate(item.Issued)},
		field{as.bibPublisher, as.risPublisher, sanitize.TeX(item.publisher()), item.publisher()},
		same("doi", "DO", item.DOI),
		field{"eprint", "AN", verbatim(arXiv), item.Number},
		same("eprinttype", "", strings.ToLower(prefix)),
		same("url", "UR", item.URL),
		field{"urldate", "Y2", string(item.Accessed), risDate(item.Accessed)},
		field{"language", "LA", sanitize.TeX(item.Language), item.Language},
		field{"note", "N1", sanitize.TeX(note), note}, // "pages" is for the place of an article in its journal
		same("keywords", "KW", item.Keyword))
}

// BibTeX writes items as a BibTeX database, which biblatex reads too, after remarks about it.
func BibTeX(remarks []string, items []Item) []byte {
	var b strings.Builder
	for _, remark := range remarks {
		fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(remark, "@", "(at)")) // an "@" would begin an entry even here
	}
	for _, item := range items {
		fmt.Fprintf(&b, "\n@%s{%s,\n", types[item.Type].bib, item.ID)
		for _, f := range item.fields() {
			if f.bib != "" && f.tex != "" {
				fmt.Fprintf(&b, "  %s = {%s},\n", f.bib, f.tex)
			}
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

// RIS writes items as RIS records. The format has no escapes; each value is one line.
func RIS(items []Item) []byte {
	var b strings.Builder
	for _, item := range items {
		fmt.Fprintf(&b, "TY  - %s\r\nID  - %s\r\n", types[item.Type].ris, item.ID)
		for _, f := range item.fields() {
			if value := sanitize.Line(f.plain); f.ris != "" && value != "" {
				fmt.Fprintf(&b, "%s  - %s\r\n", f.ris, value)
			}
		}
		b.WriteString("ER  - \r\n\r\n")
	}
	return []byte(b.String())
}

// risDate returns YYYY/MM/DD/, without the unknown parts; "" for an unknown date.
func risDate(d Date) string {
	if d == "" {
		return ""
	}
	return strings.ReplaceAll(string(d), "-", "/") + strings.Repeat("/", 3-strings.Count(string(d), "-"))
}

func bibAuthors(authors []Name) string {
	var names []string
	for _, a := range authors {
		name := "{" + sanitize.TeX(a.Literal+a.Family) + "}" // one name, even with "and" in it
		if a.Literal == "" {
			name += ", " + sanitize.TeX(a.Given) // without an "and": see NameOf
		}
		names = append(names, name)
	}
	return strings.Join(names, " and ")
}

// closing matches what would end a field that is not typeset (url, doi).
var closing = regexp.MustCompile("[{}\\\\\"<>^`|\\s\\pZ\\p{Cc}]")

// verbatim percent-encodes what would end a field.
func verbatim(s string) string { return closing.ReplaceAllStringFunc(s, url.PathEscape) }
