package textcheck

import (
	"fmt"
	"io"
	"slices"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// writeHTML writes the result as the page of a report.
func writeHTML(w io.Writer, r *Result) error { return report.Write(w, report.HTML, r.document()) }

// document returns the result as a report without a loop.
func (r *Result) document() report.Document {
	d := report.Document{Query: fmt.Sprintf("%d files", len(r.Files)), GeneratedAt: r.GeneratedAt, Generator: r.Generator, Verdict: r.Verdict,
		Groundedness: r.Groundedness, Threshold: r.Threshold, Parts: []report.Part{}}
	if len(r.Files) == 1 {
		d.Query = r.Files[0].File
	}
	for i, src := range r.Sources {
		d.Sources = append(d.Sources, src.shown(i+1))
	}
	found := r.Findings()
	for i, f := range r.Files {
		d.Parts = append(d.Parts, report.Part{Name: f.File, Text: r.drafts[i].text, Summary: r.summary(f), Notes: notesOf(found, i)})
		var part report.Document
		report.Receipts(&part, r.drafts[i].Result)
		for _, s := range part.Sentences {
			s.Part = i
			d.Sentences = append(d.Sentences, s)
		}
		d.Conflicts = append(d.Conflicts, part.Conflicts...)
	}
	for _, n := range r.notes() {
		if len(d.Parts) > 0 {
			d.Parts[0].Notes = append(d.Parts[0].Notes, n.String())
		}
	}
	return d
}

// notesOf lists the findings in a draft that its sentences do not show.
func notesOf(found []Finding, draft int) []string {
	var out []string
	for _, f := range found {
		switch {
		case f.draft != draft:
		case f.By != nil:
			out = append(out, fmt.Sprintf("line %d, suppressed: %s: %s: %s", f.Line, f.Kind, sanitize.Short(f.Text, textSentenceChars), f.By))
		case f.Kind == Hallucinated, f.Kind == Mistitled:
			out = append(out, fmt.Sprintf("line %d, %s: %s: %s", f.Line, f.Kind, sanitize.Line(f.Text), f.Why))
		}
	}
	return out
}

// shown returns the source as an entry of a report.
func (s Source) shown(number int) report.Source {
	out := report.Source{Number: number, Claims: s.Cited, Source: s.record}
	out.ID, out.URL, out.FinalURL = s.ID, s.URL, s.FinalURL
	if s.Saved != "" {
		out.Flags = append(slices.Clip(out.Flags), "saved_page: read from "+sanitize.Line(s.Saved)+" in this folder, not from its address")
	}
	if !s.read() {
		out.Flags = []string{s.Status + ": " + s.Reason}
	}
	return out
}
