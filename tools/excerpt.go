package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
)

// excerpt is what an answer shows of one page's text: passages, or the text from one code point to another.
type excerpt struct {
	asked       fetchAsked
	page        loops.PageOutcome
	out         *sourceOut
	text        *lines.Text
	runes       []rune
	first, last int // content, between furniture
	passages    []passageOut
	from, to    int
	chars       int    // that are shown
	cost        int    // of what is shown, in the characters that bound it
	reason      string // why it is not what was asked for
}

func excerptOf(p loops.PageOutcome, asked fetchAsked) *excerpt {
	e := &excerpt{asked: asked, page: p, text: lines.NewPage(p.Text, p.Furniture), runes: []rune(p.Text)}
	e.last = len(e.runes)
	if len(p.Furniture) > 0 {
		content := slices.DeleteFunc(slices.Clone(e.text.Blocks(nil)), func(b lines.Block) bool { return b.Kind == lines.Furniture })
		if len(content) > 0 {
			e.first, e.last, _ = e.text.Span(lines.Range{First: content[0].First, Last: content[len(content)-1].Last})
		}
	}
	return e
}

// costOf counts what a shown part costs: the characters that the call asks for, or those of the answer.
func (e *excerpt) costOf(text string, part any) int {
	if e.asked.chars > 0 {
		return utf8.RuneCountInString(text)
	}
	return charsOf(part)
}

// choose selects what a call asks for, within a limit of its cost: the lines, the passages for a query, or the text from the offset on. A
// text that is within the limit, or that says nothing of the query, needs no passages.
func (e *excerpt) choose(limit int) {
	asked := e.asked
	ranges, own := asked.places[e.page.ID]
	if !own {
		ranges = asked.lines
	}
	var found []passage.Passage // best first
	switch {
	case len(ranges) > 0:
		for _, r := range ranges {
			if start, end, text := e.text.Span(r); r.First <= e.text.Len() {
				found = append(found, passage.Passage{Start: start, End: end, Text: text})
			}
		}
		if len(found) == 0 {
			e.reason = fmt.Sprintf("lines %s do not exist: the text has %s", ranges, english.Plural(e.text.Len(), "line", ""))
			return
		}
	case asked.offset > e.page.Chars:
		e.reason = fmt.Sprintf("offset %d is beyond the end: the text has %d characters", asked.offset, e.page.Chars)
		return
	case asked.query != "" && asked.offset == 0 && len(e.runes) > limit:
		most := passagesShown
		if asked.chars > 0 {
			most = maxPassages
		}
		if found = selectParts(e.page.Furniture.Mask(e.page.Text), asked.query, most, limit); len(found) == 0 {
			e.reason = "few words of the query are in the text; this is its beginning"
		}
	}
	if len(found) > 0 {
		e.pick(found, limit)
		return
	}
	if e.from = cmp.Or(asked.offset, e.first); e.from >= e.last { // furniture was asked for
		e.last = len(e.runes)
	}
	e.chars = shrink(min(e.last-e.from, limit), limit, func(n int) int {
		e.to = e.from + n
		e.cost = e.costOf(string(e.runes[e.from:e.to]), e.numbered())
		return e.cost
	})
	e.to = e.from + e.chars
}

// numbered returns the shown text with the number of each block's first line before it. Furniture in it is left out.
func (e *excerpt) numbered() string {
	at := e.text.At(e.from)
	rows := strings.Split(string(e.runes[e.from:e.to]), "\n")
	numbers := make([]string, len(rows))
	left := make([]bool, len(rows))
	for _, b := range e.text.Blocks(lines.Ranges{{First: at, Last: at + len(rows) - 1}}) {
		if i := max(b.First-at, 0); i < len(rows) {
			numbers[i], left[i] = fmt.Sprintf("%d| ", at+i), b.Kind == lines.Furniture
		}
	}
	if !slices.Contains(left, false) {
		clear(left) // it was asked for
	}
	var shown []string
	for i, row := range rows {
		if !left[i] && (row != "" || i == 0 || !left[i-1]) {
			shown = append(shown, numbers[i]+row)
		}
	}
	return strings.Join(shown, "\n")
}

