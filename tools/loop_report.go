package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
)

type loopReportIn struct {
	StateID         string `json:"state_id" jsonschema:"from loop_init"`
	Format          string `json:"format,omitempty" enum:"markdown,html,bibtex,csl-json,ris,json" jsonschema:"markdown if left out"`
	Draft           string `json:"draft,omitempty" jsonschema:"the final text as Markdown; without it the recorded claims are the text"`
	AllowUnverified bool   `json:"allow_unverified,omitempty" jsonschema:"report what did not pass, marked DRAFT"`
}

type loopReportOut struct {
	StateID      string   `json:"state_id"`
	Format       string   `json:"format"`
	Verdict      string   `json:"verdict" jsonschema:"pass or fail"`
	Draft        bool     `json:"draft" jsonschema:"it did not pass, and says DRAFT"`
	Groundedness float64  `json:"confidence"`
	CoverageGaps []string `json:"coverage_gaps"`
	GeneratedAt  string   `json:"generated_at"`
	Report       string   `json:"report"`
}

type reporter interface {
	Report(ctx context.Context, in loops.ReportInput) (report.Document, error)
}

func loopReport(d *definer, svc reporter) server.ServerTool {
	return define(d, manual{
		name: "loop_report", title: "Write the report",
		description: `Write the report: your final text (or the recorded claims) with numbered citations, the passages behind them, limitations, open questions, the rounds table and the sources. The text is checked once more; what does not pass is refused unless allow_unverified is true, and then says DRAFT. Do not append a list of sources yourself.
Example: {"state_id": "…", "draft": "# Answer\n\nA send happens before the receive completes [S1].", "format": "html"}`,
		hints: hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopReportIn) (loopReportOut, error) {
		if in.Format == "" {
			in.Format = "markdown"
		}
		doc, err := svc.Report(ctx, loops.ReportInput{Loop: in.StateID, Draft: in.Draft, AllowUnverified: in.AllowUnverified})
		if err != nil {
			return loopReportOut{}, err
		}
		var text strings.Builder
		if err := report.Write(&text, in.Format, doc); err != nil {
			return loopReportOut{}, fmt.Errorf("tools: writing the report: %w", err)
		}
		return loopReportOut{StateID: in.StateID, Format: in.Format, Verdict: doc.Verdict, Draft: doc.Unverified, Groundedness: doc.Groundedness, CoverageGaps: doc.CoverageGaps,
			GeneratedAt: doc.GeneratedAt.Format("2006-01-02T15:04:05Z07:00"), Report: text.String()}, nil
	})
}
