package textcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Finding is a problem in a draft.
type Finding struct {
	Kind Kind
	Place
	Text  string // the sentence, or the mark
	Why   string
	Near  []Passage    // the passages that the sentence rests on
	Cited []string     // the cited addresses
	Fails bool         // the draft fails for it
	By    *Suppression // which accepts it; nil for none

	draft int
	claim string // the sentence, for fingerprints
}

// Findings lists the problems by file and place.
func (r *Result) Findings() []Finding {
	var out []Finding
	add := func(draft int, f Finding) {
		f.draft = draft
		f.By = r.accepted(f)
		f.Fails = f.By == nil && fails(f.Kind, r.FailOn)
		out = append(out, f)
	}
	for _, h := range r.Hallucinated {
		add(h.draft, Finding{Kind: Hallucinated, Place: h.Place, Text: h.Citation, Why: h.Why, claim: h.Claim})
	}
	for _, u := range r.Uncited {
		add(u.draft, Finding{Kind: Uncited, Place: u.Place, Text: u.Text, Why: u.why(), claim: u.Text})
	}
	for _, x := range r.Conflicts {
		add(x.draft, Finding{Kind: Noted, Place: x.Place, Text: x.claim, Why: x.Because, claim: x.claim})
	}
	for _, x := range r.Mistitled {
		add(x.draft, Finding{Kind: Mistitled, Place: x.Place, Text: x.Listed, Why: fmt.Sprintf("The page is titled %q.", sanitize.Line(x.Title)), Cited: []string{x.URL}, claim: x.URL})
	}
	reported := map[[2]int]bool{}
	for _, c := range r.Claims {
		for _, f := range findingsOf(c.of) {
			f.Place, f.Near, f.Cited = c.Place, nearest(c.Passages), c.addresses()
			add(c.draft, f)
		}
		for _, cite := range c.Citations {
			key := [2]int{c.draft, cite.source}
			if cite.source < 0 || r.Sources[cite.source].read() || r.Sources[cite.source].missing || reported[key] {
				continue
			}
			reported[key] = true
			add(c.draft, Finding{Kind: NotRead, Place: r.drafts[c.draft].place(cite.of.Start, cite.of.End), Text: cite.URL, Why: cite.Reason, claim: cite.URL})
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return placeOrder(a.draft, a.Place, b.draft, b.Place) })
	return out
}

// nearest returns passages, the one that a finding is about first.
func nearest(passages []Passage) []Passage {
	out := slices.Clone(passages)
	if at := slices.IndexFunc(out, func(p Passage) bool { return p.telling }); at > 0 {
		out[0], out[at] = out[at], out[0]
	}
	return out
}

func fails(kind Kind, failOn []Kind) bool {
	return slices.Contains(failOn, kind) || kind == Contradicted && slices.Contains(failOn, Unsupported)
}

// shown returns the findings for a person: what nobody has read is only counted, unless it makes the draft fail.
func shown(found []Finding) []Finding {
	return slices.DeleteFunc(found, func(f Finding) bool { return f.Kind == Unread && !f.Fails })
}

// findingsOf lists the problems of a checked claim. Dead citations are findings of their own.
func findingsOf(c verify.Claim) []Finding {
	var out []Finding
	add := func(kind Kind, why string) {
		out = append(out, Finding{Kind: kind, Text: c.Text, Why: why, claim: c.Text})
	}
	notes := []string{}
	switch {
	case c.Has(verify.FlagUncited):
		add(Uncited, c.Because)
	case c.Has(verify.FlagQuoteAbsent):
		add(Quote, c.Because)
	case c.Contradicted():
		add(Contradicted, c.Because)
	case c.Read() && c.Status == loopstate.Unsupported:
		add(Unsupported, c.Because)
	case c.Read() && c.Status == loopstate.Inferred:
		notes = append(notes, c.Because)
	case c.Pending():
		add(Unread, c.Because)
	}
	if c.Status != loopstate.Grounded { // a reader who found it supported has looked at these
		for _, r := range c.Remarks {
			notes = append(notes, r.String()+".")
		}
	}
	for _, flag := range c.Flags {
		switch kind, why, _ := strings.Cut(flag, ": "); kind {
		case string(Addressed):
			add(Addressed, why)
		case verify.FlagQuoteFuzzy, verify.FlagQuoteOther, verify.FlagQuoteMisattributed:
			notes = append(notes, "Quotation: "+why+".")
		}
	}
	if len(notes) > 0 {
		add(Noted, strings.Join(notes, " "))
	}
	return out
}

