package references

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// No library reads BibTeX here: [Repair] needs the places of the values, and a damaged entry must not hide the others.

// bibScanner reads a BibTeX file.
type bibScanner struct {
	text    string
	at      int
	strings map[string]string // of @string, and the months
}

// parseBibTeX reads entries as BibTeX does: what is outside of them is a comment.
func parseBibTeX(text string) (entries []Entry, problems []Problem) {
	s := &bibScanner{text: text, strings: map[string]string{}}
	for i, month := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		s.strings[month] = strconv.Itoa(i + 1)
	}
	for len(entries) <= maxEntries {
		next := strings.IndexByte(text[s.at:], '@')
		if next < 0 {
			break
		}
		begin := s.at + next
		s.at = begin + 1
		kind := strings.ToLower(s.word())
		if kind == "" || kind == "comment" || !s.open() {
			continue
		}
		e := Entry{Line: lineAt(text, begin), fields: map[string]span{}}
		if kind != "string" && kind != "preamble" {
			e.Key = strings.TrimSpace(s.until(",}"))
			s.take(",")
		}
		values, problem := s.fields(&e, kind == "preamble")
		if problem != nil {
			problems = append(problems, *problem)
			if again := strings.Index(text[begin+1:], "\n@"); again >= 0 { // the next entry begins a line
				s.at = begin + 1 + again
				continue
			}
			break
		}
		if kind == "string" {
			for name, value := range values {
				s.strings[name] = value
			}
		} else if kind != "preamble" {
			e.fill(values)
			e.Type = typeOf(kind, values["booktitle"])
			entries = append(entries, e)
		}
	}
	return entries, problems
}

func (s *bibScanner) skipSpace() {
	for s.at < len(s.text) && unicode.IsSpace(rune(s.text[s.at])) {
		s.at++
	}
}

// word reads a name: of a kind, a field or a string.
func (s *bibScanner) word() string {
	s.skipSpace()
	start := s.at
	for s.at < len(s.text) && !strings.ContainsRune(" \t\r\n{}(),=#\"@", rune(s.text[s.at])) {
		s.at++
	}
	return s.text[start:s.at]
}

func (s *bibScanner) open() bool { return s.take("{(") }

// take reads one of the characters.
func (s *bibScanner) take(of string) bool {
	s.skipSpace()
	if s.at < len(s.text) && strings.IndexByte(of, s.text[s.at]) >= 0 {
		s.at++
		return true
	}
	return false
}

// until reads up to one of the characters, or a line's end.
func (s *bibScanner) until(stops string) string {
	start := s.at
	for s.at < len(s.text) && !strings.ContainsRune(stops+"\n", rune(s.text[s.at])) {
		s.at++
	}
	return s.text[start:s.at]
}

// fields reads name = value pairs up to the end of an entry, or says what is wrong.
func (s *bibScanner) fields(e *Entry, bare bool) (values map[string]string, problem *Problem) {
	values = map[string]string{}
	if bare {
		_, problem = s.value("the text")
	}
	for problem == nil {
		s.skipSpace()
		e.end = s.at
		if s.take("})") {
			return values, nil
		}
		if s.at == len(s.text) || s.text[s.at] == '@' {
			return nil, &Problem{e.Line, "the entry is not closed: add its }"}
		}
		name := strings.ToLower(s.word())
		if name == "" || !s.take("=") {
			return nil, s.fault("expected a field such as title = {…}")
		}
		s.skipSpace()
		start := s.at
		var value string
		if value, problem = s.value(name); problem != nil {
			break
		}
		if _, twice := values[name]; !twice {
			values[name], e.fields[name] = value, span{start, s.at}
		}
		s.take(",")
	}
	return nil, problem
}

func (s *bibScanner) fault(what string) *Problem { return &Problem{lineAt(s.text, s.at), what} }

// value reads parts joined by #.
func (s *bibScanner) value(of string) (value string, problem *Problem) {
	for {
		s.skipSpace()
		switch {
		case s.at == len(s.text):
			return "", s.fault("the file ends where " + of + " should have a value")
		case s.text[s.at] == '{' || s.text[s.at] == '"':
			begin, missing := *s, "}"
			if s.text[s.at] == '"' {
				missing = `"`
			}
			part, ok := s.quoted()
			if !ok {
				return "", begin.fault("the value of " + of + " is not closed: add its " + missing)
			}
			value += part
		default:
			name := s.word()
			if name == "" {
				return "", s.fault("expected a value of " + of + " in braces or quotation marks")
			}
			known, ok := s.strings[strings.ToLower(name)]
			if !ok {
				known = name
			}
			value += known
		}
		if !s.take("#") {
			return value, nil
		}
	}
}

// quoted reads a value in braces or quotation marks, in which braces are balanced.
func (s *bibScanner) quoted() (string, bool) {
	closing, depth := byte('}'), 0
	if s.text[s.at] == '"' {
		closing = '"'
	}
	for start := s.at + 1; ; {
		if s.at++; s.at >= len(s.text) {
			s.at = len(s.text) // a backslash may end the file
			return "", false
		}
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == closing && depth == 0:
			s.at++
			return s.text[start : s.at-1], true
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return "", false
			}
		}
	}
}

