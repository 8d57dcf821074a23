package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// renderBibTeX writes all sources as a BibTeX database, which biblatex reads too, the cited ones first.
func renderBibTeX(d Document) ([]byte, error) {
	var b strings.Builder
	remark := func(format string, args ...any) {
		// An "@" would begin an entry even here.
		fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(fmt.Sprintf(format, args...), "@", "(at)"))
	}
	if d.Unverified {
		remark("%s", draftNotice(messages.Table{}))
	}
	remark("Sources of: %s", heading(d))
	if !d.GeneratedAt.IsZero() {
		remark("Written by %s at %s", sanitize.Line(d.Generator), minute(d.GeneratedAt))
	}
	for _, w := range works(d) {
		bibEntry(&b, w)
	}
	return []byte(b.String()), nil
}

func bibEntry(b *strings.Builder, w work) {
	fmt.Fprintf(b, "\n@%s{%s,\n", w.kind.bibtex, w.key)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s = {%s},\n", name, value)
		}
	}
	field("author", bibAuthors(w.people))
	field("title", "{"+texEscape(w.title)+"}") // the second braces keep its capitals
	if w.year > 0 {
		date := fmt.Sprintf("%04d", w.year)
		field("year", date)
		if w.month > 0 {
			date += fmt.Sprintf("-%02d", w.month)
			field("month", strconv.Itoa(w.month))
		}
		if w.month > 0 && w.day > 0 {
			date += fmt.Sprintf("-%02d", w.day)
		}
		field("date", date)
	}
	field(w.kind.bibtexPublisher, texEscape(w.publisher))
	field("doi", verbatim(w.doi))
	if w.arxiv != "" {
		field("eprint", verbatim(w.arxiv))
		field("eprinttype", "arxiv")
	}
	field("url", verbatim(w.link))
	field("urldate", day(w.fetched))
	field("zotero", w.zotero)
	field("language", texEscape(w.language))
	var notes []string
	for _, note := range w.notes {
		notes = append(notes, texEscape(note))
	}
	if c := w.cited("--"); c != "" { // the field "pages" is for the place of an article in its journal
		notes = append(notes, c)
	}
	if w.sha256 != "" {
		notes = append(notes, "SHA-256 of the text read: "+texEscape(w.sha256))
	}
	field("note", strings.Join(notes, ". "))
	field("keywords", w.keyword)
	b.WriteString("}\n")
}

func bibAuthors(people []person) string {
	var names []string
	for _, p := range people {
		if p.literal != "" {
			names = append(names, "{"+texEscape(p.literal)+"}") // one name, even with "and" in it
			continue
		}
		names = append(names, "{"+texEscape(p.family)+"}, "+texEscapeName(p.given))
	}
	return strings.Join(names, " and ")
}

// texEscapeName keeps a given name from being read as two authors.
func texEscapeName(s string) string {
	s = texEscape(s)
	for _, word := range strings.Fields(s) {
		if strings.EqualFold(word, "and") {
			return "{" + s + "}"
		}
	}
	return s
}

var texSpecials = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\textbraceleft{}`, `}`, `\textbraceright{}`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
)

// texEscape makes text safe for TeX. Braces become words: BibTeX counts even escaped ones.
func texEscape(s string) string { return texSpecials.Replace(s) }

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