// accepted returns the suppression of a finding, or nil.
func (r *Result) accepted(f Finding) *Suppression {
	if len(r.Suppressions) == 0 {
		return nil
	}
	text, claim := sanitize.Line(f.Text), sanitize.Line(f.claim)
	for _, s := range r.Suppressions {
		if s.State != suppressionExpired && s.Kind == f.Kind && s.Drafts[r.drafts[f.draft].name] && (s.Text == "" || s.names(text) || s.names(claim)) {
			s.State = suppressionUsed
			return s
		}
	}
	return nil
}

// judge computes the counts and verdicts.
func (r *Result) judge() {
	read, supported := 0, 0
	checked := false // a text had something to check; one without claims says nothing about the others
	r.Verdict = outcome.Pass
	found := r.Findings()
	for i, d := range r.drafts {
		f := FileVerdict{File: d.name, Findings: map[Kind]int{}}
		for _, x := range found {
			switch {
			case x.draft != i:
			case x.By != nil:
				f.Suppressed++
				r.Suppressed = append(r.Suppressed, Suppressed{x.Kind, x.Text, x.Why, x.Place, x.By})
			default:
				f.Findings[x.Kind]++
			}
		}
		cited := map[int]bool{}
		read, supported = read+d.Tally.Read(), supported+d.Tally.Supported
		for _, c := range r.Claims {
			if c.draft != i {
				continue
			}
			for _, cite := range c.Citations {
				if cite.source >= 0 && !r.Sources[cite.source].missing && !cited[cite.source] {
					cited[cite.source] = true
					f.Cited++
					if cite.Status == statusRead {
						f.SourcesRead++
						if src := r.Sources[cite.source]; src.From != fromLoop || src.record.AtCheck {
							f.atCheck++
						}
					}
				}
			}
		}
		f.Counts, f.Groundedness = countsOf(d.Tally), sixDigits(d.Groundedness)
		f.ToRead = len(d.Pending)
		if f.Verdict = verdictOf(d.Tally, len(d.Pending)+d.Tally.NotChecked, f.Findings, r.FailOn, r.Threshold); f.Verdict == outcome.Pass && f.SourcesRead < f.Cited {
			f.Verdict = outcome.Undecided
		}
		r.Files = append(r.Files, f)
		if d.Tally.Total() > 0 || f.Verdict == outcome.Fail {
			r.Verdict, checked = outcome.Worse(r.Verdict, f.Verdict), true
		}
	}
	if !checked {
		r.Verdict = outcome.Undecided
	}
	r.Groundedness = sixDigits(verify.Tally{Supported: supported, NotStated: read - supported}.Groundedness())
}

// verdictOf fails for a finding of failOn, or if too few of the claims that were read are supported. It is undecided while
// claims that are to be read are not, and without claims.
func verdictOf(t verify.Tally, toRead int, found map[Kind]int, failOn []Kind, threshold float64) string {
	for _, kind := range failOn {
		if found[kind] > 0 || kind == Unsupported && found[Contradicted] > 0 {
			return outcome.Fail
		}
	}
	t.NotStated, t.Contradicted = t.NotStated+t.Contradicted, 0 // what the caller does not fail on
	t.BadQuotes, t.Dead, t.Uncited = 0, 0, 0
	if t.Total() == 0 {
		return outcome.Undecided
	}
	switch t.Verdict(threshold, toRead, 0) {
	case verify.Pass:
		return outcome.Pass
	case verify.Fail:
		return outcome.Fail
	}
	return outcome.Undecided
}
