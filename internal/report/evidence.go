package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// evidenceView has the drawings.
type evidenceView struct {
	Matrix   *supportView  // nil if no source supports a sentence
	Timeline *timelineView // nil if all sources are of one period
	Chart    template.HTML
	Counts   []StateCount
}

func (f facts) evidence(counts []StateCount) evidenceView {
	e := evidenceView{Matrix: supportOf(f), Counts: counts}
	if len(f.Rounds) > 1 { // a chart of one round shows nothing
		e.Chart = template.HTML(drawing.Convergence(f.words, f.Rounds)) //nolint:gosec // drawing escapes
	}
	if f.Parts == nil {
		e.Timeline = timelineOf(f)
	}
	return e
}

// supportView shows which source supports which claim, as a drawing and a table.
type supportView struct {
	Drawing template.HTML
	Rows    []supportRow
	Idle    string // number of sources that support no sentence
	Copies  bool   // some sources are copies of one text
}

type supportRow struct {
	Source    sourceRef
	Origin    string // in words
	Sentences []supportedSentence
}

type supportedSentence struct {
	N       int
	Verdict drawing.Verdict
	Cited   bool // only cited: no passage of the source was found for it
}

// support relates a source to a sentence.
type support struct {
	sentence int
	receipt  int // of the sentence, from 1; 0 if the source is only cited
}

// supportedBy lists the sentences of each source, by its index.
func (f facts) supportedBy() [][]support {
	out := make([][]support, len(f.Sources))
	for i, s := range f.Sentences {
		seen := make(map[int]bool)
		add := func(id string, receipt int) {
			if _, at, ok := f.source(id); ok && !seen[at] {
				seen[at] = true
				out[at] = append(out[at], support{i, receipt})
			}
		}
		for j, r := range s.Receipts {
			add(r.SourceID, j+1)
		}
		for _, m := range s.Markers {
			add(m.SourceID, 0)
		}
	}
	return out
}

// supportOf returns nil if no source supports a sentence.
func supportOf(f facts) *supportView {
	m := drawing.Matrix{}
	for i, s := range f.Sentences {
		v := s.Verdict()
		m.Columns = append(m.Columns, drawing.Column{Status: v.Status, Says: fmt.Sprintf("%d %s %s: %s", i+1, v.Sign, f.words.T(v.Word), sanitize.Short(s.Text, pointedChars)), Href: fmt.Sprintf("#p%d", i+1)})
	}
	view, idle, drawn := &supportView{}, 0, make(map[string]int)
	for at, sentences := range f.supportedBy() {
		if len(sentences) == 0 {
			idle++
			continue
		}
		s := f.Sources[at]
		row := supportRow{Source: refTo(f.words, s, at), Origin: f.originWords(at)}
		drawn[s.Origin()]++
		view.Copies = view.Copies || drawn[s.Origin()] > 1
		for _, c := range sentences {
			v := f.Sentences[c.sentence].Verdict()
			cell := drawing.Cell{Row: len(m.Rows), Column: c.sentence, Passage: c.receipt > 0, Href: fmt.Sprintf("#r%d-%d", c.sentence+1, c.receipt),
				Says: f.words.T("[%s] carries sentence %d: %s %s", s.label(), c.sentence+1, v.Sign, f.words.T(v.Word))}
			if c.receipt == 0 {
				cell.Href, cell.Says = fmt.Sprintf("#p%d", c.sentence+1), f.words.T("[%s] is cited for sentence %d, but no passage of it was found: %s %s", s.label(), c.sentence+1, v.Sign, f.words.T(v.Word))
			}
			m.Cells = append(m.Cells, cell)
			row.Sentences = append(row.Sentences, supportedSentence{c.sentence + 1, v, c.receipt == 0})
		}
		m.Rows = append(m.Rows, drawing.Row{Label: s.label(), Name: s.titleIn(f.words), Href: "#source-" + strconv.Itoa(at+1), Origin: s.Origin()})
		view.Rows = append(view.Rows, row)
	}
	if len(m.Rows) == 0 {
		return nil
	}
	if idle > 0 {
		view.Idle = f.count(idle, "1 source was read but supports no sentence.", "%s sources were read but support no sentence.")
	}
	view.Drawing = template.HTML(m.SVG(f.words)) //nolint:gosec // drawing escapes
	return view
}

