package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Receipts adds the sentences with their verdicts and passages, and the conflicts. The document has its sources.
func Receipts(d *Document, v verify.Result) {
	for _, c := range v.Claims {
		s := sentenceOf(c, c.Status)
		s.ClaimID, s.Basis, s.Because, s.IndependentOrigins, s.Confidence = c.ID, c.Basis(), c.Because, c.Origins, c.Confidence
		s.Verbatim, s.Remarks, s.Reading, s.Pending = c.Verbatim, c.Remarks, c.Reading, c.Pending()
		s.Flags = append(s.Flags, c.Flags...)
		if c.Covered {
			s.Markers = nil
		}
		for _, p := range c.Passages {
			r := d.receipt(v.Sources[p.SourceID], p, c.Citations...)
			for _, q := range c.Quoted {
				if q.SourceID == p.SourceID {
					r.Quote, r.Grade = q.Quote, string(q.Grade)
				}
			}
			s.Receipts = append(s.Receipts, r)
		}
		d.Sentences = append(d.Sentences, s)
	}
	for _, c := range v.Uncited {
		if s := sentenceOf(c, uncited); v.OfDraft {
			s.Because, s.Markers = "The sentence claims something and cites nothing.", nil
			d.Sentences = append(d.Sentences, s)
		}
	}
	for _, c := range v.Own {
		s := sentenceOf(c, own)
		s.Own = c.Sentence.Own
		d.Sentences = append(d.Sentences, s)
	}
	slices.SortStableFunc(d.Sentences, func(a, b Sentence) int { return a.Start - b.Start })
	d.Conflicts = []Contradiction{}
	for _, x := range v.Conflicts {
		a, b := d.receipt(v.Sources[x.A.SourceID], x.A), d.receipt(v.Sources[x.B.SourceID], x.B)
		a.Value, b.Value = x.ValueA, x.ValueB
		d.Conflicts = append(d.Conflicts, Contradiction{loopstate.Contradiction{Topic: x.Topic, Why: x.Because}, []Receipt{a, b}})
	}
}

// QuoteSides adds the lines that contradictions name. sources are those of the loop, with the texts of the named ones.
func QuoteSides(d *Document, sources map[string]verify.Source) {
	for i := range d.Contradictions {
		c := &d.Contradictions[i]
		for _, ref := range c.Cites {
			cite := verify.Cite(ref)
			src := sources[cite.SourceID]
			if src.Text == nil {
				continue
			}
			for _, r := range cite.Lines {
				p := verify.Passage{SourceID: src.ID}
				p.Start, p.End, p.Text = src.Text.Lines().Span(r)
				c.Sides = append(c.Sides, d.receipt(src, p, cite))
			}
		}
	}
}

// sentenceOf returns a claim with its place and its citations in the text.
func sentenceOf(c verify.Claim, status string) Sentence {
	s := Sentence{Text: c.Text, Status: status, Flags: []string{}, Receipts: []Receipt{}}
	if s.Start, s.End = c.Span(); c.Sentence == nil {
		return s
	}
	for _, m := range c.Citations {
		s.Markers = append(s.Markers, MarkerAt{Start: m.Start, End: m.End, SourceID: m.SourceID, Lines: m.Lines.String(),
			Label: labelOf(m.Marker)})
	}
	return s
}

// receipt returns a passage with its lines, those of them that a claim cites, and what stands above them in the text. Its address is that
// which the document has.
func (d *Document) receipt(src verify.Source, p verify.Passage, citations ...verify.Citation) Receipt {
	r := Receipt{SourceID: p.SourceID, SHA256: src.SHA256, FetchedAt: src.FetchedAt, Start: p.Start, End: p.End,
		Lines: p.Lines, Page: src.Pages.At(p.Start), Passage: p.Text}
	if i := slices.IndexFunc(d.Sources, func(s Source) bool { return s.ID == r.SourceID }); i >= 0 {
		r.URL = d.Sources[i].FinalURL
	}
	if src.Text == nil {
		return r
	}
	r.Before, r.After = verify.Surroundings(src.Text, p.Start, p.End)
	text := src.Text.Lines()
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
	return r
}

// CitedFirst numbers the cited sources by their first citation and puts them first. The others have no number.
func CitedFirst(sources []Source, sentences []Sentence) []Source {
	out := slices.Clone(sources)
	number := 0
	for _, s := range sentences {
		for _, id := range s.sources() {
			if i := slices.IndexFunc(out, func(src Source) bool { return src.ID == id }); i >= 0 && out[i].Number == 0 {
				number++
				out[i].Number = number
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Compare(uint(a.Number-1), uint(b.Number-1)) })
	return out
}

// sources lists what a sentence cites, and then what its evidence is from.
func (s Sentence) sources() (ids []string) {
	for _, m := range s.Markers {
		ids = append(ids, m.SourceID)
	}
	for _, r := range s.Receipts {
		ids = append(ids, r.SourceID)
	}
	return ids
}

// lines returns the lines of a source that a sentence cites, or else those of the nearest passage.
func (s Sentence) lines(id string) string {
	var cited []string
	nearest := ""
	for _, r := range s.Receipts {
		if r.SourceID == id {
			cited, nearest = append(cited, r.Cited), cmp.Or(nearest, r.Lines)
		}
	}
	return cmp.Or(strings.Join(nonEmpty(cited...), ","), nearest)
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
