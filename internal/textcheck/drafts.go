package textcheck

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Drafts reads each cited address once and checks every sentence that makes a claim against the texts that it cites. The
// error is that of ctx or of the store of cfg.Loop, an *AnswersError or a *TooManyError. An unreadable address is not an error.
func Drafts(ctx context.Context, drafts []Draft, cfg Config) (*Result, error) {
	c := collector{corpus: cfg.Corpus, state: newLoop(), linked: map[string]bool{}, names: map[string]string{}, at: map[string]int{}}
	if cfg.Loop != nil {
		c.state = cfg.Loop.state
	}
	r := &Result{
		Overall: Overall{Threshold: cfg.Threshold, FailOn: orEmpty(slices.Clone(cfg.FailOn)), Files: []FileVerdict{},
			Suppressions: begin(cfg.Suppress, cfg.Now()), GeneratedAt: cfg.Now().UTC().Truncate(time.Second), Generator: cfg.Generator},
		Claims: []Claim{}, Uncited: []Sentence{}, Hallucinated: []DeadCitation{}, Conflicts: []Conflict{}, Mistitled: []WrongTitle{}, Suppressed: []Suppressed{},
	}
	for _, d := range drafts {
		p, err := c.collect(d, cfg)
		if err != nil {
			return nil, err
		}
		r.drafts = append(r.drafts, p)
	}
	if len(c.sources) > maxAddresses {
		return nil, &TooManyError{len(c.sources), maxAddresses}
	}
	if err := gather(ctx, c.sources, cfg); err != nil {
		return nil, err
	}
	r.Sources = orEmpty(c.sources)
	v := reviewing{by: cfg.Review, loop: c.state, sources: c.texts()}
	for i := range r.drafts {
		d := &r.drafts[i]
		d.Settle(c.lookup, maxAddresses)
		d.Sources = v.sources
		if err := d.Check(ctx, func() (map[string]verify.Source, error) { return v.sources, nil }); err != nil {
			return nil, err
		}
		v.texts = append(v.texts, d.Candidates())
	}
	v.begin()
	known := make([]map[string]float64, len(r.drafts))
	for i, d := range r.drafts {
		known[i] = v.recall(d.lock, d.name, i)
	}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	if cfg.Review != nil || v.summary.Known > 0 {
		r.Review = &v.summary
	}
	for i := range r.drafts {
		d := &r.drafts[i]
		d.Recall(v.loop)
		d.Decide()
		for j := range d.Claims {
			claim := &d.Claims[j]
			claim.Confidence = sixDigits(cmp.Or(claim.Confidence, known[i][claim.Key]))
		}
		d.lock.keep(d.name, d.cited())
		r.report(i, &c)
	}
	r.judge()
	return r, nil
}

// cited returns the sentences with a citation, with those of which a reader said that it does not cover them.
func (d *parsed) cited() []verify.Claim {
	all := slices.Concat(d.Claims, slices.DeleteFunc(slices.Clone(d.Uncited), func(c verify.Claim) bool { return !c.Uncovered() }))
	slices.SortStableFunc(all, func(a, b verify.Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
	return all
}

// report records what was found in a draft.
func (r *Result) report(n int, c *collector) {
	d := &r.drafts[n]
	for _, u := range d.Uncited {
		r.Uncited = append(r.Uncited, Sentence{Text: u.Text, Place: d.placeOf(u), of: u, draft: n})
	}
	for _, claim := range d.Claims {
		r.Claims = append(r.Claims, r.claim(n, claim, c))
	}
	for _, x := range d.Strays {
		r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: sanitize.Short(x.Claim, maxDeadClaim), Citation: x.Written(), Why: x.Problem, Place: d.place(x.Start, x.End), draft: n})
	}
	for _, x := range verify.Conflicts(d.Claims) {
		r.Conflicts = append(r.Conflicts, Conflict{ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because, Place: d.placeOf(d.Claims[x.Claim]), draft: n, claim: d.Claims[x.Claim].Text})
	}
	for _, x := range verify.WrongTitles(d.References, func(address string) (loopstate.Source, bool) { return c.listed(d, address) }) {
		r.Mistitled = append(r.Mistitled, WrongTitle{URL: x.URL, Listed: x.Title, Title: x.Source.Title, Place: d.line(x.Line), draft: n})
	}
	slices.SortStableFunc(r.Hallucinated, func(a, b DeadCitation) int {
		return placeOrder(a.draft, a.Place, b.draft, b.Place)
	})
}

// maxDeadClaim is how much of its sentence a dead citation has, in code points: one sentence can have thousands of them.
const maxDeadClaim = 300

func (r *Result) claim(n int, claim verify.Claim, c *collector) Claim {
	d := r.drafts[n]
	out := Claim{Claim: claim.Text, Place: d.placeOf(claim), Outcome: outcomeOf(claim, r.Sources), of: claim, draft: n}
	for _, from := range claim.Citations {
		cite := Citation{Marker: from.Raw, URL: from.URL, Lines: from.Lines.String(), Status: statusUnresolved, Reason: from.Problem, of: from, source: c.find(from)}
		if cite.source >= 0 {
			cite.Status, cite.Reason = c.sources[cite.source].Status, cmp.Or(from.Problem, c.sources[cite.source].Reason)
		}
		if from.Problem != "" && !claim.Covered {
			r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: sanitize.Short(claim.Text, maxDeadClaim), Citation: from.Written(), Why: from.Problem, Place: d.place(from.Start, from.End), draft: n})
		}
		out.Citations = append(out.Citations, cite)
	}
	return out
}
