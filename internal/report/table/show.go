package table

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// HTML defines the template "compared", which writes a [Shown]. It needs the functions t and text.
//
//go:embed table.gohtml
var HTML string

// Shown is a table as a report or a page shows it.
type Shown struct {
	Fields  []string
	Rows    []ShownRow
	Differs bool // some values do
	Cut     bool // the table has more
}

// ShownRow is a row of it.
type ShownRow struct {
	Name  string
	Cells [][]Value // one for each field
}

// Value is what one claim says in a cell. Its lists are joined.
type Value struct {
	ClaimID, Value, Dated, Flags string
	Differs                      string // ids of the claims that say another number
	Verdict                      style.Verdict
	Refs                         []Link // its lines
}

// Link leads to lines of a source. Without an address it is text.
type Link struct{ Label, Href string }

// Limits bound what is shown; 0 is no bound.
type Limits struct {
	Rows, Fields int
	Values       int // claims of a cell, and references of a claim
	Chars        int // code points of a text
	Total        int // code points of all texts, after which no row begins
}

// Show returns the table as it is shown, with the verdict of each claim and the link of each reference, whose lines are "" where
// it is a whole source. It returns nil for nil.
func (t *Table) Show(most Limits, verdict func(Entry) style.Verdict, link func(source, lines string) Link) *Shown {
	if t == nil {
		return nil
	}
	out := &Shown{}
	total := 0
	short := func(s string) string {
		if most.Chars > 0 {
			s = sanitize.Short(s, most.Chars)
		}
		total += utf8.RuneCountInString(s)
		return s
	}
	for _, field := range first(most.Fields, t.Fields, &out.Cut) {
		out.Fields = append(out.Fields, short(field))
	}
	for _, row := range first(most.Rows, t.Rows, &out.Cut) {
		if most.Total > 0 && total > most.Total {
			out.Cut = true
			break
		}
		shown := ShownRow{Name: short(row.Name)}
		for _, cell := range row.Cells[:len(out.Fields)] {
			var values []Value
			for _, e := range first(most.Values, cell, &out.Cut) {
				v := Value{
					ClaimID: e.ClaimID, Value: short(e.Value), Dated: short(e.published(", ")), Flags: short(strings.Join(e.Flags, "; ")),
					Differs: short(strings.Join(e.Differs, ", ")), Verdict: verdict(e),
				}
				for _, ref := range first(most.Values, strings.Split(e.Lines, "; "), &out.Cut) {
					id, lines, _ := strings.Cut(ref, ":")
					l := link(id, lines)
					v.Refs = append(v.Refs, Link{short(l.Label), l.Href})
				}
				out.Differs = out.Differs || v.Differs != ""
				values = append(values, v)
			}
			shown.Cells = append(shown.Cells, values)
		}
		out.Rows = append(out.Rows, shown)
	}
	return out
}

// first returns at most n items, and sets cut if there are more; 0 is no bound.
func first[T any](n int, list []T, cut *bool) []T {
	if n == 0 || len(list) <= n {
		return list
	}
	*cut = true
	return list[:n]
}

// published joins the dates of the sources that have one.
func (e Entry) published(sep string) string {
	return strings.Trim(strings.Join(e.Dated, sep), sep)
}
