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

// Bounds of BibTeX. Values are counted with their @string parts expanded, which can double at each line.
const (
	maxValue    = 64 << 10
	maxValues   = 16 << 20 // of a file
	maxUsed     = 4 << 10  // of a value, for comparisons
	maxProblems = 100      // further ones are not read
)

// bibScanner reads a BibTeX file. No library does: a damaged entry must not hide the others.
type bibScanner struct {
	text    string
	at      int
	strings map[string]string // of @string, and the months
	size    int               // of all values so far, in bytes
	lines   []int             // where they end
}

// parseBibTeX reads entries as BibTeX does: what is outside of them is a comment.
func parseBibTeX(text string) (entries []Entry, problems []Problem) {
	s := &bibScanner{text: text, strings: map[string]string{}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.lines = append(s.lines, i)
		}
	}
	for i, month := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		s.strings[month] = strconv.Itoa(i + 1)
	}
	for len(entries) <= maxEntries && len(problems) < maxProblems {
		next := strings.IndexByte(text[s.at:], '@')
		if next < 0 {
			break
		}
		begin := s.at + next
		s.at = begin + 1
		kind := strings.ToLower(s.word())
		if kind == "" || kind == "comment" || !s.take("{(") {
			continue
		}
		key := ""
		if kind != "string" && kind != "preamble" {
			key = s.until(",}")
			s.take(",")
		}
		values, problem := s.fields(begin, kind == "preamble")
		switch {
		case problem != nil:
			problems = append(problems, *problem)
			again := strings.Index(text[begin+1:], "\n@") // the next entry begins a line
			if again < 0 || s.size > maxValues {
				return entries, problems
			}
			s.at = begin + 1 + again
		case kind == "string":
			for name, value := range values {
				s.strings[name] = value
			}
		case kind != "preamble":
			e := Entry{Key: strings.TrimSpace(key), Line: s.line(begin), Book: isBook(kind) || strings.EqualFold(kind, "inbook") &&
				values["booktitle"] == ""}
			e.fill(values)
			entries = append(entries, e)
		}
	}
	return entries, problems
}

// line returns the line of a byte, from 1.
func (s *bibScanner) line(at int) int {
	n, _ := slices.BinarySearch(s.lines, at)
	return n + 1
}

func (s *bibScanner) fault(at int, what string) *Problem { return &Problem{s.line(at), what} }

func (s *bibScanner) skipSpace() {
	for s.at < len(s.text) && unicode.IsSpace(rune(s.text[s.at])) {
		s.at++
	}
}

// word reads a name: of a kind, a field or a string.
func (s *bibScanner) word() string {
	s.skipSpace()
	return s.until(" \t\r{}(),=#\"@")
}

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

// fields reads name = value pairs up to the end of an entry, or says what is wrong. A bare entry has a value only.
func (s *bibScanner) fields(begin int, bare bool) (values map[string]string, problem *Problem) {
	values = map[string]string{}
	if bare {
		_, problem = s.value("the text")
	}
	for problem == nil {
		if s.take("})") {
			return values, nil
		}
		if s.at == len(s.text) || s.text[s.at] == '@' {
			return nil, s.fault(begin, "the entry is not closed: add its }")
		}
		name := strings.ToLower(s.word())
		if name == "" || !s.take("=") {
			return nil, s.fault(s.at, "expected a field such as title = {…}")
		}
		var value string
		value, problem = s.value(name)
		if values[name] == "" {
			values[name] = value
		}
		s.take(",")
	}
	return nil, problem
}

