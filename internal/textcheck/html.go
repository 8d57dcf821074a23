package textcheck

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
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
		for _, own := range r.drafts[i].Own {
			s := report.Sentence{Text: own.Text, Part: i, Status: drawing.Own, Own: own.Sentence.Own}
			s.Start, s.End = own.Span()
			d.Sentences = append(d.Sentences, s)
		}
	}
	if r.Review != nil && len(d.Parts) > 0 {
		d.Parts[0].Notes = append(d.Parts[0].Notes, "review: "+sanitize.Line(r.Review.String()))
	}
	for _, c := range r.Claims {
		d.Sentences = append(d.Sentences, r.sentence(c))
	}
	for _, u := range r.Uncited {
		s := report.Sentence{Text: u.Text, Part: u.draft, Status: drawing.Uncited, Because: u.why()}
		s.Start, s.End = u.of.Span()
		d.Sentences = append(d.Sentences, s)
	}
	slices.SortStableFunc(d.Sentences, func(a, b report.Sentence) int {
		return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Start, b.Start))
	})
	return d
}

func (r *Result) sentence(c Claim) report.Sentence {
	s := report.Sentence{Text: c.Claim, Part: c.draft, Status: c.Status, Basis: c.Basis, Confidence: c.Confidence, Because: c.Because, Flags: slices.Clone(c.Flags),
		IndependentOrigins: c.IndependentOrigins, Verbatim: c.Verbatim, Remarks: c.of.Remarks, Reading: c.Reading, Pending: c.of.Pending()}
	s.Start, s.End = c.of.Span()
	for _, p := range c.Passages {
		s.Receipts = append(s.Receipts, r.receipt(p, c.of))
	}
	for _, cite := range c.Citations {
		id := ""
		if cite.source >= 0 {
			id = r.Sources[cite.source].ID
		}
		if !c.of.Covered { // the mark of a covered sentence belongs to a later one
			mark := report.MarkOf(cite.of)
			mark.SourceID = id
			s.Markers = append(s.Markers, mark)
		}
		if cite.Status != statusRead || cite.of.Problem != "" {
			s.Flags = append(s.Flags, fmt.Sprintf("%s: %s: %s", cite.Status, sanitize.Short(cite.Marker, 80), cite.Reason))
		}
	}
	return s
}

// notes lists the findings of a file that are on no sentence.
func (r *Result) notes(draft int) []string {
	var out []string
	for _, h := range r.Hallucinated {
		if h.draft == draft && h.stray {
			out = append(out, fmt.Sprintf("line %d, %s: %s: %s", h.Line, Hallucinated, h.Citation, h.Why))
		}
	}
	for _, x := range r.Conflicts {
		if x.draft == draft {
			out = append(out, fmt.Sprintf("line %d, %s: %s", x.Line, Noted, x.Because))
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

func (r *Result) receipt(p Passage, c verify.Claim) report.Receipt {
	out := report.Receipt{SourceID: p.SourceID, URL: p.URL, Start: p.Start, End: p.End, Lines: p.Lines, Page: p.Page, LastPage: p.Page, Passage: p.Text}
	if i := slices.IndexFunc(r.Sources, func(s Source) bool { return s.ID == p.SourceID }); i >= 0 && r.Sources[i].FetchedAt != nil {
		out.SHA256, out.FetchedAt = r.Sources[i].SHA256, *r.Sources[i].FetchedAt
		out.Locate(r.Sources[i].text.Lines(), c.Citations)
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
