package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	numbered "github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// claimsDrawn bounds the columns of one matrix; the rest are on its next pages.
	claimsDrawn = 120
	// maxCells bounds the cells of a matrix (chosen): a host may cite every source for every claim.
	maxCells = 1_500
	// pointed is the length of a claim in a tooltip, as in the report.
	pointed = 120
)

// evidenceView shows the evidence of a loop as drawings and tables.
type evidenceView struct {
	Convergence template.HTML
	Matrix      template.HTML // empty if no source supports a claim
	MatrixPages pager
	Carried     []carriedRow // the matrix as a table
	Left        string       // what the matrix omits
	Copies      bool
	Timeline    template.HTML
	Periods     []drawing.Period // that have sources
	Dates       string
}

// carriedRow is a source with the claims that cite it.
type carriedRow struct {
	ID, Title, Href, Copy string // Copy is the source with the same text, or ""
	Claims                []carriedClaim
}

type carriedClaim struct {
	ID, Href string
	Verdict  drawing.Verdict
	Passage  bool
}

func evidenceOf(m messages.Table, p views.LoopDetail, at place) evidenceView {
	v := evidenceView{MatrixPages: at.fromTop("claims", carriedParam, len(p.Claims), claimsDrawn)}
	if len(p.Rounds) > 1 { // a chart needs two rounds
		v.Convergence = template.HTML(drawing.Convergence(m, p.Rounds)) //nolint:gosec // drawing escapes
	}
	v.matrix(m, p, at)
	v.timeline(m, p)
	return v
}

// matrix draws which sources support the claims of a page.
func (v *evidenceView) matrix(t messages.Table, p views.LoopDetail, at place) {
	claims := p.Claims[v.MatrixPages.lo:v.MatrixPages.hi]
	byID := make(map[string]int, len(p.Sources))
	for i, src := range p.Sources {
		byID[src.ID] = i
	}
	cited := map[int]bool{}
	for _, c := range claims {
		for _, id := range c.SourceIDs {
			if i, ok := byID[id]; ok {
				cited[i] = true
			}
		}
	}
	var m drawing.Matrix
	row, drawn, without := make(map[int]int, len(cited)), map[string]int{}, 0
	for i, src := range p.Sources {
		if !cited[i] {
			continue
		}
		if len(m.Rows) == drawing.MaxSources {
			without++
			continue
		}
		row[i] = len(m.Rows)
		href := sourceAddress(p.StateID, src.ID)
		m.Rows = append(m.Rows, drawing.Row{Label: strings.TrimPrefix(src.ID, "S"), Name: short(pointed, src.Title), Href: href, Origin: src.Origin()})
		v.Carried = append(v.Carried, carriedRow{ID: src.ID, Title: src.Title, Href: href, Copy: short(20, src.DuplicateOf)})
		drawn[src.Origin()]++
		v.Copies = v.Copies || drawn[src.Origin()] > 1
	}
	left := 0
	for column, c := range claims {
		verdict := verdictOf(p, c)
		claimHref := at.with(claimsParam, pageOf(v.MatrixPages.lo+column, pageSize), c.ID)
		m.Columns = append(m.Columns, drawing.Column{Status: verdict.Status, Label: strings.TrimPrefix(c.ID, "C"), Says: fmt.Sprintf("%s %s %s: %s", c.ID, verdict.Sign, t.T(verdict.Word), short(pointed, c.Claim)), Href: claimHref})
		for _, id := range distinct(c.SourceIDs) {
			r, ok := row[byID[id]]
			if _, known := byID[id]; !known || !ok {
				continue
			}
			if len(m.Cells) == maxCells {
				left++
				continue
			}
			cell := drawing.Cell{Row: r, Column: column, Href: claimHref, Says: t.T("%s is cited for %s, but no matching passage was found: %s %s", id, c.ID, verdict.Sign, t.T(verdict.Word))}
			if hasPassage(c, id) {
				cell.Passage, cell.Href = true, passageAddress(p.StateID, id, c)
				cell.Says = t.T("%s supports %s: %s %s", id, c.ID, verdict.Sign, t.T(verdict.Word))
			}
			m.Cells = append(m.Cells, cell)
			v.Carried[r].Claims = append(v.Carried[r].Claims, carriedClaim{c.ID, cell.Href, verdict, cell.Passage})
		}
	}
	sources, marks := t.Count(without, drawing.FormatNumber(without), "1 source", "%s sources"), t.Count(left, drawing.FormatNumber(left), "1 mark", "%s marks")
	switch {
	case without > 0 && left > 0:
		v.Left = t.T("Not drawn: %s, %s.", sources, marks)
	case without > 0:
		v.Left = t.T("Not drawn: %s.", sources)
	case left > 0:
		v.Left = t.T("Not drawn: %s.", marks)
	}
	v.Matrix = template.HTML(m.SVG(t)) //nolint:gosec // drawing escapes
}

func (v *evidenceView) timeline(m messages.Table, p views.LoopDetail) {
	resting := map[string]bool{}
	for _, c := range p.Claims {
		for _, id := range c.SourceIDs {
			resting[id] = true
		}
	}
	dated := make([]drawing.Dated, len(p.Sources))
	for i, src := range p.Sources {
		year, month, _ := loopstate.DateParts(src.PublishedAt)
		dated[i] = drawing.Dated{Year: year, Month: month, Cited: resting[src.ID], Index: i}
	}
	v.Dates = drawing.Dates(m, dated)
	all := drawing.Periods(dated, p.AsOf)
	for _, period := range all {
		if period.Sources() > 0 {
			v.Periods = append(v.Periods, period)
		}
	}
	if len(v.Periods) > 1 { // a chart needs two bars
		v.Timeline = template.HTML(drawing.Timeline(m, all)) //nolint:gosec // drawing escapes
	}
}

func sourceAddress(loop, id string) string {
	return place{path: Root + "loops/" + loop + "/sources/" + id}.with("", 0, "")
}

// hasPassage reports whether the check of a claim found lines of a source for it.
func hasPassage(c loopstate.Claim, id string) bool {
	return c.Check != nil && (c.Check.SourceID == id && c.Check.End > c.Check.Start || linesIn(c.Check.Lines, id) != "")
}

// passageAddress links to the evidence of a claim in the text of its source.
func passageAddress(loop, source string, c loopstate.Claim) string {
	return place{path: Root + "loops/" + loop + "/sources/" + source}.param("claim", c.ID, markHere)
}

// distinct returns the ids, each once.
func distinct(ids []string) []string {
	var out []string
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// verdictOf is the verdict of a claim, with what its reader answered. Who read it is said with its evidence.
func verdictOf(p views.LoopDetail, c loopstate.Claim) drawing.Verdict {
	reading, ok := p.Readings[c.ID]
	if !ok {
		return report.VerdictOf(c)
	}
	return report.Sentence{Status: c.Check.Status, Basis: c.Check.Basis, Flags: c.Check.Flags, Reading: &reading}.Verdict()
}

// linesIn returns the lines of a source in a list such as "S1:120-128; S3:7; S1:140".
func linesIn(list, id string) string {
	var all numbered.Ranges
	for ref := range strings.SplitSeq(list, ";") {
		if named, ok := strings.CutPrefix(strings.TrimSpace(ref), id+":"); ok {
			if at, ok := numbered.ParseRanges(named); ok {
				all = all.And(at)
			}
		}
	}
	return all.String()
}
