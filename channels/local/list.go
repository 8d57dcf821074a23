package local

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Listing is a page of the documents of the folders that meet a list's filters.
type Listing struct {
	Hits  []Hit  // with what each document states of itself as its passage
	Total int    // documents that meet the filters
	First int    // number of the first hit among them, from 0
	Words string // their number, or without any which fields exist
}

// List returns up to limit documents that meet the filters of a query (see [filtersOf]), ordered by folder and path. It begins behind
// the document whose address has the mark after, which was number from-1, or at number from where no document has it any more. It
// scans the folders and waits as [Corpus.Search] does, and reads nothing but the index.
func (c *Corpus) List(ctx context.Context, query string, from int, after uint32, limit int) (Listing, Report, error) {
	report, err := c.ready(ctx)
	if err != nil {
		return Listing{}, report, err
	}
	ix, err := c.index()
	if err != nil {
		return Listing{}, report, err
	}
	filters := filtersOf(query)
	meeting, all, err := c.meeting(context.WithoutCancel(ctx), ix, filters)
	if err != nil {
		return Listing{}, report, err
	}
	l := Listing{Total: len(meeting), First: min(from, len(meeting))}
	marked := func(d row) bool { return docid.Mark(fetch.FileAddress(c.full(d.place))) == after }
	if after != 0 && !(l.First > 0 && marked(meeting[l.First-1])) {
		if at := slices.IndexFunc(meeting, marked); at >= 0 {
			l.First = at + 1
		}
	}
	for _, d := range meeting[l.First:min(len(meeting), l.First+limit)] {
		l.Hits = append(l.Hits, Hit{About: c.aboutOf(d), Passage: d.head(filters)})
	}
	l.Words = humanize.Comma(int64(len(all))) + " documents"
	if len(filters) > 0 {
		l.Words = fmt.Sprintf("%s of %s have %s", humanize.Comma(int64(l.Total)), l.Words, sanitize.Short(query, maxValueChars))
	}
	if l.Total == 0 && len(all) > 0 {
		l.Words += "; fields: " + fieldsOf(all)
	}
	return l, report, nil
}

// head returns what a document states of itself, the fields of the filters first, and the size of its text.
func (d row) head(filters []filter) string {
	var first, other []string
	for _, s := range d.about.Head {
		said := s.Name + ": " + sanitize.Short(strings.Join(s.Values, ", "), maxValueChars)
		if slices.ContainsFunc(filters, func(f filter) bool { return f.name == s.Name }) {
			first = append(first, said)
		} else {
			other = append(other, said)
		}
	}
	first = append(first, humanize.Comma(int64(d.about.Bytes))+" bytes")
	return strings.Join(append(first, other...), "; ")
}

const shownFields = 20 // that an answer without documents names

// fieldsOf names fields of documents.
func fieldsOf(all []row) string {
	named := map[string]bool{}
	for _, d := range all {
		for _, s := range d.statements() {
			if strings.Join(s.Values, "") != "" {
				named[s.Name] = true
			}
		}
	}
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
