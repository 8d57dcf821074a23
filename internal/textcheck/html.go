package textcheck

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
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
		d.Parts = append(d.Parts, report.Part{Name: f.File, Text: string(r.drafts[i].text), Summary: r.summary(f), Notes: r.notes(i)})
	}
	if r.Review != nil && len(d.Parts) > 0 {
		d.Parts[0].Notes = append(d.Parts[0].Notes, "review: "+sanitize.Line(r.Review.String()))
	}
	for _, c := range r.Claims {
		d.Sentences = append(d.Sentences, r.sentence(c))
	}
	for _, u := range r.Uncited {
		d.Sentences = append(d.Sentences, report.Sentence{Text: u.Text, Start: u.start, End: u.end, Part: u.draft, Status: drawing.Uncited, Because: u.why()})
	}
	slices.SortStableFunc(d.Sentences, func(a, b report.Sentence) int {
		return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Start, b.Start))
	})
	for _, x := range r.Conflicts {
		d.Conflicts = append(d.Conflicts, report.Conflict{Topic: x.Topic, A: r.receipt(x.A), B: r.receipt(x.B), ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because})
	}
	return d
}

func (r *Result) sentence(c Claim) report.Sentence {
	s := report.Sentence{Text: c.Claim, Start: c.start, End: c.end, Part: c.draft, Status: string(c.Status), Basis: c.Basis, Differences: c.Differences,
		Confidence: c.Confidence, Because: c.why(), Flags: slices.Clone(c.Flags), IndependentOrigins: c.IndependentOrigins}
	if c.Passage != nil {
		s.Receipts = []report.Receipt{r.receipt(*c.Passage)}
	}
	for _, cite := range c.Citations {
		id := ""
		if cite.source >= 0 {
			id = r.Sources[cite.source].ID
		}
		if !c.covered { // the mark of a covered sentence belongs to a later one
			s.Markers = append(s.Markers, report.MarkerAt{Start: cite.start, End: cite.end, SourceID: id})
		}
		if cite.Status != statusRead {
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
	for _, x := range r.Mistitled {
		if x.draft == draft {
			out = append(out, fmt.Sprintf("line %d, %s: the list calls it %q, its page is titled %q", x.Line, Mistitled, sanitize.Line(x.Listed), sanitize.Line(x.Title)))
		}
	}
	return out
}

func (r *Result) receipt(p Passage) report.Receipt {
	out := report.Receipt{SourceID: p.SourceID, URL: p.URL, Start: p.Start, End: p.End, Page: p.Page, LastPage: p.Page, Passage: p.Text}
	for _, src := range r.Sources {
		if src.ID == p.SourceID && src.FetchedAt != nil {
			out.SHA256, out.FetchedAt = src.SHA256, *src.FetchedAt
		}
	}
	return out
}

// shown returns the source as an entry of a report.
func (s Source) shown(number int) report.Source {
	out := report.Source{Number: number, Claims: s.Cited, Source: loopstate.Source{ID: s.ID, URL: s.URL, FinalURL: s.FinalURL, Title: s.Title, SourceType: s.SourceType, SHA256: s.SHA256, Chars: s.Chars}}
	if s.FetchedAt != nil {
		out.FetchedAt = *s.FetchedAt
	}
	if !s.read() {
		out.Flags = []string{s.Status + ": " + s.Reason}
	}
	return out
}
