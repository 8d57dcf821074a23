package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// readHead sets the metadata that the head of a text states, in any of the forms of package lines. It is no parser of YAML or
// TOML: it reads scalars, lists of scalars and names in lists, and ignores everything else.
func readHead(head, rest string, d *document.Document) {
	switch {
	case head == "":
	case strings.HasPrefix(head, "% "):
		readTitleBlock(head, d)
	case memoLine.MatchString(head):
		readMemo(head, rest, d)
	default:
		s := statementsOf(head)
		s.set(d)
	}
}

// Statement is what a head says of its document: a key with its values.
type Statement struct {
	Name   string // lower case, words joined by hyphens
	Values []string
	folded bool // a text in the lines below
}

// Statements returns what a head states, in its order, or a file of YAML or TOML. The left column of an RFC's head counts.
func Statements(head string) []Statement {
	if memoLine.MatchString(head) {
		left := strings.Split(head, "\n")
		for i := range left {
			left[i] = columns.Split(left[i], 2)[0]
		}
		head = strings.Join(left, "\n")
	}
	return slices.DeleteFunc(statementsOf(head).all, func(s Statement) bool { return len(s.Values) == 0 })
}

func statementsOf(head string) (s statements) {
	for line := range strings.SplitSeq(head, "\n") {
		if !s.add(strings.TrimRight(line, "\r")) {
			break
		}
	}
	return s
}

// statements reads a head line by line.
type statements struct {
	all  []Statement
	list bool // a list in brackets is open
	toml bool
}

var (
	stated   = lazyregexp.New(`^(?:#\+|:)?["']?(\w[\w .-]*?)["']?[ \t]*([:=])(?:[ \t]+|$)(.*)$`)
	named    = lazyregexp.New(`^(?:-[ \t]+)?(?:name|literal|full_?name)[ \t]*:[ \t]*(.+)$`)
	nested   = lazyregexp.New(`^(?:-[ \t]+)?["']?\w[\w-]*["']?[ \t]*:(?:[ \t]|$)`)
	tomlTool = lazyregexp.New(`^([\w-]+)[ \t]*=[ \t]*(.*)$`)
	remarkAt = lazyregexp.New(`[ \t]+#[ \t].*$`)
)

// add reads a line. It returns false at the first table of TOML, whose keys are not those of the document.
func (s *statements) add(line string) bool {
	trimmed := strings.TrimSpace(line)
	last := len(s.all) - 1
	switch {
	case s.list:
		s.append(trimmed)
		s.list = !strings.Contains(trimmed, "]")
	case trimmed == "+++":
		s.toml = true
	case s.toml && strings.HasPrefix(trimmed, "["):
		return false
	case trimmed == "", trimmed == "---", trimmed == "...", strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "#+"):
	case last >= 0 && named.MatchString(trimmed) && (line[0] == ' ' || line[0] == '\t' || line[0] == '-'):
		s.append(named.FindStringSubmatch(trimmed)[1])
	case last >= 0 && strings.HasPrefix(trimmed, "- "):
		if !nested.MatchString(trimmed) {
			s.append(trimmed[2:])
		}
	case line[0] == ' ' || line[0] == '\t':
		if of := last; of >= 0 && (s.all[of].folded || !nested.MatchString(trimmed)) {
			if n := len(s.all[of].Values); n > 0 && !s.all[of].folded || n > 1 {
				s.all[of].Values[n-1] += " " + trimmed
			} else {
				s.append(trimmed)
			}
		}
	default:
		m := stated.FindStringSubmatch(line)
		if s.toml {
			if m = tomlTool.FindStringSubmatch(line); m != nil {
				m = []string{m[0], m[1], "=", m[2]}
			}
		}
		if m == nil {
			return true
		}
		key := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSpace(m[1])))
		value := strings.TrimSpace(m[3])
		if !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'") {
			value = remarkAt.ReplaceAllString(value, "")
		}
		s.all = append(s.all, Statement{Name: key})
		switch {
		case strings.Trim(value, ">|+-0123456789") == "" && strings.ContainsAny(value, ">|"):
			s.all[last+1].folded = true
		case strings.HasPrefix(value, "["):
			s.list = !strings.Contains(value, "]")
			s.append(value)
		case value != "":
			s.append(value)
		}
	}
	return true
}

