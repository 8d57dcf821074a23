package research

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// reported is the last step of a run. A loop with it is finished.
const reported = "report"

// report writes the files and records the last step with the cost of the text.
func (r *run) report(ctx context.Context, m *meter, draft string) error {
	if err := os.MkdirAll(r.OutDir, 0o755); err != nil {
		return fmt.Errorf("the report's folder: %w", err)
	}
	for _, format := range r.Formats {
		var out struct{ Report string }
		if err := r.Server.callTwice(ctx, "loop_report", args{"state_id": r.id, "draft": draft, "format": format, "inline": true}, &out); err != nil {
			return err
		}
		path := filepath.Join(r.OutDir, "report."+extension(format))
		if err := os.WriteFile(path, []byte(out.Report), 0o644); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		r.result.Files = append(r.result.Files, path)
		r.say(Step, "report", "%s", path)
	}
	spent := m.take()
	if spent.Total() == 0 {
		spent.Completion = 1 // a step without content and cost would leave no event
	}
	if err := r.update(ctx, reported, spent, nil); err != nil {
		return err
	}
	r.say(Ended, "", "%s, each citing text that was read; %d found supported by a reader. Rejected before: %s, %s, %s that could not be used.", counted(r.result.Sentences, "sentence"), r.result.Supported,
		counted(r.result.Invented, "invented citation"), counted(r.result.Dropped, "unsupported sentence"), counted(r.result.Failures, "answer"))
	return nil
}

// extension of a report's file.
func extension(format string) string {
	switch format {
	case "markdown":
		return "md"
	case "markdown-full":
		return "full.md"
	case "bibtex":
		return "bib"
	case "csl-json":
		return "csl.json"
	}
	return format
}