// yearIn and arxivID find a year and an arXiv identifier in a value.
var (
	yearIn  = lazyregexp.New(`\b(1[5-9]|20)\d\d\b`)
	arxivID = lazyregexp.New(`\b\d{4}\.\d{4,5}\b|\b[a-z-]+(?:\.[A-Z]{2})?/\d{7}\b`)
	inArXiv = lazyregexp.New(`(?i)arxiv(?:\.org/(?:abs|pdf)/|[\s:.]+(?:preprint\s+)?(?:arxiv:)?)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})`)
)

// fill sets the entry's fields from the values of BibTeX and biblatex.
func (e *Entry) fill(values map[string]string) {
	plain := func(names ...string) string {
		for _, name := range names {
			if v := plainTeX(values[name]); v != "" {
				return v
			}
		}
		return ""
	}
	e.Title = plain("title")
	if sub := plain("subtitle"); sub != "" {
		e.Title += ": " + sub
	}
	for _, name := range splitAnd(cmp.Or(values["author"], values["editor"])) {
		if strings.EqualFold(name, "others") {
			e.Others = true
			continue
		}
		if group, braced := strings.CutPrefix(name, "{"); braced && strings.Count(name, "{") == 1 && strings.HasSuffix(group, "}") {
			e.Authors = append(e.Authors, Name{Family: plainTeX(group)})
		} else if n := NameOf(plainTeX(name)); n.Family != "" {
			e.Authors = append(e.Authors, n)
		}
	}
	e.Year, _ = strconv.Atoi(yearIn.FindString(cmp.Or(values["year"], values["date"])))
	e.Venue = plain("journal", "journaltitle", "booktitle", "maintitle")
	e.DOI, e.URL = docid.NormalizeDOI(plain("doi")), strings.TrimSpace(values["url"])
	e.PMID = digits(values["pmid"])
	e.setISBN(values["isbn"])
	if strings.EqualFold(cmp.Or(values["eprinttype"], values["archiveprefix"], "arxiv"), "arxiv") {
		e.ArXiv = arxivID.FindString(values["eprint"])
	}
	e.identify(e.URL + " " + e.Venue + " " + values["note"])
}

// identify finds the identifiers that the entry's other words contain.
func (e *Entry) identify(text string) {
	if e.ArXiv == "" {
		if m := inArXiv.FindStringSubmatch(text); m != nil {
			e.ArXiv = m[1]
		}
	}
	if e.DOI == "" {
		e.DOI = docid.NormalizeDOI(text)
	}
	if id, ok := strings.CutPrefix(e.DOI, "10.48550/arxiv."); ok && e.ArXiv == "" {
		e.ArXiv = arxivID.FindString(id)
	}
}

// splitAnd splits a list of names at "and" outside of braces.
func splitAnd(s string) (names []string) {
	depth, start := 0, 0
	fields := func(end int) {
		if name := strings.TrimSpace(s[start:end]); name != "" {
			names = append(names, name)
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		default:
			if depth == 0 && i > 0 && unicode.IsSpace(rune(s[i-1])) && len(s) > i+3 && strings.EqualFold(s[i:i+3], "and") && unicode.IsSpace(rune(s[i+3])) {
				fields(i)
				start = i + 3
			}
		}
	}
	fields(len(s))
	return names
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// Repair writes values into the fields of a BibTeX file: entry by its index among those that [Parse] returned, then field by
// BibTeX's name. Fields that an entry lacks are added at its end.
func Repair(text string, entries []Entry, values map[int]map[string]string) string {
	type edit struct {
		span
		with string
	}
	var edits []edit
	for i, fields := range values {
		for name, value := range fields {
			value = "{" + escapeTeX(value) + "}"
			if at, known := entries[i].fields[name]; known {
				edits = append(edits, edit{at, value})
			} else {
				edits = append(edits, edit{span{entries[i].end, entries[i].end}, "  " + name + " = " + value + ",\n"})
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(a.start-b.start, cmp.Compare(a.with, b.with)) })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		before := text[at:e.start]
		if e.start == e.end { // the field before may lack its comma
			if trimmed := strings.TrimRight(before, " \t\r\n"); trimmed != "" && !strings.HasSuffix(trimmed, ",") && !strings.HasSuffix(b.String(), ",\n") {
				before = trimmed + "," + before[len(trimmed):]
			}
			if !strings.HasSuffix(before, "\n") && !strings.HasSuffix(b.String(), ",\n") {
				before += "\n"
			}
		}
		b.WriteString(before)
		b.WriteString(e.with)
		at = e.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// escapeTeX keeps a value from ending its field or beginning a command.
func escapeTeX(s string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", "", "}", "", "&", `\&`, "%", `\%`, "#", `\#`, "_", `\_`, "$", `\$`).Replace(s)
}
