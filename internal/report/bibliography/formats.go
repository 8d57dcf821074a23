package bibliography

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// field is a field of an entry; one without a value is left out.
type field struct{ name, value string }

func written(format string, fields []field) (s string) {
	for _, f := range fields {
		if value := sanitize.Line(f.value); value != "" {
			s += fmt.Sprintf(format, f.name, value)
		}
	}
	return s
}

// BibTeX writes items as a BibTeX database, which biblatex reads too, after remarks about it.
func BibTeX(remarks []string, items []Item) []byte {
	var b strings.Builder
	for _, remark := range remarks {
		fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(remark, "@", "(at)")) // an "@" would begin an entry even here
	}
	for _, item := range items {
		as, date := types[item.Type], item.Issued.parts()
		fields := []field{
			{"author", bibAuthors(item.Author)},
			{"title", "{" + sanitize.TeX(item.Title) + "}"}, // the second braces keep its capitals
		}
		for i, name := range []string{"year", "month"}[:min(len(date), 2)] {
			fields = append(fields, field{name, strconv.Itoa(date[i])})
		}
		fields = append(fields,
			field{"date", dashed(date)},
			field{as.bibPublisher, sanitize.TeX(item.publisher())},
			field{"doi", verbatim(item.DOI)})
		if arXiv, ok := strings.CutPrefix(item.Number, "arXiv:"); ok {
			fields = append(fields, field{"eprint", verbatim(arXiv)}, field{"eprinttype", "arxiv"})
		}
		fields = append(fields,
			field{"url", verbatim(item.URL)},
			field{"urldate", dashed(item.Accessed.parts())},
			field{"language", sanitize.TeX(item.Language)},
			field{"note", sanitize.TeX(strings.Join(item.Notes, ". "))}, // "pages" is for the place of an article in its journal
			field{"keywords", item.Keyword})
		fmt.Fprintf(&b, "\n@%s{%s,\n%s}\n", as.bib, item.ID, written("  %s = {%s},\n", fields))
	}
	return []byte(b.String())
}

// RIS writes items as RIS records. The format has no escapes; each value is one line.
func RIS(items []Item) []byte {
	var b strings.Builder
	for _, item := range items {
		as, date := types[item.Type], item.Issued.parts()
		fields := []field{{"TY", as.ris}, {"ID", item.ID}}
		for _, a := range item.Author { // the comma separates family and given name
			name := strings.ReplaceAll(a.Literal, ",", " ")
			if a.Literal == "" {
				name = a.Family + ", " + a.Given
			}
			fields = append(fields, field{"AU", name})
		}
		year, _, _ := strings.Cut(dashed(date), "-")
		fields = append(fields,
			field{"TI", item.Title},
			field{as.risPublisher, item.publisher()},
			field{"AN", item.Number},
			field{"PY", year},
			field{"DA", risDate(date)},
			field{"DO", item.DOI},
			field{"UR", item.URL},
			field{"Y2", risDate(item.Accessed.parts())},
			field{"LA", item.Language},
			field{"KW", item.Keyword})
		for _, note := range item.Notes {
			fields = append(fields, field{"N1", note})
		}
		b.WriteString(written("%s  - %s\r\n", fields) + "ER  - \r\n\r\n")
	}
	return []byte(b.String())
}

// dashed returns a date as YYYY-MM-DD, without the unknown parts.
func dashed(date []int) string {
	var parts []string
	for i, n := range date {
		parts = append(parts, fmt.Sprintf("%0*d", 4-2*min(i, 1), n))
	}
	return strings.Join(parts, "-")
}

// risDate returns YYYY/MM/DD/, without the unknown parts; "" for an unknown date.
func risDate(date []int) string {
	if len(date) == 0 {
		return ""
	}
	return strings.ReplaceAll(dashed(date), "-", "/") + strings.Repeat("/", 4-len(date))
}

func bibAuthors(authors []Name) string {
	var names []string
	for _, a := range authors {
		given := sanitize.TeX(a.Given)
		switch {
		case a.Literal != "":
			names = append(names, "{"+sanitize.TeX(a.Literal)+"}") // one name, even with "and" in it
			continue
		case slices.ContainsFunc(strings.Fields(given), func(word string) bool { return strings.EqualFold(word, "and") }):
			given = "{" + given + "}"
		}
		names = append(names, "{"+sanitize.TeX(a.Family)+"}, "+given)
	}
	return strings.Join(names, " and ")
}

// verbatim percent-encodes what would end a field that is not typeset (url, doi).
func verbatim(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("{}\\\"<>^`|", r) || unicode.IsSpace(r) || unicode.IsControl(r) {
			b.WriteString(url.PathEscape(string(r)))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
