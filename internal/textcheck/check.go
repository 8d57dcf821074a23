package textcheck

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
)

// check computes the verdict of each sentence.
func (r *Result) check(ctx context.Context, sentences []sentence, by *Review) error {
	var texts []grounding.Source
	byID := map[string]Source{}
	for _, src := range r.Sources {
		if src.read() {
			texts = append(texts, src.forChecks())
			byID[src.ID] = src
		}
	}
	claims := make([]citing.Claim, len(sentences))
	for i := range sentences {
		sentences[i].follow(r.Sources)
		claims[i] = sentences[i].Claim
	}
	checker := grounding.NewChecker(texts)
	conflicts, err := citing.Check(ctx, checker, claims)
	if err != nil {
		return err
	}
	for i := range sentences {
		sentences[i].Claim = claims[i]
		if err := sentences[i].FlagInjection(func(id string) (string, error) { return byID[id].text, nil }); err != nil {
			return err
		}
	}
	for _, x := range conflicts {
		s := sentences[x.Claim]
		p := r.drafts[s.draft]
		start, end := s.Span()
		r.Conflicts = append(r.Conflicts, Disagreement{Topic: x.Topic, A: passageOf(x.A, byID), B: passageOf(x.B, byID),
			ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because, Place: p.places.place(p.name, start, end), draft: s.draft})
	}
	if err := r.review(ctx, checker, sentences, by); err != nil {
		return err
	}
	kept, uncited := citing.Split(sentences)
	for _, s := range uncited {
		r.Uncited = append(r.Uncited, r.drafts[s.draft].uncited(s.draft, s.Claim))
	}
	slices.SortStableFunc(r.Uncited, func(a, b Sentence) int { return cmp.Or(cmp.Compare(a.draft, b.draft), cmp.Compare(a.start, b.start)) })
	for _, s := range kept {
		r.Claims = append(r.Claims, s.verdict(r.drafts[s.draft], byID))
		r.deadLinks(&r.Claims[len(r.Claims)-1])
	}
	return nil
}

// flagCovered marks a sentence that is cited by its paragraph only.
const flagCovered = "cited_by_paragraph"

func (s Source) forChecks() grounding.Source {
	return grounding.Source{ID: s.ID, URL: s.URL, Title: s.Title, SourceType: s.SourceType, Text: s.text, Publisher: s.publisher, Authors: s.authors, Publication: s.publication}
}

// follow records the status of each citation and selects the sources that were read.
func (s *sentence) follow(sources []Source) {
	s.Asked = nil
	for j := range s.cites {
		cite := &s.cites[j]
		if cite.source < 0 {
			continue
		}
		src := sources[cite.source]
		cite.Status, cite.Reason = src.Status, src.Reason
		if src.read() {
			s.Ask(src.ID, "")
		}
	}
}

// verdict returns the claim for the result. A claim that is not grounded is not checked while a cited text is unread.
func (s sentence) verdict(p parsed, sources map[string]Source) Claim {
	v := s.Verdict
	c := Claim{Claim: s.Text, Status: v.Status, Support: sixDigits(v.Support), Confidence: sixDigits(v.Confidence), Because: v.Because, Citations: s.cites, QuoteGrade: v.QuoteGrade,
		Missing: v.Missing, Basis: string(v.Basis), Differences: citing.Differences(v), Flags: v.Flags, IndependentOrigins: v.IndependentOrigins, BetterSource: v.BetterSource, Reading: s.reading, draft: s.draft, covered: s.Covered, dead: true}
	c.start, c.end = s.Span()
	c.Place = p.places.place(p.name, c.start, c.end)
	var unread []string
	for _, cite := range c.Citations {
		if cite.source >= 0 && cite.Status != statusNotFound {
			c.dead = false
			if cite.Status != statusRead && !slices.Contains(unread, cite.URL) {
				unread = append(unread, cite.URL)
			}
		}
	}
	switch {
	case len(s.Asked) == 0 && len(unread) > 0:
		c.Status, c.Confidence, c.Flags = NotChecked, 0, nil
		c.Because = "No cited source could be read: " + c.firstReason() + "."
	case len(s.Asked) == 0:
		c.Flags = []string{grounding.FlagUnknownSource}
		c.Because = "Its citations do not resolve: " + c.firstReason() + "."
	case v.Status != grounding.Grounded && len(unread) > 0:
		c.Status = NotChecked
		c.Because = fmt.Sprintf("%s could not be read, and the other texts do not ground it. %s", strings.Join(unread, ", "), v.Because)
	}
	if v.Passage != nil {
		at := passageOf(*v.Passage, sources)
		c.Passage = &at
	}
	if s.Covered {
		c.Flags = append(c.Flags, flagCovered+": the citation is on a later sentence of the paragraph")
	}
	return c
}

// firstReason returns why the first failed citation failed.
func (c *Claim) firstReason() string {
	for _, cite := range c.Citations {
		if cite.Status != statusRead && cite.Reason != "" {
			return cite.Reason
		}
	}
	return "unknown reason"
}

// sixDigits rounds x, so that all machines write the same digits.
func sixDigits(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func passageOf(e grounding.Evidence, sources map[string]Source) Passage {
	src := sources[e.SourceID]
	return Passage{SourceID: e.SourceID, URL: src.URL, Start: e.Start, End: e.End, Text: e.Text, Page: src.pages.At(e.Start)}
}

// deadLinks reports the citations of addresses without a page.
func (r *Result) deadLinks(c *Claim) {
	d := r.drafts[c.draft]
	for _, cite := range c.Citations {
		if cite.source >= 0 && cite.Status == statusNotFound && !c.covered {
			r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: c.Claim, Citation: cite.Marker, Why: cite.URL + ": " + cite.Reason,
				Place: d.places.place(d.name, cite.start, cite.end), draft: c.draft})
		}
	}
}

// mistitled compares the titles in reference lists with those of the pages.
func (r *Result) mistitled(listed []listedTitle) {
	at := map[string]int{}
	for i, src := range r.Sources {
		at[src.key] = i
	}
	for _, entry := range listed {
		i, ok := at[entry.key]
		if !ok || !r.Sources[i].read() || entry.SameTitle(r.Sources[i].Title) {
			continue
		}
		d := r.drafts[entry.draft]
		r.Mistitled = append(r.Mistitled, WrongTitle{URL: entry.URL, Listed: entry.Title, Title: r.Sources[i].Title, Place: d.places.line(d.name, entry.Line, len(d.text)), draft: entry.draft})
	}
}
