package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
)

type loopReportIn struct {
	StateID         string `json:"state_id"`
	Format          string `json:"format,omitempty" enum:"markdown,html,bibtex,csl-json,ris,json,table,csv" jsonschema:"default markdown"`
	Draft           string `json:"draft,omitempty" jsonschema:"default: the last text, or the claims"`
	AllowUnverified bool   `json:"allow_unverified,omitempty" jsonschema:"marks DRAFT what did not pass"`
	Inline          bool   `json:"inline,omitempty" jsonschema:"the text, not a file"`
}

type loopReportOut struct {
	Format       string   `json:"format"`
	Verdict      string   `json:"verdict" jsonschema:"pass, review or fail"`
	Draft        bool     `json:"draft" jsonschema:"it did not pass"`
	Groundedness float64  `json:"confidence"`
	CoverageGaps []string `json:"coverage_gaps"`
	GeneratedAt  string   `json:"generated_at"`
	Summary      string   `json:"summary" jsonschema:"what it holds"`
	Chars        int      `json:"chars" jsonschema:"of the report"`
	Path         string   `json:"path,omitempty" jsonschema:"the file with the report"`
	Report       string   `json:"report,omitempty" jsonschema:"short Markdown, or with inline"`
	Next         string   `json:"next,omitempty" jsonschema:"how to get the text"`
}

func loopReport(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_report", title: "Write the report",
		description: `Write the report: your final text (or the recorded claims) with numbered citations, cited lines, open questions ` +
			`and sources; append no source list. A text that fails the check is refused without allow_unverified.`,
		hints: hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopReportIn) (loopReportOut, error) {
		if in.Format == "" {
			in.Format = "markdown"
		}
		doc, err := svc.Report(ctx, loops.ReportInput{Loop: in.StateID, Draft: in.Draft, AllowUnverified: in.AllowUnverified,
			Format: in.Format, Deliver: true})
		if err != nil {
			return loopReportOut{}, err
		}
		var text strings.Builder
		if err := report.Write(&text, in.Format, doc); err != nil {
			return loopReportOut{}, fmt.Errorf("tools: writing the report: %w", err)
		}
		out := loopReportOut{Format: in.Format, Verdict: doc.Verdict, Draft: doc.Unverified, Groundedness: doc.Groundedness,
			CoverageGaps: doc.CoverageGaps,
			GeneratedAt:  doc.GeneratedAt.Format(time.RFC3339), Summary: summaryOf(doc), Chars: utf8.RuneCountInString(text.String())}
		out.Path = svc.ShowReport(ctx, in.StateID, in.Format, text.String())
		if in.Inline || in.Format == report.Markdown && out.Chars <= maxReportInline {
			out.Report = text.String()
			return out, nil
		}
		if out.Path == "" {
			out.Next = "call again with inline: true for the text"
		}
		return out, nil
	})
}

// maxReportInline is the largest length, in code points, of Markdown in an answer.
const maxReportInline = 6_000

func summaryOf(doc report.Document) string {
	counts := map[string]int{}
	cited := 0
	for _, s := range doc.Sentences {
		counts[s.Status]++
	}
	for _, src := range doc.Sources {
		if src.Number > 0 {
			cited++
		}
	}
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[status], status))
	}
	return fmt.Sprintf("%s (%s); sources cited: %d; rounds: %d; open questions: %d", report.Shares(doc), strings.Join(parts, ", "), cited,
		len(doc.Rounds), len(doc.OpenQuestions))
}
