package local

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/text/words"
)

// filter is a condition on what the index knows of a document.
type filter struct {
	name    string // of the field, lower case with hyphens; "" = a part of the document's path or title
	asked   string // the value as it was written
	value   string // the same as it is compared, see [filter.spell]
	without bool
}

// otherNames are those of fields that have two.
var otherNames = map[string]string{"file": "path", "ext": "type"}

func newFilter(t token, value string) filter {
	f := filter{name: cmp.Or(otherNames[t.name], t.name), asked: strings.TrimSpace(value), without: t.without}
	if f.name == "type" {
		f.asked = strings.TrimPrefix(f.asked, ".")
	}
	f.value = f.spell(f.asked)
	return f
}

// filtersOf reads the filters of a list, all of which a document must meet: status:Final, type:"Standards Track", status: Last
// Call (up to the next field or AND), with a minus before them to exclude, and words of the path or the title. "*" is none.
func filtersOf(query string) (out []filter) {
	tokens := tokensOf(query)
	for n := 1; len(tokens) > 0; tokens = tokens[n:] {
		value := tokens[0].value
		if n = 1; tokens[0].name != "" {
			value, n = valueAt(tokens)
		}
		f := newFilter(tokens[0], value)
		if strings.TrimSpace(f.value) != "" && (f.name != "" || f.asked != "AND" && f.asked != "*") {
			out = append(out, f)
		}
	}
	return out
}

// spell returns a value as it is compared: its words, or all of it for C++, C# and a value of signs alone.
func (f filter) spell(value string) string {
	if strings.TrimSpace(spelled(f.asked)) != "" && !strings.ContainsAny(f.asked, "+#") {
		return spelled(value)
	}
	return words.Fold(strings.TrimSpace(value))
}

// statements returns what the index knows of a document: what its head states, and the fields of every document.
func (d row) statements() []extract.Statement {
	a := d.about
	return append(slices.Clone(a.Head), extract.Statement{Name: "title", Values: []string{a.Title}},
		extract.Statement{Name: "author", Values: a.Authors}, extract.Statement{Name: "date", Values: []string{a.PublishedAt}},
		extract.Statement{Name: "type", Values: []string{a.Type, strings.TrimPrefix(path.Ext(d.path), ".")}},
		extract.Statement{Name: "language", Values: []string{a.Language}}, extract.Statement{Name: "doi", Values: []string{a.DOI}})
}

// has reports whether a document, whose file has an absolute path, has the words of the value.
func (f filter) has(d row, file string) bool {
	var values []string
	switch f.name {
	case "":
		values = []string{d.path + " " + d.about.Title}
	case "path":
		values = []string{file}
	default:
		for _, s := range d.statements() {
			if s.Name == f.name {
				values = append(values, s.Values...)
			}
		}
	}
	return slices.ContainsFunc(values, func(v string) bool {
		said := f.spell(v)
		return v != "" && (strings.Contains(said, f.value) || strings.Contains(said, strings.TrimRight(f.value, " ")+"s ") ||
			(f.name == "" || f.name == "path") && strings.Contains(words.Fold(v), words.Fold(f.asked)))
	})
}

// meeting returns the documents that meet all filters, in the order of folders and paths, with numbers as numbers, and the number of
// all documents.
func (c *Corpus) meeting(ctx context.Context, ix *index, filters []filter) (kept []row, all []row, err error) {
	all, err = ix.documents(ctx, `true`)
	kept = slices.DeleteFunc(slices.Clone(all), func(d row) bool {
		return slices.ContainsFunc(filters, func(f filter) bool { return f.has(d, filepath.ToSlash(c.full(d.place))) == f.without })
	})
	slices.SortFunc(kept, func(a, b row) int {
		return cmp.Or(a.folder-b.folder, strings.Compare(sortKey(a.path), sortKey(b.path)))
	})
	return kept, all, err
}
