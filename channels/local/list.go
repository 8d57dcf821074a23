package local

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Listing is a page of the documents of the folders that meet a list's filters.
type Listing struct {
	Entries []Entry
	Total   int    // documents that meet the filters
	First   int    // number of the first entry among them, from 0
	Words   string // how many there are, or which fields and values exist
}

// Entry is a document of a list.
type Entry struct {
	About
	Head string // what it states of itself, the fields of the filters first, and the size of its text
}

// row is a document that a list may have.
type row struct {
	place
	part  string
	bytes int
	about stored
}

func (r row) name() string { return path.Join(r.path, r.part) }

// List returns up to limit documents that meet the filters of a query (see [filtersOf]), ordered by folder and path, with numbers as
// numbers. It begins behind the document whose address has the mark after, which was number from-1, or at number from where no
// document has it any more. It scans the folders and waits as [Corpus.Search] does, and reads nothing but the index.
func (c *Corpus) List(ctx context.Context, query string, from int, after uint32, limit int) (Listing, Report, error) {
	report, err := c.ready(ctx)
	if err != nil {
		return Listing{}, report, err
	}
	all, err := c.rows(context.WithoutCancel(ctx))
	if err != nil {
		return Listing{}, report, err
	}
	filters := filtersOf(query)
	for i := range filters { // a value that some document has whole is not looked for within other values
		filters[i].whole = slices.ContainsFunc(all, filters[i].hasWhole)
	}
	rows := slices.DeleteFunc(slices.Clone(all), func(r row) bool {
		return slices.ContainsFunc(filters, func(f filter) bool { return f.has(r) == f.without })
	})
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(a.folder-b.folder, strings.Compare(sortKey(a.name()), sortKey(b.name())))
	})
	l := Listing{Total: len(rows), First: min(from, len(rows))}
	marked := func(r row) bool {
		return docid.Mark(fetch.FileAddress(c.aboutOf(r.place, r.part, r.about).Path)) == after
	}
	if after != 0 && !(l.First > 0 && marked(rows[l.First-1])) {
		if at := slices.IndexFunc(rows, marked); at >= 0 {
			l.First = at + 1
		}
	}
	for _, r := range rows[l.First:min(len(rows), l.First+limit)] {
		l.Entries = append(l.Entries, Entry{c.aboutOf(r.place, r.part, r.about), r.head(filters)})
	}
	if l.Words = unknownIn(all, filters); l.Words == "" {
		l.Words = humanize.Comma(int64(len(all))) + " documents"
		if len(filters) > 0 {
			l.Words = fmt.Sprintf("%s of %s have %s", humanize.Comma(int64(l.Total)), l.Words, wordsOf(filters))
		}
	}
	return l, report, nil
}

// rows returns all documents.
func (c *Corpus) rows(ctx context.Context) (all []row, err error) {
	ix, err := c.index()
	if err != nil {
		return nil, err
	}
	missing := c.now().missing
	return all, ix.each(ctx, func(scan scanner) error {
		var r row
		var about []byte
		if err := scan(&r.folder, &r.path, &r.part, &r.bytes, &about); err != nil || missing[r.folder] {
			return err
		}
		if json.Unmarshal(about, &r.about) != nil {
			return errDamaged
		}
		all = append(all, r)
		return nil
	}, `SELECT f.folder, f.path, d.part, d.bytes, d.about FROM `+documentsInFiles)
}

// filter is a condition of a list. Its value is folded.
type filter struct {
	name    string // of the field, lower case with hyphens; "" = a part of the document's path or title
	value   string
	asked   string // the value as it was written
	without bool
	whole   bool // some document has the value as a whole value
}

// filtersOf reads the filters of a list, all of which a document must meet: status:Final, type:"Standards Track", status: Last
// Call (up to the next field or AND), with a minus before them to exclude, and words of the path or the title. "*" is none.
func filtersOf(query string) (out []filter) {
	tokens := tokensOf(query)
	for n := 1; len(tokens) > 0 && len(out) < maxQueryFields; tokens = tokens[n:] {
		f := filter{name: tokens[0].name, without: tokens[0].without, asked: tokens[0].value}
		if n = 1; f.name != "" {
			f.asked, n = valueAt(tokens)
		}
		if f.value = words.Fold(f.asked); f.value != "" && (f.name != "" || f.asked != "*" && f.asked != "AND") {
			out = append(out, f)
		}
	}
	return out
}

// values returns what a document has in a field. The fields of the index itself count beside those of the head.
func (r row) values(name string) []string {
	own := map[string][]string{"title": {r.about.Title}, "author": r.about.Authors, "authors": r.about.Authors,
		"date": {r.about.PublishedAt},
		"type": {r.about.Type}, "language": {r.about.Language}, "doi": {r.about.DOI}}[name]
	return slices.DeleteFunc(slices.Concat(r.stated(name), own), func(v string) bool { return v == "" })
}

