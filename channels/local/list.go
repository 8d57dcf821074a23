package local

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/channels/local/index"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
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
	part, document int
	path           string // within the folder
	folder         string
	whole, in      uint16 // filters that it meets, see [filter.fit]
}

// List returns up to limit documents that meet the filters of a query (see filtersOf), ordered by folder and path, with numbers
// as numbers. It begins behind the document whose address has the mark after, which was number from-1, or at number from where
// no document has it any more. It scans the folders and waits as [Corpus.Search] does, and reads nothing but the index.
func (c *Corpus) List(ctx context.Context, query string, from int, after uint32, limit int, told func(Progress)) (Listing, Report, error) {
	report, err := c.ready(ctx, told)
	if err != nil {
		return Listing{}, report, err
	}
	filters := filtersOf(query)
	parts, origins := c.parts()
	var rows []row
	documents := 0
	for i, p := range parts {
		err := p.EachDocument(func(n int, a index.About) bool {
			documents++
			r := row{part: i, document: n, path: path.Join(a.Path, a.Part), folder: p.Folder}
			for bit, f := range filters {
				whole, in := f.fit(a)
				r.whole |= uint16(b2i(whole != f.without)) << bit
				r.in |= uint16(b2i(in != f.without)) << bit
			}
			rows = append(rows, r)
			return true
		})
		if err != nil {
			c.damaged(origins[i], err)
		}
	}
	all := uint16(1)<<len(filters) - 1
	wholly := uint16(0) // filters whose value is a whole value of some document
	for bit, f := range filters {
		for _, r := range rows {
			if r.whole>>bit&1 != uint16(b2i(f.without)) {
				wholly |= 1 << bit
				break
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.whole&wholly|r.in&^wholly != all })
	slices.SortFunc(rows, func(a, b row) int {
		if a.folder != b.folder {
			return strings.Compare(a.folder, b.folder)
		}
		return compareNames(a.path, b.path)
	})
	l := Listing{Total: len(rows), First: min(from, len(rows))}
	if after != 0 {
		l.First = behind(rows, l.First, after)
	}
	for _, r := range rows[l.First:min(len(rows), l.First+limit)] {
		a, err := parts[r.part].About(r.document)
		if err != nil {
			c.damaged(origins[r.part], err)
			continue
		}
		l.Entries = append(l.Entries, entryOf(a, r, filters))
	}
	if l.Words = c.unknownIn(parts, filters); l.Words == "" {
		l.Words = fmt.Sprintf("%s documents", humanize.Comma(int64(documents)))
		if len(filters) > 0 {
			l.Words = fmt.Sprintf("%s of %s have %s", humanize.Comma(int64(l.Total)), l.Words, wordsOf(filters, wholly))
		}
	}
	return l, report, nil
}

// behind returns the number of the row behind the one with a mark, or from where no row has it.
func behind(rows []row, from int, after uint32) int {
	is := func(r row) bool {
		return docid.Mark(fetch.FileAddress(filepath.FromSlash(r.folder+"/"+r.path))) == after
	}
	if from > 0 && is(rows[from-1]) {
		return from
	}
	if at := slices.IndexFunc(rows, is); at >= 0 {
		return at + 1
	}
	return from
}

// entryOf returns a document as a list shows it.
func entryOf(a index.About, r row, filters []filter) Entry {
	var said []string
	named := map[string]bool{"": true, "title": true, "path": true, "file": true}
	say := func(name string) {
		values := valuesOf(a, name)
		if at := slices.IndexFunc(a.Head, func(s index.Stated) bool { return s.Name == name }); at >= 0 {
			values = a.Head[at].Values
		}
		if len(values) > 0 && !named[name] {
			said = append(said, name+": "+sanitize.Short(strings.Join(values, ", "), maxValueChars))
		}
		named[name] = true
	}
	for _, f := range filters {
		say(f.name)
	}
	said = append(said, humanize.Comma(int64(a.TextBytes()))+" bytes")
	for _, s := range a.Head {
		say(s.Name)
	}
	return Entry{aboutOf(r.folder, a), strings.Join(said, "; ")}
}

// wordsOf returns filters in words: status: Final, and type containing "Stand".
func wordsOf(filters []filter, wholly uint16) string {
	var out []string
	for bit, f := range filters {
		said := f.name + ": " + sanitize.Short(f.asked, maxValueChars)
		switch {
		case f.name == "":
			said = fmt.Sprintf("%q in path or title", sanitize.Short(f.asked, maxValueChars))
		case f.name == "path" || f.name == "file" || wholly>>bit&1 == 0:
			said = fmt.Sprintf("%s containing %q", f.name, sanitize.Short(f.asked, maxValueChars))
		}
		if f.without {
			said = "not " + said
		}
		out = append(out, said)
	}
	return strings.Join(out, " and ")
}

const (
	shownCounts = 20    // fields, or values of a field, that an answer names
	maxCounted  = 1_000 // different fields or values that are counted (chosen)
)

// unknownIn says which fields exist if no document has the field of a filter, and which values if none has the value.
func (c *Corpus) unknownIn(parts []index.Part, filters []filter) string {
	for _, f := range filters {
		if f.name == "" || f.name == "path" || f.name == "file" {
			continue
		}
		fields, values, has := map[string]int{}, map[string]int{}, false
		for _, p := range parts {
			_ = p.EachDocument(func(_ int, a index.About) bool { // the list has noticed damage
				_, in := f.fit(a)
				has = has || in
				names := []string{"title", "author", "date", "type", "language", "doi"}
				for _, s := range a.Head {
					names = append(names, s.Name)
				}
				slices.Sort(names)
				for _, name := range slices.Compact(names) {
					if len(valuesOf(a, name)) > 0 {
						count(fields, name)
					}
				}
				for _, v := range valuesOf(a, f.name) {
					count(values, sanitize.Short(v, maxNameChars))
				}
				return !has
			})
			if has {
				break
			}
		}
		switch {
		case has:
		case len(values) == 0:
			return fmt.Sprintf("no document has the field %q; fields: %s", sanitize.Short(f.name, maxNameChars), mostFrequent(fields, shownCounts))
		case len(values) > shownCounts:
			return fmt.Sprintf("no document has %s: %s; %s has %d different values, such as %s", f.name, sanitize.Short(f.asked, maxNameChars), f.name, len(values), mostFrequent(values, 3))
		default:
			return fmt.Sprintf("no document has %s: %s; values of %s: %s", f.name, sanitize.Short(f.asked, maxNameChars), f.name, mostFrequent(values, shownCounts))
		}
	}
	return ""
}

func count(counts map[string]int, what string) {
	if _, known := counts[what]; known || len(counts) < maxCounted {
		counts[what]++
	}
}

// mostFrequent returns the first of counts in words.
func mostFrequent(counts map[string]int, most int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return compareNames(a, b)
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
