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
	_, err := h.Report(t.Context(), loops.ReportInput{Loop: loop, Format: report.Table})
	refusal(t, err, report.NeedsFields, loopstate.CodeMissing)
	_, err = h.Update(t.Context(), loop, "", loopstate.UpdateInput{Claims: []loopstate.ClaimInput{
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
}