// maxStated bounds the values of one key.
const maxStated = 2 * document.MaxAuthors

// append adds a value, or the values of a list in brackets, to the last key.
func (s *statements) append(value string) {
	at := &s.all[len(s.all)-1]
	if list := strings.HasPrefix(value, "["); !list && !s.list {
		if len(at.Values) < maxStated {
			at.Values = append(at.Values, unquoted(value))
		}
		return
	}
	for _, item := range splitOutside(strings.Trim(value, "[],"), ',') {
		if item = unquoted(item); item != "" && len(at.Values) < maxStated {
			at.Values = append(at.Values, item)
		}
	}
}

func unquoted(s string) string {
	s = strings.TrimSpace(s)
	for _, mark := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(s, mark); ok {
			if end := strings.LastIndex(inner, mark); end >= 0 {
				return strings.TrimSpace(inner[:end])
			}
		}
	}
	return s
}

// splitOutside cuts a list at a separator outside of quotation marks and brackets.
func splitOutside(s string, at rune) (out []string) {
	depth, quote, from := 0, rune(0), 0
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"', r == '\'' && strings.TrimSpace(s[from:i]) == "": // elsewhere it is an apostrophe
			quote = r
		case r == '(' || r == '<':
			depth++
		case r == ')' || r == '>':
			depth = max(0, depth-1)
		case r == at && depth == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// set sets the metadata. Of several dates the first one counts, and a subject is the title where there is no other.
func (s *statements) set(d *document.Document) {
	subject := ""
	for _, f := range s.all {
		value := document.Title(strings.Join(f.Values, " "))
		if value == "" {
			continue
		}
		switch f.Name {
		case "title":
			d.Title = cmp.Or(d.Title, value)
		case "author", "authors", "creator", "creators", "from", "owner":
			for _, v := range f.Values {
				addAuthors(v, d)
			}
		case "date", "published", "publishdate", "published-at", "pubdate", "date-published", "issued", "created", "creation-date":
			d.PublishedAt = cmp.Or(d.PublishedAt, document.Date(dayMonth.ReplaceAllString(value, "$1 $2 $3")))
		case "updated", "last-updated", "lastmod", "modified", "last-modified", "date-modified":
			d.ModifiedAt = cmp.Or(d.ModifiedAt, document.Date(dayMonth.ReplaceAllString(value, "$1 $2 $3")))
		case "doi":
			d.DOI = cmp.Or(d.DOI, docid.NormalizeDOI(value))
		case "lang", "language":
			d.Language = cmp.Or(d.Language, document.Language(value))
		case "publisher", "journal", "organization", "organisation", "institution", "container-title":
			d.Publisher = cmp.Or(d.Publisher, value)
		case "status":
			d.DocStatus = cmp.Or(d.DocStatus, value)
		case "subject":
			subject = cmp.Or(subject, value)
		case "keywords", "tags":
			d.Keywords = cmp.Or(d.Keywords, document.Title(strings.Join(f.Values, ", ")))
		}
	}
	if d.Title == "" {
		d.Title = subject
	} else {
		d.Subject = subject
	}
}

var (
	dayMonth   = lazyregexp.New(`^(\d{1,2})-(\p{L}{3,12})-(\d{4})`)
	between    = lazyregexp.New(`\s*;\s*|\s+(?:and|&)\s+`)
	aside      = lazyregexp.New(`\s*[<(][^<>()]*[>)]?`)
	nameBehind = lazyregexp.New(`^\S+@\S+\s+\(([^()]+)\)$`) // ann@example.org (Ann Lee)
)

// addAuthors adds the names of a list such as "Ann Lee (@ann), Bo Ek <bo@example.org>". "Lee, Ann" is one name.
func addAuthors(list string, d *document.Document) {
	for _, part := range between.Split(list, document.MaxAuthors) {
		names := splitOutside(part, ',')
		if len(names) == 2 && !strings.ContainsAny(part, "(<@") && !strings.Contains(strings.TrimSpace(names[0]), " ") {
			names = []string{part}
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			if m := nameBehind.FindStringSubmatch(name); m != nil {
				name = m[1]
			} else if bare := aside.ReplaceAllString(name, ""); bare != "" {
				name = bare
			} else {
				name = strings.Trim(name, "<>()")
			}
			name = unquoted(name)
			if strings.HasPrefix(name, "@") && len(name) > 1 && len(d.Authors) < document.MaxAuthors { // a handle, where nothing else is stated
				if handle := document.Title(name); !slices.Contains(d.Authors, handle) && len(handle) <= document.MaxTitleChars {
					d.Authors = append(d.Authors, handle)
				}
				continue
			}
			d.Authors = document.AddAuthor(d.Authors, name)
		}
	}
}

// readTitleBlock reads Pandoc's title, authors and date, each after a % and with its further lines indented.
func readTitleBlock(head string, d *document.Document) {
	var parts []string
	for line := range strings.SplitSeq(head, "\n") {
		if rest, ok := strings.CutPrefix(line, "%"); ok {
			parts = append(parts, strings.TrimSpace(rest))
		} else if len(parts) > 0 {
			parts[len(parts)-1] += map[bool]string{true: "; ", false: " "}[len(parts) == 2] + strings.TrimSpace(line)
		}
	}
	parts = append(parts, "", "")
	d.Title = document.Title(parts[0])
	addAuthors(parts[1], d)
	d.PublishedAt = document.Date(parts[2])
}

var (
	memoLine   = lazyregexp.New(`(?im)^(?:request for comments:|internet-draft\b)`)
	memoKey    = lazyregexp.New(`(?i)^(category|intended status|status):[ \t]*(.*)$`)
	columns    = lazyregexp.New(`[ \t]{2,}`)
	memoAuthor = lazyregexp.New(`^(?:\p{Lu}\.[ -]?)+ ?\p{L}[\p{L}' -]+`)
	memoDate   = lazyregexp.New(`^(?:\d{1,2} )?\p{Lu}\p{L}{2,8}\.? (?:\d{1,2}, )?\d{4}$`)
)

// readMemo reads the head of an RFC or an Internet-Draft: organisation and keys in the left column, authors and date in the
// right one. Its title is the paragraph below.
func readMemo(head, rest string, d *document.Document) {
	for i, line := range strings.Split(head, "\n") {
		left, right := strings.TrimRight(line, " \t\r"), ""
		if cut := columns.FindAllStringIndex(left, -1); len(cut) > 0 {
			at := cut[len(cut)-1]
			left, right = left[:at[0]], left[at[1]:]
		}
		left = strings.TrimSpace(left)
		if m := memoKey.FindStringSubmatch(left); m != nil {
			d.DocStatus = cmp.Or(d.DocStatus, document.Title(m[2]))
		} else if i == 0 && left != "" && !memoLine.MatchString(left) {
			d.Publisher = document.Title(left)
		}
		switch {
		case memoDate.MatchString(right):
			d.PublishedAt = document.Date(right)
		case memoAuthor.MatchString(right):
			d.Authors = document.AddAuthor(d.Authors, strings.TrimSuffix(strings.TrimSuffix(right, "Ed."), ", "))
		}
	}
	title, _, _ := strings.Cut(strings.TrimLeft(rest, " \t\r\n"), "\n\n")
	if len(title) <= document.MaxNameChars {
		d.Title = document.Title(title)
	}
}
