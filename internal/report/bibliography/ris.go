package bibliography

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// RIS writes works as RIS records with the keys of the BibTeX entries. The format has no escapes; each value is one line.
func RIS(works []Work) []byte {
	var b strings.Builder
	keys := keysOf(works)
	for i, w := range works {
		risRecord(&b, keys[i], w)
	}
	return []byte(b.String())
}

func risRecord(b *strings.Builder, key string, w Work) {
	field := func(tag, value string) {
		if value != "" {
			fmt.Fprintf(b, "%s  - %s\r\n", tag, value)
		}
	}
	field("TY", w.Kind.ris)
	field("ID", key)
	for _, p := range people(w.Authors) {
		field("AU", risName(p))
	}
	field("TI", w.Title)
	field(w.Kind.risPublisher, w.Publisher)
	if w.ArXiv != "" {
		field("AN", "arXiv:"+w.ArXiv)
	}
	if year, month, day := w.date(); year > 0 {
		field("PY", fmt.Sprintf("%04d", year))
		field("DA", risDate(year, month, day))
	}
	field("DO", sanitize.Line(w.DOI))
	field("UR", w.Link)
	if t := w.Fetched; !t.IsZero() {
		field("Y2", risDate(t.Year(), int(t.Month()), t.Day()))
	}
	field("LA", w.Language)
	field("KW", w.Keyword)
	for _, note := range w.Notes {
		field("N1", note)
	}
	if w.Zotero != "" {
		field("N1", "zotero: "+w.Zotero)
	}
	field("N1", w.cited("-"))
	if w.SHA256 != "" {
		field("N1", "SHA-256 of the text read: "+w.SHA256)
	}
	b.WriteString("ER  - \r\n\r\n")
}

// risName returns "Family, Given". The comma separates the two, so it is removed from the name of an institution.
func risName(p person) string {
	if p.literal != "" {
		return sanitize.Line(strings.ReplaceAll(p.literal, ",", " "))
	}
	return p.family + ", " + p.given
}

// risDate returns YYYY/MM/DD/, without the unknown parts.
func risDate(year, month, day int) string {
	out := fmt.Sprintf("%04d/", year)
	if month > 0 {
		out += fmt.Sprintf("%02d", month)
	}
	out += "/"
	if month > 0 && day > 0 {
		out += fmt.Sprintf("%02d", day)
	}
	return out + "/"
}
