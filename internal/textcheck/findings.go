package textcheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Finding is a problem in a draft.
type Finding struct {
	Kind Kind
	Place
	Text        string // the sentence, or the mark
	Why         string
	Near        *Passage // the nearest passage of the texts that were read
	Sources     []string // the cited addresses
	Fails       bool     // the draft fails for it
	Differences []citing.Difference
	claim       string // the sentence, for fingerprints
}

// Findings lists the problems by file and place.
func (r *Result) Findings() []Finding {
	var out []Finding
	add := func(f Finding) {
		f.Fails = slices.Contains(r.FailOn, f.Kind) || f.Kind == Contradicted && slices.Contains(r.FailOn, Unsupported)
		out = append(out, f)
	}
	for _, h := range r.Hallucinated {
		add(Finding{Kind: Hallucinated, Place: h.Place, Text: h.Citation, Why: h.Why, claim: h.Claim})
	}
	for _, u := range r.Uncited {
		add(Finding{Kind: Uncited, Place: u.Place, Text: u.Text, Why: u.why(), claim: u.Text})
	}
	for _, x := range r.Conflicts {
		add(Finding{Kind: Conflict, Place: x.Place, Text: x.ValueA + " or " + x.ValueB, Why: x.Because, Sources: []string{x.A.URL, x.B.URL}, claim: x.Topic})
	}
	for _, x := range r.Mistitled {
		add(Finding{Kind: Mistitled, Place: x.Place, Text: x.Listed, Why: fmt.Sprintf("The page is titled %q.", sanitize.Line(x.Title)), Sources: []string{x.URL}, claim: x.URL})
	}
	reported := map[[2]int]bool{}
	for _, c := range r.Claims {
		switch {
		case c.Status == grounding.Unsupported && !c.dead: // dead citations are separate findings
			f := Finding{Kind: Unsupported, Place: c.Place, Text: c.Claim, Why: c.why(), Near: c.Passage, Sources: c.addresses(), claim: c.Claim}
			if f.Differences = c.Differences; c.contradicted() {
				f.Kind = Contradicted
			}
			add(f)
		case c.Status == grounding.Inferred:
			add(Finding{Kind: Inferred, Place: c.Place, Text: c.Claim, Why: c.why(), Near: c.Passage, Sources: c.addresses(), claim: c.Claim})
		}
		for _, flag := range c.Flags {
			if kind, why, _ := strings.Cut(flag, ": "); kind == string(Addressed) {
				add(Finding{Kind: Addressed, Place: c.Place, Text: c.Claim, Why: why, Near: c.Passage, Sources: c.addresses(), claim: c.Claim})
			}
		}
		for _, cite := range c.Citations {
			key := [2]int{c.draft, cite.source}
			if cite.source < 0 || cite.Status == statusRead || cite.Status == statusNotFound || reported[key] {
				continue
			}
			reported[key] = true
			d := r.drafts[c.draft]
			add(Finding{Kind: NotRead, Place: d.places.place(d.name, cite.start, cite.end), Text: cite.URL, Why: r.unread(c.draft, cite), claim: cite.URL})
		}
	}
	order := map[string]int{}
	for i, d := range r.drafts {
		if _, ok := order[d.name]; !ok {
			order[d.name] = i
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return out
}

func (s Sentence) why() string {
	if s.covered {
		return "It makes a claim and cites nothing, and the sources cited later in its paragraph do not ground it."
	}
	if s.linksRelatively() {
		return "It makes a claim and cites nothing: a relative link is no citation; write file:// and the absolute path, or a web address."
	}
	return "It makes a claim and cites nothing."
}

// linksRelatively reports whether a sentence has a Markdown link to a file beside it.
func (s Sentence) linksRelatively() bool {
	for _, after := range strings.Split(s.Text, "](")[1:] {
		target, _, ok := strings.Cut(after, ")")
		if ok && target != "" && !strings.HasPrefix(target, "#") && !strings.Contains(target, ":") {
			return true
		}
	}
	return false
}

// why returns the checker's reason, and a better source if there is one.
func (c Claim) why() string {
	if c.BetterSource != "" {
		return c.Because + " " + c.BetterSource + " says it."
	}
	return c.Because
}

// reason is Why with the differences that it does not name.
func (f Finding) reason() string {
	says := sanitize.Line(f.Why)
	for _, d := range f.Differences {
		if named := sanitize.Line(d.String()); !strings.Contains(says, named) {
			says += " " + named + "."
		}
	}
	return says
}

// addresses lists the cited addresses, each once.
func (c Claim) addresses() []string {
	var out []string
	for _, cite := range c.Citations {
		if cite.URL != "" && !slices.Contains(out, cite.URL) {
			out = append(out, cite.URL)
		}
	}
	return out
}

// unread returns why a source was not read and how many sentences need it.
func (r *Result) unread(draft int, cite Citation) string {
	waiting := 0
	for _, c := range r.Claims {
		if c.draft == draft && c.Status == NotChecked && slices.ContainsFunc(c.Citations, func(o Citation) bool { return o.source == cite.source }) {
			waiting++
		}
	}
	switch waiting {
	case 0:
		return cite.Reason
	case 1:
		return cite.Reason + "; one sentence depends on it"
	}
	return fmt.Sprintf("%s; %d sentences depend on it", cite.Reason, waiting)
}
