package textcheck

import (
	"cmp"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
)

// computeVerdicts computes the counts and verdicts. A draft fails for a finding of FailOn, or if too few of its sentences are grounded
// or wait for review. Otherwise an unread source makes the verdict cannot say.
func (r *Result) computeVerdicts() {
	slices.SortStableFunc(r.Hallucinated, func(a, b DeadCitation) int {
		return cmp.Or(cmp.Compare(a.draft, b.draft), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var whole FileVerdict
	worst := Pass
	for i, d := range r.drafts {
		f := r.countFindings(i, d.name)
		failed := false
		for _, kind := range r.FailOn {
			failed = failed || f.of(kind) > 0
		}
		f.Groundedness = share(f.Grounded, f.checked())
		switch {
		case failed, f.checked() > 0 && share(f.Grounded+f.Inferred, f.checked()) < r.Threshold: // waiting for review is not a failure
			f.Verdict = Fail
		case f.Read < f.Cited:
			f.Verdict = CannotSay
		default:
			f.Verdict = Pass
		}
		r.Files = append(r.Files, f)
		worst = worse(worst, f.Verdict)
		whole.Grounded += f.Grounded
		whole.Inferred += f.Inferred
		whole.Unsupported += f.Unsupported
		whole.Uncited += f.Uncited
	}
	r.Verdict, r.Groundedness = worst, share(whole.Grounded, whole.checked())
}

func (r *Result) countFindings(draft int, name string) FileVerdict {
	f := FileVerdict{File: name}
	cited := map[int]bool{}
	for _, c := range r.Claims {
		if c.draft != draft {
			continue
		}
		switch c.Status {
		case grounding.Grounded:
			f.Grounded++
			if c.Basis == string(grounding.BasisReview) {
				f.ByReview++
			}
		case grounding.Inferred:
			f.Inferred++
		case grounding.Unsupported:
			f.Unsupported++
			if c.contradicted() {
				f.Contradicted++
			}
		default:
			f.NotChecked++
		}
		for _, cite := range c.Citations {
			if cite.source >= 0 && cite.Status != statusNotFound && !cited[cite.source] {
				cited[cite.source] = true
				f.Cited++
				if cite.Status == statusRead {
					f.Read++
				}
			}
		}
	}
	f.Uncited = count(r.Uncited, func(u Sentence) bool { return u.draft == draft })
	f.Hallucinated = count(r.Hallucinated, func(h DeadCitation) bool { return h.draft == draft })
	f.Conflicts = count(r.Conflicts, func(x Disagreement) bool { return x.draft == draft })
	f.Mistitled = count(r.Mistitled, func(x WrongTitle) bool { return x.draft == draft })
	return f
}

func count[T any](list []T, counts func(T) bool) int {
	n := 0
	for _, x := range list {
		if counts(x) {
			n++
		}
	}
	return n
}

// of returns the count of a kind.
func (f FileVerdict) of(kind Kind) int {
	return map[Kind]int{Hallucinated: f.Hallucinated, Unsupported: f.Unsupported, Contradicted: f.Contradicted, Uncited: f.Uncited, Conflict: f.Conflicts,
		Mistitled: f.Mistitled, Inferred: f.Inferred, NotRead: f.Cited - f.Read}[kind]
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return sixDigits(float64(part) / float64(whole))
}

// worse returns the worse of two verdicts.
func worse(a, b string) string {
	rank := map[string]int{Pass: 0, CannotSay: 1, Fail: 2}
	if rank[b] > rank[a] {
		return b
	}
	return a
}
