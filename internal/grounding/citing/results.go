package citing

import (
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
)

// Results keeps results of a checker by [Claim.Key]. It is safe for concurrent use.
type Results interface {
	Get(key string) (Result, bool)
	Keep(key string, r Result)
}

// Result is what a checker found about a claim.
type Result struct {
	asked     []grounding.Citation // with the quotes that were assigned to sources
	verdict   grounding.Verdict
	Conflicts []grounding.Conflict
}

// Key identifies all parts of the claim on which its result depends.
func (c Claim) Key() string { return fmt.Sprintf("%q %q %q %q", c.Text, c.Asked, c.Quotes, c.Given) }

// compare sets the verdict of the claim and returns its conflicts.
func (c *Claim) compare(checker *grounding.Checker, earlier Results) []grounding.Conflict {
	if earlier == nil {
		return checker.Conflicts(c.Check(checker))
	}
	key := c.Key()
	r, ok := earlier.Get(key)
	if !ok {
		conflicts := checker.Conflicts(c.Check(checker))
		earlier.Keep(key, Result{c.Asked, c.Verdict, conflicts}.clone())
		return conflicts
	}
	if len(r.asked) > 0 {
		c.Quotes = nil
	}
	r = r.clone()
	c.Asked, c.Verdict = r.asked, r.verdict
	return r.Conflicts
}

// clone returns a copy that shares nothing that callers change.
func (r Result) clone() Result {
	v := &r.verdict
	r.asked, r.Conflicts = slices.Clone(r.asked), slices.Clone(r.Conflicts)
	v.Differences, v.Passages, v.Missing, v.Flags = slices.Clone(v.Differences), slices.Clone(v.Passages), slices.Clone(v.Missing), slices.Clone(v.Flags)
	if v.Passage != nil {
		passage := *v.Passage
		v.Passage = &passage
	}
	return r
}

// Size estimates the memory of a result in bytes. The texts of passages are parts of the checker's texts.
func (r Result) Size() int {
	size := 1 << 10
	for _, words := range slices.Concat(r.verdict.Flags, r.verdict.Missing) {
		size += len(words)
	}
	return size + 100*(len(r.verdict.Differences)+len(r.verdict.Passages)) + 300*len(r.Conflicts)
}
