package textcheck

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
)

// Drafts reads each cited address once and checks every sentence that makes a claim against the texts that it cites. The
// error is that of ctx or of the store of cfg.Loop, or a *TooManyError. An unreadable address is not an error.
func Drafts(ctx context.Context, drafts []Draft, cfg Config) (*Result, error) {
	c := collector{loop: cfg.Loop, corpus: cfg.Corpus, linked: map[string]bool{}, names: map[string]string{}, at: map[string]int{}}
	r := &Result{Threshold: cfg.Threshold, FailOn: orEmpty(slices.Clone(cfg.FailOn)), GeneratedAt: cfg.Now().UTC(), Generator: cfg.Generator,
		Files: []FileVerdict{}, Claims: []Claim{}, Uncited: []Sentence{}, Hallucinated: []DeadCitation{}, Conflicts: []Conflict{}, Mistitled: []WrongTitle{}, Suppressed: []Suppressed{}, Suppressions: begin(cfg.Suppress, cfg.Now())}
	for _, d := range drafts {
		p := c.collect(d)
		p.lock = cfg.Locks[d.Name]
		r.drafts = append(r.drafts, p)
	}
	if len(c.sources) > maxAddresses {
		return nil, &TooManyError{len(c.sources), maxAddresses}
	}
	if err := gather(ctx, c.sources, cfg); err != nil {
		return nil, err
	}
	r.Sources = orEmpty(c.sources)
	texts := c.texts()
	v := reviewing{by: cfg.Review, all: cfg.ReadAll, loop: cfg.Loop, source: func(id string) (verify.Source, error) { return texts[id], nil }, read: slices.Sorted(maps.Keys(texts))}
	for _, d := range r.drafts {
		c.settle(d.Claims)
		if err := verify.Check(ctx, d.Claims, texts); err != nil {
			return nil, err
		}
		if err := verify.Misattributed(d.Claims, func() (map[string]verify.Source, error) { return texts, nil }); err != nil {
			return nil, err
		}
		v.texts, v.lock = append(v.texts, pointers(d.Claims)), append(v.lock, d.lock)
	}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	if cfg.Review != nil || v.summary.Known > 0 {
		r.Review = &v.summary
	}
	for i := range r.drafts {
		if d := &r.drafts[i]; d.lock != nil {
			d.lock.keep(d.name, d.Claims, v.looks, texts)
		}
		r.report(i, &c)
		r.drafts[i].plan = planOf(pointers(r.drafts[i].Claims), cfg.ReadAll)
	}
	r.judge()
	return r, nil
}

func pointers(claims []verify.Claim) []*verify.Claim {
	out := make([]*verify.Claim, len(claims))
	for i := range claims {
		out[i] = &claims[i]
	}
	return out
}

// report records what was found in a draft.
func (r *Result) report(n int, c *collector) {
	d := &r.drafts[n]
	for i := range d.Claims {
		r.unread(&d.Claims[i], c)
	}
	var uncovered []verify.Claim
	d.Claims, uncovered = verify.Split(d.Claims)
	d.Uncited = append(d.Uncited, uncovered...)
	slices.SortStableFunc(d.Uncited, func(a, b verify.Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
	for _, u := range d.Uncited {
		r.Uncited = append(r.Uncited, Sentence{Text: u.Text, Place: d.placeOf(u), of: u, draft: n})
	}
	for _, claim := range d.Claims {
		r.Claims = append(r.Claims, r.claim(n, claim, c))
	}
	for _, x := range d.Strays {
		r.Hallucinated = append(r.Hallucinated, DeadCitation{Claim: sanitize.Short(x.Claim, maxDeadClaim), Citation: x.Written(), Why: x.Problem, Place: d.place(x.Start, x.End), draft: n, stray: true})
	}
	for _, x := range verify.Conflicts(d.Claims) {
		r.Conflicts = append(r.Conflicts, Conflict{ValueA: x.ValueA, ValueB: x.ValueB, Because: x.Because, Place: d.placeOf(d.Claims[x.B]), draft: n, claim: d.Claims[x.B].Text})
	}
	for _, entry := range d.listed {
		if i := c.find(entry.cite); i >= 0 && c.sources[i].read() && !entry.SameTitle(c.sources[i].Title) {
			r.Mistitled = append(r.Mistitled, WrongTitle{URL: entry.URL, Listed: entry.Title, Title: c.sources[i].Title, Place: d.line(entry.Line), draft: n})
		}
	}
	slices.SortStableFunc(r.Hallucinated, func(a, b DeadCitation) int {
		return placeOrder(a.draft, a.Place, b.draft, b.Place)
	})
}

// unread is [verify.Claim.WithoutTexts] with the sources of a run.
func (r *Result) unread(claim *verify.Claim, c *collector) {
	claim.WithoutTexts(func(cite verify.Citation) string {
		if at := c.find(cite); at >= 0 && !c.sources[at].read() {
			return cmp.Or(c.sources[at].Reason, c.sources[at].Status)
		}
		return ""
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
