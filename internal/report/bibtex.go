package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// renderBibTeX writes the sources as a BibTeX database that biblatex reads as well: every source that was
// read, the cited ones first.
func renderBibTeX(d Document) ([]byte, error) {
	var b strings.Builder
	remark := func(format string, args ...any) {
		// An "@" would begin an entry even here.
		fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(fmt.Sprintf(format, args...), "@", "(at)"))
	}
	if d.Unverified {
		remark("%s", draftNotice(d))
	}
	remark("Sources of: %s", heading(d))
	if !d.GeneratedAt.IsZero() {
		remark("Written by %s at %s", sanitize.Line(d.Generator), minute(d.GeneratedAt))
	}
	keys, cited := citeKeys(d.Sources), citedPages(d)
	for i, s := range d.Sources {
		bibEntry(&b, keys[i], s, cited[s.ID], d.Unverified)
	}
	return []byte(b.String()), nil
}

func bibEntry(b *strings.Builder, key string, s Source, cited []pageSpan, draft bool) {
	doi := loopstate.NormalizeDOI(s.DOI)
	arxiv := arxivID(s)
	kind := "misc"
	switch {
	case arxiv != "":
		kind = "online"
	case doi != "" || s.SourceType == "peer":
		kind = "article"
	case sanitize.Link(s.address()) != "":
		kind = "online"
	}
	fmt.Fprintf(b, "\n@%s{%s,\n", kind, key)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s = {%s},\n", name, value)
		}
	}
	field("author", bibAuthors(s.Authors))
	field("title", "{"+texEscape(s.title())+"}") // the second braces keep its capitals
	if year, month, day := loopstate.DateParts(s.PublishedAt); year > 0 {
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
	if kind == "article" {
		field("journal", texEscape(sanitize.Line(s.Publisher)))
	} else {
		field("organization", texEscape(sanitize.Line(s.Publisher)))
	}
	field("doi", verbatim(doi))
	if arxiv != "" {
		field("eprint", verbatim(arxiv))
		field("eprinttype", "arxiv")
	}
	field("url", verbatim(sanitize.Link(s.address())))
	field("urldate", day(s.FetchedAt))
	field("language", texEscape(languageOf(s.Language)))
	field("note", bibNote(s, cited, draft))
	if s.Number > 0 {
		field("keywords", "cited")
	} else {
		field("keywords", "read")
	}
	b.WriteString("}\n")
}

func bibNote(s Source, cited []pageSpan, draft bool) string {
	var notes []string
	if draft {
		notes = append(notes, "From a DRAFT that was not verified")
	}
	if s.Pasted {
		notes = append(notes, "Text pasted by the user")
	}
	if p := pageWords(cited, "--"); p != "" { // the field "pages" is for where an article stands in its journal
		notes = append(notes, "Cited: "+p)
	}
	if s.SHA256 != "" {
		notes = append(notes, "SHA-256 of the text read: "+texEscape(sanitize.Line(s.SHA256)))
	}
	return strings.Join(notes, ". ")
}

func bibAuthors(authors []string) string {
	var names []string
	for _, p := range people(authors) {
		if p.literal != "" {
			names = append(names, "{"+texEscape(p.literal)+"}") // one name, whatever words are in it
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

// verbatim is for fields that are not typeset (url, doi): what would end the field is percent-encoded.
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