// stated returns what the head of a document has in a field.
func (r row) stated(name string) (values []string) {
	for _, s := range r.about.Head {
		if s.Name == name {
			values = append(values, s.Values...)
		}
	}
	return values
}

// inPath reports a filter for the path, or for path and title.
func (f filter) inPath() bool { return f.name == "" || f.name == "path" || f.name == "file" }

// hasWhole reports whether a document has the value as a whole value, or as an item of a list with commas.
func (f filter) hasWhole(r row) bool {
	return !f.inPath() && slices.ContainsFunc(r.values(f.name), func(v string) bool {
		v = words.Fold(v)
		items := strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ';' })
		return v == f.value || slices.ContainsFunc(items, func(item string) bool { return strings.TrimSpace(item) == f.value })
	})
}

// has reports whether a document has the value.
func (f filter) has(r row) bool {
	switch {
	case f.name == "":
		text := words.Fold(r.name() + " " + r.about.Title)
		return strings.Contains(text, f.value) || strings.Contains(apart(text), apart(f.value))
	case f.inPath():
		return strings.Contains(words.Fold(r.name()), f.value)
	case f.whole:
		return f.hasWhole(r)
	}
	return slices.ContainsFunc(r.values(f.name), func(v string) bool { return strings.Contains(apart(words.Fold(v)), apart(f.value)) })
}

// apart returns the words of a text, each between spaces.
func apart(text string) string {
	return " " + joined(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })) + " "
}

// head returns what a document states of itself, the fields of the filters first.
func (r row) head(filters []filter) string {
	var said []string
	named := map[string]bool{"": true, "title": true, "path": true, "file": true}
	say := func(name string) {
		values := r.stated(name)
		if len(values) == 0 {
			values = r.values(name)
		}
		if len(values) > 0 && !named[name] {
			said = append(said, name+": "+sanitize.Short(strings.Join(values, ", "), maxValueChars))
		}
		named[name] = true
	}
	for _, f := range filters {
		say(f.name)
	}
	said = append(said, humanize.Comma(int64(r.bytes))+" bytes")
	for _, s := range r.about.Head {
		say(s.Name)
	}
	return strings.Join(said, "; ")
}

// wordsOf returns filters in words: status: Final, and type containing "Stand".
func wordsOf(filters []filter) string {
	var out []string
	for _, f := range filters {
		asked := sanitize.Short(f.asked, maxValueChars)
		said := f.name + ": " + asked
		switch {
		case f.name == "":
			said = fmt.Sprintf("%q in path or title", asked)
		case !f.whole:
			said = fmt.Sprintf("%s containing %q", f.name, asked)
		}
		if f.without {
			said = "not " + said
		}
		out = append(out, said)
	}
	return strings.Join(out, " and ")
}

const shownCounts = 20 // fields, or values of a field, that an answer names

// unknownIn says which fields exist if no document has the field of a filter, and which values if none has the value.
func unknownIn(all []row, filters []filter) string {
	at := slices.IndexFunc(filters, func(f filter) bool { return !f.inPath() && !slices.ContainsFunc(all, f.has) })
	if at < 0 {
		return ""
	}
	f := filters[at]
	fields, values := map[string]int{}, map[string]int{}
	for _, r := range all {
		names := map[string]bool{"title": true, "author": true, "date": true, "type": true, "language": true, "doi": true}
		for _, s := range r.about.Head {
			names[s.Name] = true
		}
		for name := range names {
			if len(r.values(name)) > 0 {
				fields[name]++
			}
		}
		for _, v := range r.values(f.name) {
			values[sanitize.Short(v, maxNameChars)]++
		}
	}
	name, asked := sanitize.Short(f.name, maxNameChars), sanitize.Short(f.asked, maxNameChars)
	switch {
	case len(values) == 0:
		return fmt.Sprintf("no document has the field %q; fields: %s", name, mostFrequent(fields, shownCounts))
	case len(values) > shownCounts:
		return fmt.Sprintf("no document has %s: %s; %s has %d different values, such as %s", name, asked, name, len(values),
			mostFrequent(values, 3))
	}
	return fmt.Sprintf("no document has %s: %s; values of %s: %s", name, asked, name, mostFrequent(values, shownCounts))
}

// mostFrequent returns the first of counts in words.
func mostFrequent(counts map[string]int, most int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(sortKey(a), sortKey(b)))
	})
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%s (%s)", name, humanize.Comma(int64(counts[name]))))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}
