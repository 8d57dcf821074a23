package web

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
)

// maxCited bounds the sources of a claim that are listed (chosen).
const maxCited = 12

// answerView has the counts of all claims; or the delivered text, with the counts of its sentences.
type answerView struct {
	Counts []report.StateCount
	Draft  *report.Answer
}

// Sum counts the sentences of the delivered text.
func (v answerView) Sum() (n int) {
	for _, c := range v.Counts {
		n += c.N
	}
	return n
}

// answerCitation links to the passage, or to the source if no passage was found.
type answerCitation struct{ ID, Title, Href string }

// citationsOf returns the sources of a claim with their lines, at most maxCited.
func citationsOf(loop string, c loopstate.Claim, titles map[string]string) (out []answerCitation) {
	for _, id := range distinct(c.SourceIDs) {
		if len(out) == maxCited {
			break
		}
		cited := answerCitation{id, short(pointed, titles[id]), sourceAddress(loop, id)}
		if hasPassage(c, id) {
			cited.Href = passageAddress(loop, id, c)
			if at := linesIn(c.Check.Lines, id); at != "" {
				cited.ID += ":" + at
			}
		}
		out = append(out, cited)
	}
	return out
}

// gapGroup has the open gaps of one kind.
type gapGroup struct {
	Name string
	N    int // on all pages
	Open bool
	Rows []gapRow
}

// gapGroups groups the rows of a page; all are the open gaps of every page.
func gapGroups(rows, all []gapRow, running bool) []gapGroup {
	groups := []gapGroup{
		{Name: "To pursue", Open: running}, {Name: "Would not change the answer"}, {Name: "Claims that rest on one weak source"}, {Name: "Not tried, or not found"},
	}
	for _, g := range all {
		groups[groupOf(g)].N++
	}
	for _, g := range rows {
		at := groupOf(g)
		groups[at].Rows = append(groups[at].Rows, g)
		groups[at].Open = groups[at].Open || g.Target && running
	}
	return slices.DeleteFunc(groups, func(g gapGroup) bool { return len(g.Rows) == 0 })
}

func groupOf(g gapRow) int {
	switch {
	case !g.Material:
		return 1
	}
	return 0
}

// siteOf returns the host of a source's address, or the name of a file.
func siteOf(src loopstate.Source) string {
	u, err := url.Parse(cmp.Or(src.FinalURL, src.URL))
	switch {
	case err != nil || u.Scheme == "urn":
		return ""
	case u.Host == "":
		return short(pointed, path.Base(u.Path))
	}
	return short(pointed, strings.TrimPrefix(u.Host, "www."))
}

// cards groups the rows of a page: copies are listed with their source.
func cards(rows []sourceRow) []sourceRow {
	at := map[string]int{}
	var out []sourceRow
	for _, row := range rows {
		if row.DuplicateOf == "" {
			at[row.ID] = len(out)
			out = append(out, row)
		}
	}
	for _, row := range rows {
		if i, ok := at[row.DuplicateOf]; row.DuplicateOf != "" && ok {
			out[i].Copies = append(out[i].Copies, row)
		} else if row.DuplicateOf != "" {
			out = append(out, row)
		}
	}
	return out
}

type gapRow struct {
	loops.Gap
	Target bool
	Fresh  bool   // opened or closed in the shown round
	Close  string // link to the form for closing it
}

type sourceRow struct {
	loops.ViewedSource
	Part    int      // percent of its text that was shown to the host
	Carries []string // the claims that cite it
	Site    string
	Bad     string
	Copies  []sourceRow // with the same text
}
