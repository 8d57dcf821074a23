package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/loopstate"
)

// Pages of a PDF are counted from the file's first. The printed number may differ, so the word PDF precedes it.

// pages returns the pages of a passage, or "": "PDF p. 12", "PDF pp. 12–13".
func (r Receipt) pages(m messages.Table) string {
	if r.Page <= 0 {
		return ""
	}
	return pagesIn(m, []pageSpan{r.span()})
}

// pagesIn names pages in the language of the report.
func pagesIn(m messages.Table, spans []pageSpan) string {
	switch {
	case len(spans) == 0:
		return ""
	case len(spans) == 1 && spans[0].first == spans[0].last:
		return m.T("PDF p. %s", pageNumbers(spans, "–"))
	}
	return m.T("PDF pp. %s", pageNumbers(spans, "–"))
}

// where describes the place of a passage beside a citation, which has its lines if the source is cited by its id.
func (f facts) where(r Receipt) string {
	var parts []string
	switch p := r.pages(f.words); {
	case r.Lines == "" && p == "":
		return fmt.Sprintf("%d–%d", r.Start, r.End)
	case p != "":
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// place describes the place of a passage in its text: its lines, or else its characters.
func (r Receipt) place(m messages.Table) string {
	says := cmp.Or(r.lineWords(m), m.T("characters %d to %d", r.Start, r.End))
	if p := r.pages(m); p != "" {
		says = p + ", " + says
	}
	return says
}

// citedBy describes how many sentences cite a source, and on which pages.
func (s Source) citedBy(m messages.Table, pages []pageSpan) string {
	says := m.Count(s.Claims, strconv.Itoa(s.Claims), "1 sentence", "%s sentences")
	if p := pagesIn(m, pages); p != "" {
		says += m.T(", ") + m.T("on %s", p)
	}
	return says
}

func (r Receipt) span() pageSpan { return pageSpan{r.Page, max(r.Page, r.LastPage)} }

func pageNumbers(spans []pageSpan, dash string) string {
	numbers := make([]string, len(spans))
	for i, s := range spans {
		numbers[i] = s.with(dash)
	}
	return strings.Join(numbers, ", ")
}

// citedPages returns the pages behind sentences that no reader refuted by source id, sorted, with adjacent pages as one
// span.
func citedPages(d Document) map[string][]pageSpan {
	all := map[string][]pageSpan{}
	for _, s := range d.Sentences {
		if s.Status != loopstate.Grounded && s.Status != loopstate.Inferred {
			continue
		}
		for _, id := range s.cites() {
			which, _ := s.linesOf(id)
			for _, j := range which {
				if s.Receipts[j].Page > 0 {
					all[id] = append(all[id], s.Receipts[j].span())
				}
			}
		}
	}
	for id, spans := range all {
		slices.SortFunc(spans, func(a, b pageSpan) int { return a.first - b.first })
		merged := spans[:1]
		for _, s := range spans[1:] {
			if last := &merged[len(merged)-1]; s.first <= last.last+1 {
				last.last = max(last.last, s.last)
			} else {
				merged = append(merged, s)
			}
		}
		all[id] = merged
	}
	return all
}

// citedLines returns the lines behind sentences that no reader refuted, by source id.
func citedLines(d Document) map[string]lines.Ranges {
	all := map[string]lines.Ranges{}
	for _, s := range d.Sentences {
		if s.Status != loopstate.Grounded && s.Status != loopstate.Inferred {
			continue
		}
		for _, id := range s.cites() {
			_, at := s.linesOf(id)
			all[id] = all[id].And(at)
		}
	}
	return all
}

// atPage returns the address of a page in a PDF, as browsers and PDF viewers understand it.
func atPage(address string, page int) string {
	link := sanitize.Link(address)
	if link == "" || page <= 0 {
		return ""
	}
	link, _, _ = strings.Cut(link, "#")
	return fmt.Sprintf("%s#page=%d", link, page)
}
