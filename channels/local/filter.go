package local

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/channels/local/index"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// filter is a condition of a list. Its values are folded.
type filter struct {
	name    string // of the field, lower case with hyphens; "" = a part of the document's path or title
	value   string
	asked   string // the value as it was written
	without bool
}

// maxFilters bounds the filters of a list; more are ignored (chosen; a row of [lister] has a bit for each).
const maxFilters = 16

var fieldName = lazyregexp.New(`^(-?)([\pL_][\pL\d_.-]*):`)

// filtersOf reads the filters of a list, all of which a document must meet: status:Final, type:"Standards Track", status: Last
// Call (up to the next field or AND), with a minus before them to exclude, and words of the path or the title. "*" is none.
func filtersOf(query string) (out []filter) {
	tokens := splitQuoted(query)
	for i := 0; i < len(tokens) && len(out) < maxFilters; i++ {
		token := tokens[i]
		m := fieldName.FindStringSubmatch(token)
		var f filter
		switch {
		case token == "*" || token == "AND":
			continue
		case m == nil:
			f.asked, f.without = strings.CutPrefix(token, "-")
			f.asked = unquote(f.asked)
		default:
			f.name, f.without, f.asked = strings.ReplaceAll(strings.ToLower(m[2]), "_", "-"), m[1] != "", unquote(token[len(m[0]):])
			for f.asked == "" || len(token) == len(m[0]) {
				if i+1 == len(tokens) || tokens[i+1] == "AND" || fieldName.MatchString(tokens[i+1]) {
					break
				}
				i++
				f.asked = strings.TrimSpace(f.asked + " " + unquote(tokens[i]))
			}
		}
		if f.value = words.Fold(f.asked); f.value != "" {
			out = append(out, f)
		}
	}
	return out
}

// splitQuoted cuts a query at spaces outside of quotation marks.
func splitQuoted(query string) []string {
	open := false
	return strings.FieldsFunc(strings.NewReplacer("“", `"`, "”", `"`, "„", `"`).Replace(query), func(r rune) bool {
		open = open != (r == '"')
		return unicode.IsSpace(r) && !open
	})
}

func unquote(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, `"`, "")) }

// valuesOf returns what a document has in a field. The fields of the index itself count beside those of the head: title, author,
// date, type, language, doi and path.
func valuesOf(a index.About, name string) (values []string) {
	var own []string
	switch name {
	case "title":
		own = []string{a.Title}
	case "author", "authors":
		own = a.Authors
	case "date":
		own = []string{a.PublishedAt}
	case "type":
		own = []string{a.Type}
	case "language":
		own = []string{a.Language}
	case "doi":
		own = []string{a.DOI}
	case "path", "file":
		own = []string{path.Join(a.Path, a.Part)}
	}
	for _, s := range a.Head {
		if s.Name == name {
			values = append(values, s.Values...)
		}
	}
	for _, v := range own {
		if v != "" {
			values = append(values, v)
		}
	}
	return values
}

// fit reports whether a document has the value of a filter: as a whole value or an item of a list with commas, and as words of
// a value.
func (f filter) fit(a index.About) (whole, in bool) {
	if f.name == "" || f.name == "path" || f.name == "file" {
		text := words.Fold(a.Path + "/" + a.Part)
		if f.name == "" {
			text += " " + words.Fold(a.Title)
		}
		in = strings.Contains(text, f.value) || f.name == "" && strings.Contains(apart(text), apart(f.value))
		return in, in
	}
	for _, v := range valuesOf(a, f.name) {
		v = words.Fold(v)
		whole = whole || v == f.value || slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ';' }), func(item string) bool {
			return strings.TrimSpace(item) == f.value
		})
		in = in || strings.Contains(apart(v), apart(f.value))
	}
	return whole, whole || in
}

// apart returns the words of a text, each between spaces.
func apart(text string) string {
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}
