package references

import (
	"cmp"
	"maps"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Bounds of BibTeX. Values are counted with their @string parts expanded, which can double at each line.
const (
	maxEntry    = 256 << 10
	maxValue    = 64 << 10
	maxValues   = 16 << 20 // of a file
	maxProblems = 100      // further ones are not read
)

var (
	bibEntry = lazyregexp.New(`@\s*(\w+)\s*[{(]`)
	bibNext  = lazyregexp.New(`\n[ \t]*@\s*\w+\s*[{(]`)
	bibInner = lazyregexp.New(`\n[ \t]*@\s*\w+\s*\{[^,{}=\n]*,`) // an entry that one without its end has swallowed
	bibKey   = lazyregexp.New(`^\s*([^,={}\n"#]*?)\s*(?:,|$)`)
	bibGap   = lazyregexp.New(`^(?:[\s,]|%[^\n]*)+`) // between fields; BibTeX knows no comments there, but people write them
	bibField = lazyregexp.New(`^([^\s{}(),=#"@]+)\s*=\s*`)
	bibWord  = lazyregexp.New(`^[^\s{}(),=#"@]+`)
	bibMore  = lazyregexp.New(`^\s*#\s*`)
)

// bibTeX has what the entries of a file share. No library reads them: a damaged entry must not hide the others.
type bibTeX struct {
	strings map[string]string // of @string
	size    int               // of all values so far, in bytes
}

// parseBibTeX reads entries as BibTeX does: what is outside of them is a comment. An entry ends before a line that begins another.
func parseBibTeX(text string) (entries []Entry, problems []Problem) {
	b := &bibTeX{strings: map[string]string{}}
	line := 1
	for len(entries) <= maxEntries && len(problems) < maxProblems && b.size <= maxValues {
		m := bibEntry.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		line += strings.Count(text[:m[0]], "\n")
		kind, open := strings.ToLower(text[m[2]:m[3]]), m[1]-m[0]-1
		if text = text[m[0]:]; kind == "comment" {
			text = text[open:]
			continue
		}
		var key, problem string
		var values map[string]string
		end := closing(text[:min(len(text), maxEntry)], open, true)
		if end < 0 || bibInner.MatchString(text[:end]) {
			problem, end = "the entry is not closed: add its }", len(text)-1
			if next := bibNext.FindStringIndex(text); next != nil {
				end = next[0]
			}
		} else if kind != "preamble" {
			key, values, problem = b.fields(text[open+1 : end])
		}
		switch {
		case problem != "":
			problems = append(problems, Problem{line, problem})
		case kind == "string":
			maps.Copy(b.strings, values)
		case kind != "preamble":
			e := Entry{Key: key, Line: line, Book: isBook(kind) || kind == "inbook" && values["booktitle"] == ""}
			e.fill(values, splitNames(cmp.Or(values["author"], values["editor"])))
			entries = append(entries, e)
		}
		line += strings.Count(text[:end+1], "\n")
		text = text[end+1:]
	}
	return entries, problems
}

// closing returns the place of what closes the brace, the parenthesis or the quotation mark at a place, or -1. Braces in between
// are balanced, and what stands in the quotation marks of an entry's values closes nothing.
func closing(text string, open int, entry bool) int {
	depth, quoted := 0, false
	for i := open + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case depth == 0 && !quoted && strings.IndexByte("})\"", c) == strings.IndexByte("{(\"", text[open]):
			return i
		case c == '"' && depth == 0 && entry:
			quoted = !quoted
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	return -1
}

// fields reads the key of an entry, if it has one, and its name = value pairs.
func (b *bibTeX) fields(body string) (key string, values map[string]string, problem string) {
	values = map[string]string{}
	if m := bibKey.FindStringSubmatch(body); m != nil {
		key, body = m[1], body[len(m[0]):]
	}
	for problem == "" {
		if body = bibGap.ReplaceAllString(body, ""); body == "" {
			break
		}
		m := bibField.FindStringSubmatch(body)
		if m == nil {
			return key, nil, "expected a field such as title = {…}"
		}
		name, value := strings.ToLower(m[1]), ""
		value, body, problem = b.value(name, body[len(m[0]):])
		values[name] = cmp.Or(values[name], value)
	}
	return key, values, problem
}

// value reads parts joined by #.
func (b *bibTeX) value(of, text string) (value, rest, problem string) {
	for {
		part := bibWord.FindString(text)
		end := len(part)
		known, ok := b.strings[strings.ToLower(part)]
		switch delimited := strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`); {
		case delimited && closing(text, 0, false) > 0:
			end = closing(text, 0, false) + 1
			part = text[1 : end-1]
		case part == "":
			return "", "", "expected a value of " + of + " in braces or quotation marks"
		case ok:
			part = known
		}
		value += part
		if b.size += len(value); len(value) > maxValue {
			return "", "", "the value of " + of + " is longer than 64 kB"
		} else if b.size > maxValues {
			return "", "", "the values of the file are longer than 16 MB together; what follows is left out"
		}
		more := bibMore.FindString(text[end:])
		if text = text[end+len(more):]; more == "" {
			return value, text, ""
		}
	}
}

var andBetween = lazyregexp.New(`(?i)(?:^|\s)and\b`)

// splitNames splits a list of names at "and" outside of braces.
func splitNames(s string) (names []string) {
	start := 0
	for _, at := range andBetween.FindAllStringIndex(s, -1) {
		if part := s[start:at[0]]; strings.Count(part, "{") <= strings.Count(part, "}") {
			names, start = append(names, part), at[1]
		}
	}
	return append(names, s[start:])
}
