package report

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// renderRIS writes the sources as RIS records with the keys of the BibTeX entries, the cited ones first. The format has no
// escapes; each value is one line.
func renderRIS(d Document) ([]byte, error) {
	var b strings.Builder
	for _, w := range works(d) {
		risRecord(&b, w)
	}
	return []byte(b.String()), nil
}

func risRecord(b *strings.Builder, w work) {
	field := func(tag, value string) {
		if value != "" {
			fmt.Fprintf(b, "%s  - %s\r\n", tag, value)
		}
	}
	field("TY", w.kind.ris)
	field("ID", w.key)
	for _, p := range w.people {
		field("AU", risName(p))
	}
	field("TI", w.title)
	field(w.kind.risPublisher, w.publisher)
	if w.arxiv != "" {
		field("AN", "arXiv:"+w.arxiv)
	}
	if w.year > 0 {
		field("PY", fmt.Sprintf("%04d", w.year))
		field("DA", risDate(w.year, w.month, w.day))
	}
	field("DO", sanitize.Line(w.doi))
	field("UR", w.link)
	if t := w.fetched; !t.IsZero() {
		field("Y2", risDate(t.Year(), int(t.Month()), t.Day()))
	}
	field("LA", w.language)
	field("KW", w.keyword)
	for _, note := range w.notes {
		field("N1", note)
	}
	if w.zotero != "" {
		field("N1", "zotero: "+w.zotero)
	}
	field("N1", w.cited("-"))
	if w.sha256 != "" {
		field("N1", "SHA-256 of the text read: "+w.sha256)
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
