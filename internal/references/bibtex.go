package references

import (
	"cmp"
	"maps"
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

var (
	bibEntry = lazyregexp.New(`@\s*(\w+)\s*[{(]`)
	bibKey   = lazyregexp.New(`^\s*[^,={}\n]*`)
	bibField = lazyregexp.New(`^([^\s{}(),=#"@]+)\s*=\s*`)
	bibWord  = lazyregexp.New(`^[^\s{}(),=#"@]+`)
	bibMore  = lazyregexp.New(`^\s*#\s*`)
)

// bibTeX reads a file. No library does: a damaged entry must not hide the others.
type bibTeX struct {
	text    string
	strings map[string]string // of @string, and the months
	size    int               // of all values so far, in bytes
}

// parseBibTeX reads entries as BibTeX does: what is outside of them is a comment.
func parseBibTeX(text string) (entries []Entry, problems []Problem) {
	b := &bibTeX{text: text, strings: map[string]string{}}
	for i, month := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		b.strings[month] = strconv.Itoa(i + 1)
	}
	line, counted := 1, 0
	for at := 0; len(entries) <= maxEntries && len(problems) < maxProblems; {
		m := bibEntry.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		begin, kind := at+m[0], strings.ToLower(text[at+m[2]:at+m[3]])
		if at += m[1]; kind == "comment" {
			continue
		}
		line, counted = line+strings.Count(text[counted:begin], "\n"), begin
		key := bibKey.FindString(text[at:])
		if end := at + len(key); kind == "string" || kind == "preamble" || end < len(text) && text[end] == '=' {
			key = ""
		}
		values, end, problem := b.fields(begin, at+len(key), kind == "preamble")
		at = end
		switch {
		case problem != nil:
			problems = append(problems, *problem)
			again := strings.Index(text[begin+1:], "\n@") // the next entry begins a line
			if again < 0 || b.size > maxValues {
				return entries, problems
			}
			at = begin + 1 + again
		case kind == "string":
			maps.Copy(b.strings, values)
		case kind != "preamble":
			e := Entry{Key: strings.TrimSpace(key), Line: line, Book: isBook(kind) || kind == "inbook" && values["booktitle"] == ""}
			e.fill(values)
			entries = append(entries, e)
		}
	}
	return entries, problems
}

func (b *bibTeX) fault(at int, what string) *Problem {
	return &Problem{1 + strings.Count(b.text[:min(at, len(b.text))], "\n"), what}
}

// skip returns the place behind some characters.
func (b *bibTeX) skip(at int, some string) int {
	return len(b.text) - len(strings.TrimLeft(b.text[min(at, len(b.text)):], some))
}

// fields reads name = value pairs from a place up to the end of the entry that begins at another, and returns the place behind it. A
// bare entry has a value only.
func (b *bibTeX) fields(begin, at int, bare bool) (values map[string]string, next int, problem *Problem) {
	values = map[string]string{}
	if bare {
		_, at, problem = b.value("the text", b.skip(at, space))
	}
	for problem == nil {
		if at = b.skip(at, space+","); at == len(b.text) || b.text[at] == '@' {
			return nil, at, b.fault(begin, "the entry is not closed: add its }")
		}
		if b.text[at] == '}' || b.text[at] == ')' {
			return values, at + 1, nil
		}
		m := bibField.FindStringSubmatch(b.text[at:])
		if m == nil {
			return nil, at, b.fault(at, "expected a field such as title = {…}")
		}
		name, value := strings.ToLower(m[1]), ""
		value, at, problem = b.value(name, at+len(m[0]))
		values[name] = cmp.Or(values[name], value)
	}
	return nil, at, problem
}

const space = " \t\r\n"

// value reads parts joined by #.
func (b *bibTeX) value(of string, at int) (value string, next int, problem *Problem) {
	for begin := at; ; {
		part := bibWord.FindString(b.text[at:])
		end := at + len(part)
		switch known, ok := b.strings[strings.ToLower(part)]; {
		case at == len(b.text):
			return "", at, b.fault(at, "the file ends where "+of+" should have a value")
		case b.text[at] == '{' || b.text[at] == '"':
			if end = closing(b.text, at); end < 0 {
				return "", at, b.fault(at, "the value of "+of+" is not closed: add its "+
					map[byte]string{'{': "}", '"': `"`}[b.text[at]])
			}
			part = b.text[at+1 : end-1]
		case part == "":
			return "", at, b.fault(at, "expected a value of "+of+" in braces or quotation marks")
		case ok:
			part = known
		}
		value += part
		if b.size += len(value); len(value) > maxValue {
			return "", at, b.fault(begin, "the value of "+of+" is longer than 64 kB")
		} else if b.size > maxValues {
			return "", at, b.fault(begin, "the values of the file are longer than 16 MB together; what follows is left out")
		}
		more := bibMore.FindString(b.text[end:])
		if at = end + len(more); more == "" {
			return value, at, nil
		}
	}
}

// closing returns the place behind the brace or quotation mark that closes the one at a place, or -1. Braces in between are balanced.
func closing(text string, at int) int {
	depth := 0
	for i := at + 1; i < min(len(text), at+1+maxValue); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case depth == 0 && (c == '"' && text[at] == '"' || c == '}' && text[at] == '{'):
			return i + 1
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return -1
			}
		}
	}
	return -1
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
