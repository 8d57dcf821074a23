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

// bibTypes are the types of entries, each with its field for the publisher.
var bibTypes = map[string][2]string{Article: {"article", "journal"}, Paper: {"inproceedings", "booktitle"}, Book: {"book", "publisher"},
	Preprint: {"online", "organization"}, WebPage: {"online", "organization"}, Document: {"misc", "organization"}}

// BibTeX writes items as a BibTeX database, which biblatex reads too, after remarks about it.
func BibTeX(remarks []string, items []Item) []byte {
	var b strings.Builder
	for _, remark := range remarks {
		fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(remark, "@", "(at)")) // an "@" would begin an entry even here
	}
	for _, item := range items {
		item.bibTeX(&b)
	}
	return []byte(b.String())
}

func (item Item) bibTeX(b *strings.Builder) {
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s = {%s},\n", name, value)
		}
	}
	date := item.Issued.parts()
	fmt.Fprintf(b, "\n@%s{%s,\n", bibTypes[item.Type][0], item.ID)
	field("author", bibAuthors(item.Author))
	field("title", "{"+sanitize.TeX(item.Title)+"}") // the second braces keep its capitals
	for i, name := range []string{"year", "month"}[:min(len(date), 2)] {
		field(name, strconv.Itoa(date[i]))
	}
	field("date", dashed(date))
	field(bibTypes[item.Type][1], sanitize.TeX(item.publisher()))
	field("doi", verbatim(item.DOI))
	if item.Number != "" {
		field("eprint", verbatim(item.arXiv()))
		field("eprinttype", "arxiv")
	}
	field("url", verbatim(item.URL))
	field("urldate", dashed(item.Accessed.parts()))
	field("language", sanitize.TeX(item.Language))
	field("note", sanitize.TeX(strings.Join(item.Notes, ". "))) // the field "pages" is for the place of an article in its journal
	field("keywords", item.Keyword)
	b.WriteString("}\n")
}

// dashed returns a date as YYYY-MM-DD, without the unknown parts.
func dashed(date []int) string {
	var parts []string
	for i, n := range date {
		parts = append(parts, fmt.Sprintf("%0*d", 4-2*min(i, 1), n))
	}
	return strings.Join(parts, "-")
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