// value reads parts joined by #.
func (s *bibScanner) value(of string) (value string, problem *Problem) {
	for {
		s.skipSpace()
		begin := s.at
		switch {
		case s.at == len(s.text):
			return "", s.fault(s.at, "the file ends where "+of+" should have a value")
		case s.text[s.at] == '{' || s.text[s.at] == '"':
			part, ok := s.quoted()
			if !ok {
				return "", s.fault(begin, "the value of "+of+" is not closed: add its "+map[byte]string{'{': "}", '"': `"`}[s.text[begin]])
			}
			value += part
		default:
			name := s.word()
			if name == "" {
				return "", s.fault(s.at, "expected a value of "+of+" in braces or quotation marks")
			}
			known, ok := s.strings[strings.ToLower(name)]
			if !ok {
				known = name
			}
			value += known
		}
		if s.size += len(value); len(value) > maxValue {
			return "", s.fault(begin, "the value of "+of+" is longer than 64 kB")
		} else if s.size > maxValues {
			return "", s.fault(begin, "the values of the file are longer than 16 MB together; what follows is left out")
		}
		if !s.take("#") {
			return value, nil
		}
	}
}

// quoted reads a value in braces or quotation marks, in which braces are balanced.
func (s *bibScanner) quoted() (string, bool) {
	closing, depth, start := byte('}'), 0, s.at+1
	if s.text[s.at] == '"' {
		closing = '"'
	}
	for s.at++; s.at < len(s.text) && s.at <= start+maxValue; s.at++ {
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
	s.at = min(s.at, len(s.text)) // a backslash may end the file
	return "", false
}

// shortList matches the end of a list of authors that is shortened.
var shortList = lazyregexp.New(`(?i)(?:^|[\s,;]+)(?:and\s+)?\{?(?:et\.?[\s~]*al\.?|others\.?)\}?\s*$`)

// fill sets the entry's fields from the values of BibTeX and biblatex.
func (e *Entry) fill(values map[string]string) {
	raw := func(name string) string {
		return strings.ToValidUTF8(values[name][:min(len(values[name]), maxUsed)], "")
	}
	plain := func(names ...string) string {
		for _, name := range names {
			if v := plainTeX(raw(name)); v != "" {
				return v
			}
		}
		return ""
	}
	e.Title = plain("title")
	if sub := plain("subtitle"); sub != "" {
		e.Title += ": " + sub
	}
	people := cmp.Or(raw("author"), raw("editor"))
	if at := shortList.FindStringIndex(people); at != nil {
		people, e.Others = people[:at[0]], true
	}
	for _, name := range splitNames(people) {
		if group, braced := strings.CutPrefix(name, "{"); braced && strings.Count(name, "{") == 1 && strings.HasSuffix(group, "}") {
			e.Authors = append(e.Authors, Name{Family: plainTeX(group)})
		} else if n := NameOf(plainTeX(name)); n.Family != "" {
			e.Authors = append(e.Authors, n)
		}
	}
	e.Year, _ = strconv.Atoi(yearIn.FindString(cmp.Or(values["year"], values["date"])))
	e.Venue = plain("journal", "journaltitle", "booktitle", "maintitle")
	e.DOI, e.PMID, e.ISBN = docid.NormalizeDOI(plain("doi")), digits(values["pmid"]), isbnOf(values["isbn"])
	if strings.EqualFold(cmp.Or(values["eprinttype"], values["archiveprefix"], "arxiv"), "arxiv") {
		e.ArXiv = arxivID.FindString(values["eprint"])
	}
	e.identify(plain("url") + " " + e.Venue + " " + plain("note") + " " + plain("howpublished"))
}

// splitNames splits a list of names at "and", or at semicolons, outside of braces.
func splitNames(s string) (names []string) {
	depth, start := 0, 0
	take := func(end, next int) {
		if name := strings.TrimSpace(s[start:end]); name != "" {
			names = append(names, name)
		}
		start = next
	}
	space := func(i int) bool { return i >= 0 && i < len(s) && unicode.IsSpace(rune(s[i])) }
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ';':
			if depth == 0 && space(i+1) && !strings.Contains(s[start:i], "&") { // of no HTML entity
				take(i, i+1)
			}
		case 'a', 'A':
			if depth == 0 && space(i-1) && space(i+3) && strings.EqualFold(s[i:i+3], "and") {
				take(i, i+3)
			}
		}
	}
	take(len(s), len(s))
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
