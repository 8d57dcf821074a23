package bibliography

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// risTypes are the types of records, each with its tag for the publisher.
var risTypes = map[string][2]string{Article: {"JOUR", "T2"}, Paper: {"CPAPER", "T2"}, Book: {"BOOK", "PB"}, Preprint: {"UNPB", "PB"},
	WebPage: {"ELEC", "PB"}, Document: {"GEN", "PB"}}

// RIS writes items as RIS records. The format has no escapes; each value is one line.
func RIS(items []Item) []byte {
	var b strings.Builder
	for _, item := range items {
		item.ris(&b)
	}
	return []byte(b.String())
}

func (item Item) ris(b *strings.Builder) {
	field := func(tag, value string) {
		if value != "" {
			fmt.Fprintf(b, "%s  - %s\r\n", tag, sanitize.Line(value))
		}
	}
	field("TY", risTypes[item.Type][0])
	field("ID", item.ID)
	for _, a := range item.Author { // the comma separates family and given name
		if a.Literal != "" {
			a.Literal = strings.ReplaceAll(a.Literal, ",", " ")
			field("AU", a.Literal)
			continue
		}
		field("AU", a.Family+", "+a.Given)
	}
	field("TI", item.Title)
	field(risTypes[item.Type][1], item.publisher())
	field("AN", item.Number)
	if date := item.Issued.parts(); len(date) > 0 {
		field("PY", fmt.Sprintf("%04d", date[0]))
		field("DA", risDate(date))
	}
	field("DO", item.DOI)
	field("UR", item.URL)
	field("Y2", risDate(item.Accessed.parts()))
	field("LA", item.Language)
	field("KW", item.Keyword)
	for _, note := range item.Notes {
		field("N1", note)
	}
	b.WriteString("ER  - \r\n\r\n")
}

// risDate returns YYYY/MM/DD/, without the unknown parts; "" for an unknown date.
func risDate(date []int) string {
	if len(date) == 0 {
		return ""
	}
	return strings.ReplaceAll(dashed(date), "-", "/") + strings.Repeat("/", 4-len(date))
}