// pick adds the passages that fit, whole, in the order of the text. The best one is cut if not even that fits.
func (e *excerpt) pick(found []passage.Passage, limit int) {
	for _, f := range found {
		p := passageOut{Start: f.Start, End: f.End, Text: f.Text, Section: f.Section, Page: e.page.Pages.At(f.Start)}
		cost := e.costOf(p.Text, p)
		if e.cost+cost > limit && len(e.passages) > 0 {
			continue // a shorter one may fit
		}
		if cost > limit {
			runes := []rune(p.Text)
			n := shrink(len(runes), limit, func(n int) int {
				part := string(runes[:n])
				return e.costOf(part, passageOut{Text: part, Section: p.Section})
			})
			p.End, p.Text = p.Start+n, string(runes[:n])
		}
		e.passages = append(e.passages, p)
		e.cost += cost
	}
	slices.SortFunc(e.passages, func(a, b passageOut) int { return cmp.Compare(a.Start, b.Start) })
	section := e.page.Title
	for i := range e.passages {
		p := &e.passages[i]
		e.chars += p.End - p.Start
		if p.Lines = (lines.Ranges{e.text.Lines(p.Start, p.End)}).String(); p.Section == section {
			p.Section = "" // the host knows it
		} else if p.Section != "" {
			section = p.Section
		}
	}
}

// fill sets what an answer of so many pages shows of the text.
func (e *excerpt) fill(pages int) {
	out := e.out
	out.Reason = strings.TrimSpace(out.Reason + " " + e.reason)
	out.Lines, out.Furniture, out.Passages = e.text.Len(), e.page.Furniture.Count(), e.passages
	if e.to > e.from {
		out.Text, out.Offset = e.numbered(), e.from
		if e.to < e.last {
			out.NextOffset = e.to
		}
		if e.from > 0 {
			out.Head = ""
		}
	}
	whole := e.from <= e.first && e.to >= e.last
	if whole || e.chars >= e.page.Chars {
		return
	}
	out.Shown = e.chars
	switch {
	case e.chars == 0:
		out.Outline = outlineOf(e.text, e.page.Title, max(leastOutline, wholeOutline/pages))
	case pages == 1:
		out.Outline = outlineOf(e.text, e.page.Title, maxOutline)
	}
}

// outlineOf lists at most so many headings of a text, evenly thinned: of a book the parts before its sections.
func outlineOf(text *lines.Text, title string, most int) []string {
	all := text.Outline()
	for level := 6; len(all) > most && level > 0; level-- {
		if upper := slices.DeleteFunc(slices.Clone(all), func(h lines.OutlineEntry) bool { return h.Level > level }); len(upper) > 0 {
			all = upper
		}
	}
	var out []string
	for i, h := range all {
		if (len(all) <= most || i%(1+len(all)/most) == 0) && (i > 0 || h.Heading != title) { // the title is shown beside it
			out = append(out, fmt.Sprintf("%d| %s", h.Line, cutTo(h.Heading, 80)))
		}
	}
	return out
}

// Bounds of the parts that answer a query (chosen).
const (
	passagesShown     = 8     // parts of each page, unless max_chars asks for more or less
	maxPassages       = 400   // that max_chars selects from
	paragraphChars    = 1_500 // up to which a paragraph or a list is kept whole
	leastSubjectChars = 200   // that a subject of a query needs for a part of its own
	leastScore        = 0.35  // of the best part's score
)

// selectParts returns the parts of a text that answer a query, best first, at most limit: whole paragraphs, with the heading that is
// directly above them. Each subject of a query ("attach a pier; detach a pier") has parts of its own, the best of them in its best
// sentences if the characters are few.
func selectParts(text, query string, limit, chars int) (out []passage.Passage) {
	ix := passage.NewIndex()
	ix.Add("", passage.Split(text, paragraphChars))
	found, _ := ix.SearchAll(loops.Subjects(query), limit, nil)
	best := map[string]float64{} // score, by subject
	for _, f := range found {
		best[f.Query] = max(best[f.Query], f.Score)
	}
	for _, f := range found[:min(limit, len(found))] {
		p := f.Passage
		if f.Score < leastScore*best[f.Query] {
			continue
		}
		if share := chars / len(best); f.Score == best[f.Query] && len(best) > 1 && share >= leastSubjectChars {
			part := passage.Excerpt(p.Text, f.Query, share)
			p.Start, p.End, p.Text = p.Start+part.Start, p.Start+part.End, part.Text
		}
		out = append(out, p)
	}
	return out
}
