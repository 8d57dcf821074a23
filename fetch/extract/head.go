package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// readHead sets the metadata that the head of a text states, in any of the forms of package lines.
func readHead(head, rest string, d *document.Document) {
	switch {
	case head == "":
	case memoLine.MatchString(head):
		readMemo(head, rest, d)
	default:
		setHead(Statements(head), d)
	}
}

// Statement is what a head says of its document: a key with its values.
type Statement struct {
	Name   string // lower case, words joined by hyphens
	Values []string
}

const (
	maxHeadBytes = 256 << 10 // of a head that is parsed; those of documents have 200 lines
	maxStated    = 2 * document.MaxAuthors
)

// Statements returns what a head states, or a file of YAML or TOML: scalars, lists of them, and names in lists. The left column of
// an RFC's head counts. What is neither valid YAML nor TOML is read line by line.
func Statements(head string) (all []Statement) {
	head = head[:min(len(head), maxHeadBytes)]
	if memoLine.MatchString(head) {
		left := strings.Split(head, "\n")
		for i := range left {
			left[i] = columns.Split(left[i], 2)[0]
		}
		head = strings.Join(left, "\n")
	}
	head = strings.TrimSpace(head)
	if inner, ok := strings.CutPrefix(head, "+++"); ok {
		head = strings.TrimSuffix(inner, "+++")
	} else if inner, ok := strings.CutPrefix(head, "---"); ok {
		head = strings.TrimSuffix(strings.TrimSuffix(inner, "---"), "...")
	}
	var table map[string]any
	body := []byte(head)
	if toml.Unmarshal(body, &table) == nil && len(table) > 0 {
		body, _ = yaml.Marshal(table) // what TOML can say, YAML can
	}
	var root yaml.Node
	if yaml.Unmarshal(body, &root) == nil && len(root.Content) == 1 && root.Content[0].Kind == yaml.MappingNode {
		for pair := range slices.Chunk(root.Content[0].Content, 2) {
			all = state(all, pair[0].Value, valuesOf(pair[1]))
		}
	} else {
		for line := range strings.SplitSeq(head, "\n") {
			m := stated.FindStringSubmatch(line)
			if n := len(all); m != nil {
				all = state(all, m[1], []string{m[2]})
			} else if n > 0 && line != strings.TrimLeft(line, " \t") {
				all[n-1].Values[0] += " " + strings.TrimSpace(line)
			}
		}
	}
	return all
}

var stated = lazyregexp.New(`^(?:#\+|:)?["']?([\pL\pN_][\pL\pM\pN_ .-]*?)["']?[ \t]*[:=](?:[ \t]+|$)["']?(.*?)["']?\s*$`)

// state adds a statement, if it has values.
func state(all []Statement, name string, values []string) []Statement {
	values = slices.DeleteFunc(values[:min(len(values), maxStated)], func(s string) bool { return strings.TrimSpace(s) == "" })
	name = strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.Trim(name, ": ")))
	if len(values) == 0 || name == "" {
		return all
	}
	return append(all, Statement{name, values})
}

// nameKeys are the keys of the name of a person that is an object.
var nameKeys = []string{"name", "literal", "full_name", "fullname"}

// valuesOf are the values of a key: a scalar, a list of them, a name.
func valuesOf(n *yaml.Node) (out []string) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []string{strings.TrimSpace(n.Value)}
	case yaml.SequenceNode:
		for _, item := range n.Content[:min(len(n.Content), maxStated)] {
			if item.Kind != yaml.SequenceNode {
				out = append(out, valuesOf(item)...)
			}
		}
	case yaml.MappingNode:
		for pair := range slices.Chunk(n.Content, 2) {
			if slices.Contains(nameKeys, strings.ToLower(pair[0].Value)) && pair[1].Kind == yaml.ScalarNode {
				return valuesOf(pair[1])
			}
		}
	}
	return out
}

// setHead sets the metadata. A title that is known stays. Of several dates the first one counts, and a subject is the title
// where there is no other.
func setHead(all []Statement, d *document.Document) {
	subject, title := "", d.Title
	for _, f := range all {
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
	if d.Title = cmp.Or(title, d.Title); d.Title == "" {
		d.Title = subject
	} else {
		d.Subject = subject
	}
}

var (
	dayMonth   = lazyregexp.New(`^(\d{1,2})-(\p{L}{3,12})-(\d{4})`)
	between    = lazyregexp.New(`\s*;\s*|\s+(?:and|&)\s+`)
	aside      = lazyregexp.New(`\s*[<(][^<>()]*[>)]?`)
	nameBehind = lazyregexp.New(`\S+@\S+\s+\(([^()]+)\)`) // ann@example.org (Ann Lee)
)

// addAuthors adds the names of a list such as "Ann Lee (@ann), Bo Ek <bo@example.org>". "Lee, Ann" is one name.
func addAuthors(list string, d *document.Document) {
	for _, part := range between.Split(list, document.MaxAuthors) {
		part = nameBehind.ReplaceAllString(part, "$1")
		bare := strings.TrimSpace(aside.ReplaceAllString(part, ""))
		bare = cmp.Or(bare, strings.Trim(part, "<>() "))
		names := strings.Split(bare, ",")
		mayBeOne := bare != "" && bare[0] == '"' || !strings.ContainsAny(part, "(<@")
		if len(names) == 2 && mayBeOne && !strings.Contains(names[0], " ") {
			names = []string{bare}
		}
		for _, name := range names {
			name = strings.Trim(strings.TrimSpace(name), `"'`)
			if !strings.HasPrefix(name, "@") {
				d.Authors = document.AddAuthor(d.Authors, name)
			} else if handle := document.Title(name); len(d.Authors) < document.MaxAuthors && len(handle) > 1 &&
				len(handle) <= document.MaxTitleChars && !slices.Contains(d.Authors, handle) { // where nothing else is stated
				d.Authors = append(d.Authors, handle)
			}
		}
	}
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
