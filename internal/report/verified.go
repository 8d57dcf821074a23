package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
)

// Receipts adds the sentences with their verdicts and passages, and the conflicts.
func Receipts(d *Document, v verify.Result) {
	receipt := func(p verify.Passage, citations ...verify.Citation) Receipt {
		src := v.Sources[p.SourceID]
		page, last := src.Pages.Span(p.Start, p.End)
		r := Receipt{SourceID: p.SourceID, URL: src.FinalURL, SHA256: src.SHA256, FetchedAt: src.FetchedAt, Start: p.Start, End: p.End,
			Lines: p.Lines, Page: page, LastPage: last, Passage: p.Text}
		if src.Text != nil {
			r.Before, r.After = verify.Surroundings(src.Text, p.Start, p.End)
			r.locate(src.Text.Lines(), citations)
		}
		return r
	}
	for _, c := range v.Claims {
		sentence := Sentence{ClaimID: c.ID, Text: c.Text, Status: c.Status, Basis: c.Basis(), Because: c.Because,
			Flags: append([]string{}, c.Flags...), IndependentOrigins: c.Origins,
			Confidence: c.Confidence, Verbatim: c.Verbatim, Remarks: c.Remarks, Reading: c.Reading, Pending: c.Pending(),
			Receipts: []Receipt{}}
		if sentence.Start, sentence.End = c.Span(); c.Sentence != nil && !c.Covered {
			sentence.Markers = markersOf(c)
		}
		for _, p := range c.Passages {
			r := receipt(p, c.Citations...)
			for _, q := range c.Quoted {
				if q.SourceID == p.SourceID {
					r.Quote, r.Grade = q.Quote, string(q.Grade)
				}
			}
			sentence.Receipts = append(sentence.Receipts, r)
		}
		d.Sentences = append(d.Sentences, sentence)
	}
	bare := func(c verify.Claim, status string) Sentence {
		start, end := c.Span()
		return Sentence{Text: c.Text, Start: start, End: end, Status: status, Flags: []string{}, Receipts: []Receipt{}}
	}
	for _, u := range v.Uncited {
		if s := bare(u, uncited); v.OfDraft {
			s.Because = "The sentence claims something and cites nothing."
			d.Sentences = append(d.Sentences, s)
		}
	}
	for _, c := range v.Own {
		s := bare(c, own)
		s.Own, s.Markers = c.Sentence.Own, markersOf(c)
		d.Sentences = append(d.Sentences, s)
	}
	slices.SortStableFunc(d.Sentences, func(a, b Sentence) int { return a.Start - b.Start })
	d.Conflicts = []Conflict{}
	for _, x := range v.Conflicts {
		d.Conflicts = append(d.Conflicts, Conflict{Topic: x.Topic, A: receipt(x.A), B: receipt(x.B), ValueA: x.ValueA, ValueB: x.ValueB,
			Because: x.Because})
	}
}

func markersOf(c verify.Claim) []MarkerAt {
	var out []MarkerAt
	for _, m := range c.Citations {
		out = append(out, MarkerAt{Start: m.Start, End: m.End, SourceID: m.SourceID, Lines: m.Lines.String(), Label: labelOf(m.Marker)})
	}
	return out
}

// CitedFirst numbers the cited sources by their first citation and puts them first. The others have no number.
func CitedFirst(sources []Source, sentences []Sentence) []Source {
	at := map[string]*Source{}
	for i := range sources {
		at[sources[i].ID] = &sources[i]
	}
	number := 0
	for _, s := range sentences {
		var ids []string
		for _, m := range s.Markers {
			ids = append(ids, m.SourceID)
		}
		for _, r := range s.Receipts {
			ids = append(ids, r.SourceID)
		}
		for i, id := range ids {
			src := at[id]
			if src == nil || slices.Contains(ids[:i], id) {
				continue
			}
			if src.Number == 0 {
				number++
				src.Number = number
			}
			src.Claims++
		}
	}
	out := append([]Source{}, sources...)
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Compare(uint(a.Number-1), uint(b.Number-1)) })
	return out
}

// labelOf returns the label of a mark, without brackets; "" for a link or an address.
func labelOf(m draft.Marker) string {
	switch m.Kind {
	case draft.MarkerID, draft.MarkerNumber:
		return m.Target
	case draft.MarkerFootnote:
		return "^" + m.Target
	case draft.MarkerAuthor:
		name, _, _ := strings.Cut(m.Target, " ")
		written := strings.Split(strings.Trim(m.Raw, "[]()（） "), ";") // (Smith 2020; Jones 2021)
		i := slices.IndexFunc(written, func(part string) bool { return strings.Contains(strings.ToLower(part), name) })
		return strings.TrimSpace(written[max(0, i)])
	}
	return ""
}

// locate sets the lines of a receipt, those of them that a claim cites, and what stands above them in the text.
func (r *Receipt) locate(text *lines.Text, citations []verify.Citation) {
	at := text.Lines(r.Start, r.End)
	r.Lines = lines.Ranges{at}.String()
	var named lines.Ranges
	for _, c := range citations {
		for _, x := range c.Lines {
			if x.First, x.Last = max(x.First, at.First), min(x.Last, at.Last); c.SourceID == r.SourceID && x.First <= x.Last {
				named = named.And(lines.Ranges{x})
			}
		}
	}
	r.Cited = named.String()
	if blocks := text.Blocks(lines.Ranges{{First: at.First, Last: at.First}}); len(blocks) > 0 {
		headings, lead := text.Context(blocks[0])
		r.Heading = strings.Trim(headings+" › "+sanitize.Line(lead), " ›")
	}
}

// pages returns the pages of a PDF that a receipt is on.
func (r Receipt) pages() lines.Ranges {
	if r.Page < 1 {
		return nil
	}
	return lines.Ranges{{First: r.Page, Last: max(r.Page, r.LastPage)}}
}
