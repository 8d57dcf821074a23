package loops_test

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
)

// written returns what a loop's log has in a format.
func written(t *testing.T, h *harness, loop, format string) string {
	t.Helper()
	d, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Format: format})
	if err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	var out strings.Builder
	if err := report.Write(&out, format, d); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return out.String()
}

func TestComparison(t *testing.T) {
	h, loop := withSources(t)
	for format, subject := range map[string]string{report.Table: "claims.field", report.Prisma: "screening"} {
		_, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Format: format})
		refusal(t, err, subject, loopstate.CodeMissing)
	}
	_, err := h.Update(t.Context(), loop, "", loopstate.UpdateInput{Claims: []loopstate.ClaimInput{
		{Claim: "The lighthouse was built in 1874 by Maria Holt.", SourceIDs: []string{"S1"}, Field: "built", Subject: "Lighthouse | Arden", Value: "1874"},
		{Claim: "The lighthouse was built in 1894.", SourceIDs: []string{"S2:1"}, Field: "built", Subject: "Lighthouse | Arden", Value: "1894"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	table := written(t, h, loop, report.Table)
	for _, want := range []string{`|  | built |`, `Lighthouse \| Arden`, `1874 \[S1\] – not checked`, `1894 \[S2:1\]`, "(differs from C2)"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	for format, wants := range map[string][]string{
		report.Markdown: {"## Evidence table\n\n|  | built |", `| **Lighthouse \| Arden** | **≠** 1874 [\[S1\]](#source-1) ≈ not read yet`, "(differs from C2)", "units were equalised"},
		report.HTML:     {`<a href="#comparison">Evidence table</a>`, `<bdi>Lighthouse | Arden</bdi>`, `<strong>≠</strong> <bdi>1874</bdi> <a class="cite" href="#source-1">`, "differs from C2"},
	} {
		text := written(t, h, loop, format)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("the %s report lacks %q:\n%s", format, want, text)
			}
		}
	}
	if csv := written(t, h, loop, report.CSV); !strings.HasPrefix(csv, "subject,field,value,") || strings.Count(csv, "\n") != 3 {
		t.Errorf("csv:\n%s", csv)
	}
	if xlsx := written(t, h, loop, report.XLSX); !strings.HasPrefix(xlsx, "PK") {
		t.Error("the workbook is no zip archive")
	}
}

func TestSystematicReview(t *testing.T) {
	h, loop := withSources(t)
	_, err := h.Update(t.Context(), loop, "", loopstate.UpdateInput{
		Query: "lighthouse AND harbour", Channel: "scopus",
		Evidence: []loopstate.Evidence{
			{Title: "The lighthouse", URL: "https://example.org/lighthouse"}, {Title: "The harbour", URL: "https://example.org/harbour"},
			{Title: "Never read", URL: "https://example.org/paywall", DOI: "10.1000/paywall", Authors: []string{"Maria Holt"}},
		},
		Screening: []loopstate.Screened{
			{Record: "https://example.org/lighthouse", Stage: loopstate.StageFullText, Decision: loopstate.Include, By: "Ada"},
			{Record: "S2", Stage: loopstate.StageTitle, Decision: loopstate.Exclude, Reason: "wrong place", By: "Ada"},
			{Record: "10.1000/paywall", Stage: loopstate.StageFullText, Decision: loopstate.Include, By: "Ada"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	flow := written(t, h, loop, report.Prisma)
	for _, want := range []string{"| Records identified | 3 | 0 |", "| Records screened | 3 | 0 |", "| Studies included | 2 | 0 |", "- wrong place: 1", "| scopus | lighthouse AND harbour |"} {
		if !strings.Contains(flow, want) {
			t.Errorf("the flow lacks %q:\n%s", want, flow)
		}
	}
	if svg := written(t, h, loop, report.PrismaSVG); !strings.HasPrefix(svg, "<svg ") {
		t.Errorf("no drawing: %.80s", svg)
	}
	ris := written(t, h, loop, report.RIS)
	if strings.Count(ris, "ER  - ") != 2 || !strings.Contains(ris, "10.1000/paywall") || strings.Contains(ris, "The harbour") {
		t.Errorf("the bibliography is not that of the included studies:\n%s", ris)
	}
}
