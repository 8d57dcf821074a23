package loops_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Every passage of a PDF has its page.
func TestPassagesHavePages(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("How deep is the channel?")
	pages := []string{
		"The harbour of Port Arden was founded by fishermen. " + strings.Repeat("Its early years are told elsewhere at length. ", 8),
		"The channel is 9 metres deep at low water. " + strings.Repeat("It is kept open by the authority of the port. ", 8),
		"The pilots keep a table of the tides for every day. " + strings.Repeat("The table hangs at the customs hall for all to see. ", 8),
	}
	h.web.put("https://example.org/depths.pdf", "Depths", strings.Join(pages, "\n\n"))
	p := h.web.pages["https://example.org/depths.pdf"]
	p.ContentType = "application/pdf"
	p.Pages = []int{0, utf8.RuneCountInString(pages[0]) + 2, utf8.RuneCountInString(pages[0]+pages[1]) + 4}
	h.web.pages["https://example.org/depths.pdf"] = p
	h.read(loop, "https://example.org/depths.pdf")
	found, err := findPassages(h.Service, t.Context(), loop, "pilots table of the tides", nil, 1)
	if err != nil || len(found) != 1 || found[0].Page != 3 {
		t.Errorf("found %+v, %v, want a passage of page 3", found, err)
	}
	doc := h.report(loops.ReportInput{Loop: loop, Draft: "The channel is 9 metres deep at low water [S1].", AllowUnverified: true})
	if r := doc.Sentences[0].Receipts[0]; r.Page != 2 || r.LastPage != 2 || doc.Sources[0].Pages != nil {
		t.Errorf("the receipt is of pages %d to %d, want 2; the report carries %v", r.Page, r.LastPage, doc.Sources[0].Pages)
	}
	h.update(loop, loopstate.UpdateInput{Contradictions: []loopstate.Contradiction{{Topic: "how deep the channel is at low water",
		Resolution: "9 metres", SourceIDs: []string{"S1"}}}})
	if doc, err = h.Report(t.Context(), loops.ReportInput{Loop: loop}); err != nil || doc.Contradictions[0].Passages[0].Page != 2 {
		t.Errorf("the contradiction is quoted as %+v, %v", doc.Contradictions, err)
	}
	if text := h.prompt("critic", loop); !strings.Contains(text, ", PDF p. 2 (untrusted text)") {
		t.Errorf("a prompt gets no page: %s", text)
	}
}
