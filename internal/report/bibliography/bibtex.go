package bibliography

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// BibTeX writes works as a BibTeX database, which biblatex reads too, after remarks about it.
func BibTeX(remarks []string, works []Work) []byte {
	var b strings.Builder
	for _, remark := range remarks {
		fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(remark, "@", "(at)")) // an "@" would begin an entry even here
	}
	keys := keysOf(works)
	for i, w := range works {
		bibEntry(&b, keys[i], w)
	}
	return []byte(b.String())
}

func bibEntry(b *strings.Builder, key string, w Work) {
	fmt.Fprintf(b, "\n@%s{%s,\n", w.Kind.bibtex, key)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s = {%s},\n", name, value)
		}
	}
	field("author", bibAuthors(people(w.Authors)))
	field("title", "{"+sanitize.TeX(w.Title)+"}") // the second braces keep its capitals
	if year, month, day := w.date(); year > 0 {
		date := fmt.Sprintf("%04d", year)
		field("year", date)
		if month > 0 {
			date += fmt.Sprintf("-%02d", month)
			field("month", strconv.Itoa(month))
		}
		if month > 0 && day > 0 {
			date += fmt.Sprintf("-%02d", day)
		}
		field("date", date)
	}
	field(w.Kind.bibtexPublisher, sanitize.TeX(w.Publisher))
	field("doi", verbatim(w.DOI))
	if w.ArXiv != "" {
		field("eprint", verbatim(w.ArXiv))
		field("eprinttype", "arxiv")
	}
	field("url", verbatim(w.Link))
	if !w.Fetched.IsZero() {
		field("urldate", w.Fetched.Format(time.DateOnly))
	}
	field("zotero", w.Zotero)
	field("language", sanitize.TeX(w.Language))
	var notes []string
	for _, note := range w.Notes {
		notes = append(notes, sanitize.TeX(note))
	}
	if c := w.cited("--"); c != "" { // the field "pages" is for the place of an article in its journal
		notes = append(notes, c)
	}
	if w.SHA256 != "" {
		notes = append(notes, "SHA-256 of the text read: "+sanitize.TeX(w.SHA256))
	}
	field("note", strings.Join(notes, ". "))
	field("keywords", w.Keyword)
	b.WriteString("}\n")
}

func bibAuthors(people []person) string {
	var names []string
	for _, p := range people {
		if p.literal != "" {
			names = append(names, "{"+sanitize.TeX(p.literal)+"}") // one name, even with "and" in it
			continue
		}
		names = append(names, "{"+sanitize.TeX(p.family)+"}, "+texName(p.given))
	}
	return strings.Join(names, " and ")
}

// texName keeps a given name from being read as two authors.
func texName(s string) string {
	s = sanitize.TeX(s)
	for _, word := range strings.Fields(s) {
		if strings.EqualFold(word, "and") {
			return "{" + s + "}"
		}
	}
	return s
}

// verbatim percent-encodes what would end a field that is not typeset (url, doi).
func verbatim(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("{}\\\"<>^`|", r) || unicode.IsSpace(r) || unicode.IsControl(r) {
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
