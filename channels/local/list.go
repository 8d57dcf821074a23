package local

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/fetch"
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
	Words   string // how many there are, or which fields and values exist
}

// Entry is a document of a list.
type Entry struct {
	About
	Head string // what it states of itself, the fields of the filters first, and the size of its text
}

// row is a document that a list may have.
type row struct {
	folder, file, part string
	bytes              int
	about              stored
}

func (r row) path() string { return path.Join(r.file, r.part) }

// List returns up to limit documents that meet the filters of a query (see [filtersOf]), ordered by folder and path, with numbers as
// numbers. It begins behind the document whose address has the mark after, which was number from-1, or at number from where no
// document has it any more. It scans the folders and waits as [Corpus.Search] does, and reads nothing but the index.
func (c *Corpus) List(ctx context.Context, query string, from int, after uint32, limit int, told func(Progress)) (Listing, Report, error) {
	report, err := c.ready(ctx, told)
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
		return cmp.Or(strings.Compare(a.folder, b.folder), compareNames(a.path(), b.path()))
	})
	l := Listing{Total: len(rows), First: min(from, len(rows))}
	marked := func(r row) bool {
		return docid.Mark(fetch.FileAddress(filepath.Join(r.folder, filepath.FromSlash(r.path())))) == after
	}
	if after != 0 && !(l.First > 0 && marked(rows[l.First-1])) {
		if at := slices.IndexFunc(rows, marked); at >= 0 {
			l.First = at + 1
		}
	}
	for _, r := range rows[l.First:min(len(rows), l.First+limit)] {
		l.Entries = append(l.Entries, Entry{aboutOf(r.folder, r.file, r.part, r.about), r.head(filters)})
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
	folders, err := c.indexed(ctx)
	for _, f := range folders {
		err := f.each(ctx, func(scan func(...any) error) error {
			r, about := row{folder: f.root}, []byte(nil)
			if err := scan(&r.file, &r.part, &r.bytes, &about); err != nil {
				return err
			}
			all = append(all, r)
			if json.Unmarshal(about, &all[len(all)-1].about) != nil {
				return errDamaged
			}
			return nil
		}, `SELECT f.path, d.part, d.bytes, d.about FROM documents d JOIN files f ON f.id = d.file`)
		if err != nil {
			return nil, err
		}
	}
	return all, err
}

// filter is a condition of a list. Its value is folded.
type filter struct {
	name    string // of the field, lower case with hyphens; "" = a part of the document's path or title
	value   string
	asked   string // the value as it was written
	without bool
	whole   bool // some document has the value as a whole value
}

// maxFilters bounds the filters of a list; more are ignored (chosen).
const maxFilters = 16

var fieldName = lazyregexp.New(`^(-?)([\pL_][\pL\d_.-]*):`)

// filtersOf reads the filters of a list, all of which a document must meet: status:Final, type:"Standards Track", status: Last
// Call (up to the next field or AND), with a minus before them to exclude, and words of the path or the title. "*" is none.
func filtersOf(query string) (out []filter) {
	open := false
	tokens := strings.FieldsFunc(strings.NewReplacer("“", `"`, "”", `"`, "„", `"`).Replace(query), func(r rune) bool {
		open = open != (r == '"')
		return unicode.IsSpace(r) && !open
	})
	unquote := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, `"`, "")) }
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
			for len(token) == len(m[0]) && i+1 < len(tokens) && tokens[i+1] != "AND" && !fieldName.MatchString(tokens[i+1]) {
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

// values returns what a document has in a field. The fields of the index itself count beside those of the head.
func (r row) values(name string) []string {
	values := map[string][]string{"title": {r.about.Title}, "author": r.about.Authors, "authors": r.about.Authors, "date": {r.about.PublishedAt},
		"type": {r.about.Type}, "language": {r.about.Language}, "doi": {r.about.DOI}}[name]
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	return append(r.stated(name), values...)
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
		text := words.Fold(r.path() + " " + r.about.Title)
		return strings.Contains(text, f.value) || strings.Contains(apart(text), apart(f.value))
	case f.inPath():
		return strings.Contains(words.Fold(r.path()), f.value)
	case f.whole:
		return f.hasWhole(r)
	}
	return slices.ContainsFunc(r.values(f.name), func(v string) bool { return strings.Contains(apart(words.Fold(v)), apart(f.value)) })
}

// apart returns the words of a text, each between spaces.
func apart(text string) string {
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}

// head returns what a document states of itself.
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
		said := f.name + ": " + sanitize.Short(f.asked, maxValueChars)
		switch {
		case f.name == "":
			said = fmt.Sprintf("%q in path or title", sanitize.Short(f.asked, maxValueChars))
		case !f.whole:
			said = fmt.Sprintf("%s containing %q", f.name, sanitize.Short(f.asked, maxValueChars))
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
	for _, f := range filters {
		if f.inPath() || slices.ContainsFunc(all, f.has) {
			continue
		}
		fields, values := map[string]int{}, map[string]int{}
		for _, r := range all {
			names := []string{"title", "author", "date", "type", "language", "doi"}
			for _, s := range r.about.Head {
				names = append(names, s.Name)
			}
			slices.Sort(names)
			for _, name := range slices.Compact(names) {
				if len(r.values(name)) > 0 {
					fields[name]++
				}
			}
			for _, v := range r.values(f.name) {
				values[sanitize.Short(v, maxNameChars)]++
			}
		}
		asked := sanitize.Short(f.asked, maxNameChars)
		switch {
		case len(values) == 0:
			return fmt.Sprintf("no document has the field %q; fields: %s", sanitize.Short(f.name, maxNameChars), mostFrequent(fields, shownCounts))
		case len(values) > shownCounts:
			return fmt.Sprintf("no document has %s: %s; %s has %d different values, such as %s", f.name, asked, f.name, len(values), mostFrequent(values, 3))
		}
		return fmt.Sprintf("no document has %s: %s; values of %s: %s", f.name, asked, f.name, mostFrequent(values, shownCounts))
	}
	return ""
}

// mostFrequent returns the first of counts in words.
func mostFrequent(counts map[string]int, most int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), compareNames(a, b)) })
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%s (%s)", name, humanize.Comma(int64(counts[name]))))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}
