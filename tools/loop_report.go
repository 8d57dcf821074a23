package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
)

type loopReportIn struct {
	StateID         string `json:"state_id"`
	Format          string `json:"format"`
	Draft           string `json:"draft"`
	AllowUnverified bool   `json:"allow_unverified"`
	Inline          bool   `json:"inline"`
}

type loopReportOut struct {
	Format       string   `json:"format"`
	Verdict      string   `json:"verdict,omitempty"`
	Draft        bool     `json:"draft"` // it did not pass
	Groundedness float64  `json:"confidence"`
	CoverageGaps []string `json:"coverage_gaps"`
	GeneratedAt  string   `json:"generated_at"`
	Summary      string   `json:"summary"`
	Chars        int      `json:"chars"`
	Path         string   `json:"path,omitempty"`   // the file with the report
	Report       string   `json:"report,omitempty"` // short Markdown, or with inline
	Next         string   `json:"next,omitempty"`   // how to get the text
}

// maxReportInline is the largest length, in code points, of Markdown in an answer.
const maxReportInline = 6_000

func loopReport(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_report", func(ctx context.Context, in loopReportIn) (loopReportOut, error) {
		if in.Format == "" {
			in.Format = report.Markdown
		}
		doc, err := svc.Report(ctx, loops.ReportInput{Loop: in.StateID, Draft: in.Draft, AllowUnverified: in.AllowUnverified,
			Deliver: true})
		if err != nil {
			return loopReportOut{}, err
		}
		var written strings.Builder
		if err := report.Write(&written, in.Format, doc); err != nil {
			return loopReportOut{}, fmt.Errorf("tools: writing the report: %w", err)
		}
		text := written.String()
		out := loopReportOut{Format: in.Format, Verdict: doc.Verdict, Draft: doc.Unverified, Groundedness: doc.Groundedness,
			CoverageGaps: append([]string{}, doc.CoverageGaps...), GeneratedAt: doc.GeneratedAt.Format(time.RFC3339),
			Summary: summaryOf(doc), Chars: utf8.RuneCountInString(text), Path: svc.ShowReport(ctx, in.StateID, in.Format, text)}
		switch {
		case in.Inline || in.Format == report.Markdown && out.Chars <= maxReportInline:
			out.Report = text
		case out.Path == "":
			out.Next = "call again with inline: true for the text"
		}
		return out, nil
	})
}

func summaryOf(doc report.Document) string {
	cited := 0
	for _, src := range doc.Sources {
		cited += min(src.Number, 1)
	}
	return fmt.Sprintf("%s Sources cited: %d; rounds: %d; open questions: %d.", report.Summary(doc), cited, len(doc.Rounds),
		len(doc.OpenQuestions))
}
