package report

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// renderRIS writes the sources as RIS records, which every reference manager imports: each that was read, the cited
// ones first, under the same keys as the BibTeX entries. The format has no escapes, so a value is one line of text.
func renderRIS(d Document) ([]byte, error) {
	var b strings.Builder
	keys, cited := citeKeys(d.Sources), citedPages(d)
	for i, s := range d.Sources {
		risRecord(&b, keys[i], s, cited[s.ID], d.Unverified)
	}
	return []byte(b.String()), nil
}

func risRecord(b *strings.Builder, key string, s Source, cited []pageSpan, draft bool) {
	field := func(tag, value string) {
		if value != "" {
			fmt.Fprintf(b, "%s  - %s\r\n", tag, value)
		}
	}
	doi, arxiv, link := loopstate.NormalizeDOI(s.DOI), arxivID(s), sanitize.Link(s.address())
	kind, container := "GEN", "PB"
	switch {
	case arxiv != "":
		kind = "UNPB" // a preprint
	case doi != "" || s.SourceType == "peer":
		kind, container = "JOUR", "T2"
	case link != "":
		kind = "ELEC"
	}
	field("TY", kind)
	field("ID", key)
	for _, p := range people(s.Authors) {
		field("AU", risName(p))
	}
	field("TI", s.title())
	field(container, sanitize.Line(s.Publisher))
	if arxiv != "" {
		field("AN", "arXiv:"+arxiv)
	}
	if year, month, day := loopstate.DateParts(s.PublishedAt); year > 0 {
		field("PY", fmt.Sprintf("%04d", year))
		field("DA", risDate(year, month, day))
	}
	field("DO", sanitize.Line(doi))
	field("UR", link)
	if t := s.FetchedAt; !t.IsZero() {
		t = t.UTC()
		field("Y2", risDate(t.Year(), int(t.Month()), t.Day()))
	}
	field("LA", languageOf(s.Language))
	keyword := "read"
	if s.Number > 0 {
		keyword = "cited"
	}
	field("KW", keyword)
	if draft {
		field("N1", "From a DRAFT that was not verified")
	}
	if s.Pasted {
		field("N1", "Text pasted by the user")
	}
	if p := pageWords(cited, "-"); p != "" {
		field("N1", "Cited: "+p)
	}
	if s.SHA256 != "" {
		field("N1", "SHA-256 of the text read: "+sanitize.Line(s.SHA256))
	}
	b.WriteString("ER  - \r\n\r\n")
}

// risName writes a person as "Family, Given". The comma is what parts the two, so a body's name does without its own.
func risName(p person) string {
	if p.literal != "" {
		return sanitize.Line(strings.ReplaceAll(p.literal, ",", " "))
	}
	return p.family + ", " + p.given
}

// risDate writes YYYY/MM/DD/, with nothing between the slashes where it is not known.
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
