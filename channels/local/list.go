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
func (c *Corpus) List(ctx context.Context, query string, from int, after uint32, limit int) (l Listing, r Report, err error) {
	ix, r, err := c.ready(ctx)
	if ix == nil {
		return l, r, err
	}
	s := &search{index: ix, ctx: context.WithoutCancel(ctx)}
	all := s.documents(`true`)
	filters := filtersOf(query)
	meeting := meeting(all, filters)
	slices.SortFunc(meeting, func(a, b row) int {
		return cmp.Or(a.folder-b.folder, strings.Compare(sortKey(a.path), sortKey(b.path)))
	})
	l.Total, l.First = len(meeting), min(from, len(meeting))
	marked := func(d row) bool { return docid.Mark(fetch.FileAddress(d.Path)) == after }
	if at := slices.IndexFunc(meeting, marked); after != 0 && at >= 0 {
		l.First = at + 1
	}
	for _, d := range bounded(meeting[l.First:], limit) {
		l.Hits = append(l.Hits, Hit{About: d.About, Passage: d.stated()})
	}
	l.Words = humanize.Comma(int64(len(all))) + " documents"
	if len(filters) > 0 {
		l.Words = fmt.Sprintf("%s of %s have %s", humanize.Comma(int64(l.Total)), l.Words, sanitize.Short(query, maxValueChars))
	}
	if l.Total == 0 && len(all) > 0 {
		l.Words += "; fields: " + fieldsOf(all)
	}
	c.mend(ix, s.err)
	return l, r, s.err
}

// meeting returns the documents that meet all filters.
func meeting(all []row, filters []filter) []row {
	return slices.DeleteFunc(slices.Clone(all), func(d row) bool {
		return slices.ContainsFunc(filters, func(f filter) bool { return !f.accepts(d) })
	})
}

// stated returns what a document states of itself, and the size of its text.
func (d row) stated() string {
	said := []string{humanize.Comma(int64(d.Bytes)) + " bytes"}
	for _, s := range d.Head {
		said = append(said, s.Name+": "+sanitize.Short(strings.Join(s.Values, ", "), maxValueChars))
	}
	return strings.Join(said, "; ")
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
		return fmt.Sprintf("%20s", strings.TrimLeft(n, "0"))
	})
}
