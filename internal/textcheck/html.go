package textcheck

import (
	"fmt"
	"io"
	"slices"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/views"
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
	for i, f := range r.Files {
		d.Parts = append(d.Parts, report.Part{Name: f.File, Text: r.drafts[i].text, Summary: r.summary(f), Notes: r.notes(i)})
		var part report.Document
		views.Receipts(&part, r.drafts[i].Verification)
		for _, s := range part.Sentences {
			s.Part = i
			d.Sentences = append(d.Sentences, s)
		}
		d.Conflicts = append(d.Conflicts, part.Conflicts...)
	}
	if r.Review != nil && len(d.Parts) > 0 {
		d.Parts[0].Notes = append(d.Parts[0].Notes, "review: "+sanitize.Line(r.Review.String()))
	}
	return d
}

// notes lists what the sentences of a file do not show.
func (r *Result) notes(draft int) []string {
	var out []string
	for _, h := range r.Hallucinated {
		if h.draft == draft {
			out = append(out, fmt.Sprintf("line %d, %s: %s: %s", h.Line, Hallucinated, h.Citation, h.Why))
		}
	}
	for _, x := range r.Suppressed {
		if x.File == r.drafts[draft].name {
			out = append(out, fmt.Sprintf("line %d, suppressed: %s: %s: %s", x.Line, x.Kind, sanitize.Short(x.Text, textSentenceChars), x.By))
		}
	}
	for _, s := range r.Suppressions {
		if problem := s.problem(); problem != "" && draft == 0 {
			out = append(out, fmt.Sprintf("%s:%d: %s", sanitize.Line(s.File), s.Line, problem))
		}
	}
	for _, x := range r.Mistitled {
		if x.draft == draft {
			out = append(out, fmt.Sprintf("line %d, %s: the list calls it %q, its page is titled %q", x.Line, Mistitled, sanitize.Line(x.Listed), sanitize.Line(x.Title)))
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
