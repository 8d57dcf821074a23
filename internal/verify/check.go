package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

// check fills in the verdicts: what became of each citation, and what the texts that were read say to each claim.
func (r *Result) check(ctx context.Context, quotes [][]string) error {
	texts := make([]grounding.Source, 0, len(r.Sources))
	for _, src := range r.Sources {
		if src.read() {
			texts = append(texts, src.forChecks())
		}
	}
	checker := grounding.NewChecker(texts)
	conflicts := make([][]grounding.Conflict, len(r.Claims))
	if err := inParallel(ctx, len(r.Claims), func(i int) error {
		asked := r.follow(&r.Claims[i], quotes[i])
		r.Claims[i].judge(checker, asked, r.Sources)
		conflicts[i] = checker.Conflicts([]grounding.Claim{asked})
		return nil
	}); err != nil {
		return err
	}
	r.disagree(conflicts)
	r.uncover()
	for i := range r.Claims {
		r.deadLinks(&r.Claims[i])
	}
	return nil
}

// uncover settles the sentences that have no mark of their own: those that the source of their paragraph grounds
// are cited by it, the others are not cited.
func (r *Result) uncover() {
	kept := r.Claims[:0]
	for _, c := range r.Claims {
		if c.covered && c.Status != grounding.Grounded {
			r.Uncited = append(r.Uncited, Sentence{Text: c.Claim, Place: c.Place, draft: c.draft, start: c.start, end: c.end, covered: true})
			continue
		}
		if c.covered {
			c.Flags = append(c.Flags, flagCovered+": the mark stands behind a later sentence of the paragraph")
		}
		kept = append(kept, c)
	}
	r.Claims = kept
	slices.SortStableFunc(r.Uncited, func(a, b Sentence) int { return cmp.Or(cmp.Compare(a.draft, b.draft), cmp.Compare(a.start, b.start)) })
}

// flagCovered marks a sentence that is cited by its paragraph only.
const flagCovered = "cited_by_paragraph"

func (s Source) forChecks() grounding.Source {
	return grounding.Source{ID: s.ID, URL: s.URL, Title: s.Title, SourceType: s.SourceType, Text: s.text}
}

// follow notes what came of each citation and returns the claim with those that can be checked.
func (r *Result) follow(c *Claim, quotes []string) grounding.Claim {
	asked := grounding.Claim{Text: c.Claim}
	seen := map[int]bool{}
	var read []Source
	for j := range c.Citations {
		cite := &c.Citations[j]
		if cite.source < 0 {
			continue
		}
		src := r.Sources[cite.source]
		cite.Status, cite.Reason = src.Status, src.Reason
		if src.Status != statusNotFound {
			c.dead = false
		}
		if src.read() && !seen[cite.source] {
			seen[cite.source] = true
			read = append(read, src)
			asked.Citations = append(asked.Citations, grounding.Citation{SourceID: src.ID})
		}
	}
	for _, q := range quotes {
		asked.Citations = quoteFrom(asked.Citations, read, q)
	}
	return asked
}

// quoteFrom gives a quote to the citation whose text has it. A sentence does not say which of its sources it
// quotes; where none has the words, the first one is asked and lacks them.
func quoteFrom(citations []grounding.Citation, texts []Source, quote string) []grounding.Citation {
	if len(citations) == 0 {
		return citations
	}
	from := 0
	if len(texts) > 1 {
		for i, src := range texts {
			if grade, _ := grounding.GradeQuote(quote, src.text); grade != grounding.QuoteAbsent {
				from = i
				break
			}
		}
	}
	if citations[from].Quote == "" {
		citations[from].Quote = quote
		return citations
	}
	return append(citations, grounding.Citation{SourceID: texts[from].ID, Quote: quote})
}

// judge takes the checker's verdict over. It does not stand while a cited text is unread that might say what
// the others do not.
func (c *Claim) judge(checker *grounding.Checker, asked grounding.Claim, sources []Source) {
	var unread []string
	named := map[string]bool{}
	for _, cite := range c.Citations {
		if cite.source >= 0 && cite.Status != statusRead && cite.Status != statusNotFound && !named[cite.URL] {
			named[cite.URL] = true
			unread = append(unread, cite.URL)
		}
	}
	if len(asked.Citations) == 0 {
		if len(unread) > 0 {
			c.Status = NotChecked
			c.Because = "Nothing that is cited could be read: " + c.firstReason() + "."
			return
		}
		c.Status, c.Confidence = grounding.Unsupported, 1
		c.Flags = []string{grounding.FlagUnknownSource}
		c.Because = "Its citations lead to nothing: " + c.firstReason() + "."
		return
	}
	v := checker.Check(asked)
	c.Status, c.Support, c.Confidence, c.Because = v.Status, sixDigits(v.Support), sixDigits(v.Confidence), v.Because
	c.QuoteGrade, c.Missing, c.Flags, c.IndependentOrigins, c.BetterSource = v.QuoteGrade, v.Missing, v.Flags, v.IndependentOrigins, v.BetterSource
	c.Flags = append(c.Flags, addressing(v, func(id string) string {
		for _, src := range sources {
			if src.ID == id {
				return src.text
			}
		}
		return ""
	})...)
	if v.Passage != nil {
		p := passageOf(*v.Passage, sources)
		c.Passage = &p
	}
	if v.Status != grounding.Grounded && len(unread) > 0 {
		c.Status = NotChecked
		c.Because = fmt.Sprintf("%s could not be read, and what was read does not ground it. %s", strings.Join(unread, ", "), v.Because)
	}
}

// firstReason is why the first citation that failed did.
func (c *Claim) firstReason() string {
	for _, cite := range c.Citations {
		if cite.Status != statusRead && cite.Reason != "" {
			return cite.Reason
		}
	}
	return "no reason is known"
}

// sixDigits rounds, so that a sum that a machine rounds differently is written the same.
func sixDigits(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func passageOf(e grounding.Evidence, sources []Source) Passage {
	p := Passage{SourceID: e.SourceID, Start: e.Start, End: e.End, Text: e.Text}
	for _, src := range sources {
		if src.ID == e.SourceID {
			p.URL, p.Page = src.URL, src.pages.At(e.Start)
		}
	}
	return p
}

// disagree lists the conflicts, each once, at the first claim that speaks of it.
func (r *Result) disagree(found [][]grounding.Conflict) {
	seen := map[string]bool{}
	for i, list := range found {
		for _, x := range list {
			key := fmt.Sprint(x.A.SourceID, x.A.Start, x.ValueA, x.B.SourceID, x.B.Start, x.ValueB)
			if seen[key] {
				continue
			}
			seen[key] = true
			c := r.Claims[i]
			r.Conflicts = append(r.Conflicts, Disagreement{Topic: x.Topic, A: passageOf(x.A, r.Sources), B: passageOf(x.B, r.Sources),
				ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because, Place: c.Place, draft: c.draft})
		}
	}
}

// deadLinks lists the citations of addresses at which there is no page.
func (r *Result) deadLinks(c *Claim) {
	d := r.drafts[c.draft]
	for _, cite := range c.Citations {
		if cite.source >= 0 && cite.Status == statusNotFound && !c.covered {
			r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: c.Claim, Citation: cite.Marker, Why: cite.URL + ": " + cite.Reason,
				Place: d.places.place(d.name, cite.start, cite.end), draft: c.draft})
		}
	}
}

// mistitled compares what the lists of references call the sources that were read with their titles.
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
