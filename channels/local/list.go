package local

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Listing is a page of the documents of the folders that meet a list's filters.
type Listing struct {
	Entries []Entry
	Total   int    // documents that meet the filters
	First   int    // number of the first entry among them, from 0
	Words   string // their number, or without any which fields exist
}

// Entry is a document of a list.
type Entry struct {
	About
	Head string // what it states of itself, the fields of the filters first, and the size of its text
}

// List returns up to limit documents that meet the filters of a query (see [filtersOf]), ordered by folder and path, with numbers as
// numbers. It begins behind the document whose address has the mark after, which was number from-1, or at number from where no
// document has it any more. It scans the folders and waits as [Corpus.Search] does, and reads nothing but the index.
func (c *Corpus) List(ctx context.Context, query string, from int, after uint32, limit int) (Listing, Report, error) {
	report, err := c.ready(ctx)
	if err != nil {
		return Listing{}, report, err
	}
	ix, err := c.index()
	if err != nil {
		return Listing{}, report, err
	}
	all, err := ix.documents(context.WithoutCancel(ctx), `true`)
	if err != nil {
		return Listing{}, report, err
	}
	filters := filtersOf(query)
	meeting := slices.DeleteFunc(slices.Clone(all), func(d row) bool {
		return slices.ContainsFunc(filters, func(f filter) bool { return f.has(d) == f.without })
	})
	slices.SortFunc(meeting, func(a, b row) int {
		return cmp.Or(a.folder-b.folder, strings.Compare(sortKey(a.path), sortKey(b.path)))
	})
	l := Listing{Total: len(meeting), First: min(from, len(meeting))}
	marked := func(d row) bool { return docid.Mark(fetch.FileAddress(c.aboutOf(d).Path)) == after }
	if after != 0 && !(l.First > 0 && marked(meeting[l.First-1])) {
		if at := slices.IndexFunc(meeting, marked); at >= 0 {
			l.First = at + 1
		}
	}
	for _, d := range meeting[l.First:min(len(meeting), l.First+limit)] {
		l.Entries = append(l.Entries, Entry{c.aboutOf(d), d.head(filters)})
	}
	l.Words = humanize.Comma(int64(len(all))) + " documents"
	if len(filters) > 0 {
		l.Words = fmt.Sprintf("%s of %s have %s", humanize.Comma(int64(l.Total)), l.Words, wordsOf(filters))
	}
	if l.Total == 0 && len(all) > 0 {
		l.Words += "; fields: " + fieldsOf(all)
	}
	return l, report, nil
}

// filter is a condition of a list.
type filter struct {
	name    string // of the field, lower case with hyphens; "" = a part of the document's path or title
	asked   string // the value as it was written
	value   string // the same, see spelled
	without bool
}

// filtersOf reads the filters of a list, all of which a document must meet: status:Final, type:"Standards Track", status: Last
// Call (up to the next field or AND), with a minus before them to exclude, and words of the path or the title. "*" is none.
func filtersOf(query string) (out []filter) {
	tokens := tokensOf(query)
	for n := 1; len(tokens) > 0; tokens = tokens[n:] {
		f := filter{name: tokens[0].name, without: tokens[0].without, asked: tokens[0].value}
		if n = 1; f.name != "" {
			f.asked, n = valueAt(tokens)
		}
		if f.value = f.spell(f.asked); strings.TrimSpace(f.value) != "" && (f.name != "" || f.asked != "AND" && f.asked != "*") {
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
		extract.Statement{Name: "type", Values: []string{a.Type}}, extract.Statement{Name: "language", Values: []string{a.Language}},
		extract.Statement{Name: "doi", Values: []string{a.DOI}})
}

// values returns what a document has in a field.
func (d row) values(name string) (values []string) {
	for _, s := range d.statements() {
		if s.Name == name {
			values = append(values, s.Values...)
		}
	}
	return slices.DeleteFunc(values, func(v string) bool { return v == "" })
}

// inPath reports a filter for the path, or for path and title.
func (f filter) inPath() bool { return f.name == "" || f.name == "path" || f.name == "file" }

// has reports whether a document has the words of the value.
func (f filter) has(d row) bool {
	values := d.values(f.name)
	if f.inPath() {
		text := d.path
		if f.name == "" {
			text += " " + d.about.Title
		}
		if strings.Contains(words.Fold(text), words.Fold(f.asked)) {
			return true
		}
		values = []string{text}
	}
	return slices.ContainsFunc(values, func(v string) bool { return strings.Contains(f.spell(v), f.value) })
}

// head returns what a document states of itself, the fields of the filters first.
func (d row) head(filters []filter) string {
	var said []string
	named := map[string]bool{"title": true}
	say := func(name string, values []string) {
		if len(values) > 0 && !named[name] {
			said = append(said, name+": "+sanitize.Short(strings.Join(values, ", "), maxValueChars))
		}
		named[name] = true
	}
	for _, f := range filters {
		say(f.name, d.values(f.name))
	}
	said = append(said, humanize.Comma(int64(d.about.Bytes))+" bytes")
	for _, s := range d.about.Head {
		say(s.Name, s.Values)
	}
	return strings.Join(said, "; ")
}

// wordsOf returns filters in words: status: Final and not "draft" in path or title.
func wordsOf(filters []filter) string {
	var out []string
	for _, f := range filters {
		asked := sanitize.Short(f.asked, maxValueChars)
		said := f.name + ": " + asked
		if f.name == "" {
			said = fmt.Sprintf("%q in path or title", asked)
		}
		if f.without {
			said = "not " + said
		}
		out = append(out, said)
	}
	return strings.Join(out, " and ")
}

const shownFields = 20 // that an answer without documents names

// fieldsOf names fields of documents.
func fieldsOf(all []row) string {
	named := map[string]bool{}
	for _, d := range all {
		for _, s := range d.statements() {
			named[s.Name] = named[s.Name] || strings.Join(s.Values, "") != ""
		}
	}
	maps.DeleteFunc(named, func(_ string, has bool) bool { return !has })
	return strings.Join(bounded(slices.Sorted(maps.Keys(named)), shownFields), ", ")
}

var digits = lazyregexp.New(`\d+`)

// sortKey returns a name to be compared with its numbers as numbers: eip-20 is before eip-1000.
func sortKey(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string {
		n = strings.TrimLeft(n, "0")
		return strings.Repeat("0", max(0, 20-len(n))) + n
	})
}