// timelineView shows when the sources were published, as a drawing and a table.
type timelineView struct {
	Drawing template.HTML
	Rows    []timelineRow
}

type timelineRow struct {
	Period      string
	Cited, Read []sourceRef
}

// timelineOf returns nil if all sources are of one period.
func timelineOf(f facts) *timelineView {
	dated := make([]drawing.Dated, len(f.Sources))
	for i, s := range f.Sources {
		year, month, _ := loopstate.DateParts(s.PublishedAt)
		dated[i] = drawing.Dated{Year: year, Month: month, Cited: s.Number > 0, Index: i}
	}
	periods := drawing.Periods(dated, f.AsOf)
	filled := slices.DeleteFunc(slices.Clone(periods), func(p drawing.Period) bool { return p.Sources() == 0 })
	if len(filled) < 2 { // a chart with one bar shows nothing
		return nil
	}
	v := &timelineView{Drawing: template.HTML(drawing.Timeline(f.words, periods))} //nolint:gosec // drawing escapes
	refs := func(indexes []int) (out []sourceRef) {
		for _, i := range indexes {
			out = append(out, refTo(f.words, f.Sources[i], i))
		}
		return out
	}
	for _, p := range filled {
		v.Rows = append(v.Rows, timelineRow{Period: f.words.T(p.Name), Cited: refs(p.Cited), Read: refs(p.Read)})
	}
	return v
}

// datesOf says when the sources were published, and how many have no date; "" without sources.
func datesOf(m messages.Table, sources []Source) string {
	var years []int
	for _, s := range sources {
		if year, _, _ := loopstate.DateParts(s.PublishedAt); year > 0 {
			years = append(years, year)
		}
	}
	n := len(sources)
	switch {
	case n == 0:
		return ""
	case len(years) == 0:
		return m.Count(n, strconv.Itoa(n), "1 source, and no date of publication is known.",
			"%s sources, and of none a date of publication is known.")
	case n == 1:
		return m.T("1 source, from %d.", years[0])
	}
	first, last := slices.Min(years), slices.Max(years)
	when := strconv.Itoa(first)
	if first < last {
		when = m.T("from %d to %d", first, last)
	}
	if none := n - len(years); none > 0 {
		when += m.Count(none, strconv.Itoa(none), "; 1 has none", "; %s have none")
	}
	return m.T("%d of %s have a date: %s.", len(years), m.Count(n, strconv.Itoa(n), "1 source", "%s sources"), when)
}

// comparisonOf returns the evidence table, or nil if no claim fills a cell. Its references lead to the list of sources if linked.
func comparisonOf(f facts, linked bool) *table.Shown {
	verdicts := map[string]drawing.Verdict{} // of the report's own check
	for _, s := range f.Sentences {
		verdicts[s.ClaimID] = s.Verdict()
	}
	verdict := func(e table.Entry) drawing.Verdict {
		return cmp.Or(verdicts[e.ClaimID], drawing.VerdictOf(e.Status))
	}
	link := func(id, lines string) (out table.Link) {
		if out.Label = sanitize.Line(id); lines != "" {
			lines = ":" + lines
		}
		if source, at, ok := f.source(id); ok {
			out.Label = source.label()
			if linked {
				out.Href = fmt.Sprintf("#source-%d", at+1)
			}
		}
		out.Label += lines
		return out
	}
	return f.Table.Show(table.Limits{}, verdict, link)
}

// renderTable writes the table alone, with its sources.
func renderTable(d Document) ([]byte, error) {
	f := factsOf(d)
	var sources []sourceView
	for i := range f.Sources {
		sources = append(sources, sourceViewOf(f, i))
	}
	out, err := markdownPart(f.words.Lang(), "table", struct {
		Title   string
		Table   *table.Shown
		Sources []sourceView
	}{mdEscape(heading(d)), comparisonOf(f, false), sources})
	return []byte(out), err
}
