package loops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

const (
	// maxOpposedClaims bounds the claims of one verification that oppose checks.
	maxOpposedClaims = 200
	// opposedSources bounds the sources that each claim is compared with.
	opposedSources = 3
)

// findOpposites adds sources that state the opposite of a grounded claim to the conflicts. It prefers misses over false alarms:
// the other passage must have every word of the claim but the opposed ones.
func (v *Verification) findOpposites(ctx context.Context, kept *keptChecker) error {
	for _, c := range v.Claims[:min(len(v.Claims), maxOpposedClaims)] {
		if c.Status != grounding.Grounded || c.Passage == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		key := c.Key()
		found, ok := kept.results.opposed.get(key)
		if !ok {
			found = &opposed{v.oppositesOf(c, kept.checker)}
			kept.results.opposed.keep(key, found, len(key)+100+300*len(found.conflicts))
		}
		v.Conflicts = append(v.Conflicts, found.conflicts...)
	}
	return nil
}

// oppositesOf returns the conflicts between a grounded claim and sources that it does not cite.
func (v *Verification) oppositesOf(c VerifiedClaim, checker *grounding.Checker) (out []grounding.Conflict) {
	var others []string
	for id := range v.state.sources {
		if !slices.Contains(c.SourceIDs(), id) {
			others = append(others, id)
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	asked := map[string]bool{}
	for _, found := range checker.Find(c.Text, others, opposedSources) {
		if asked[found.SourceID] {
			continue
		}
		asked[found.SourceID] = true
		if x, ok := opposite(c, checker.Check(grounding.Claim{Text: c.Text, Citations: []grounding.Citation{{SourceID: found.SourceID}}})); ok {
			out = append(out, x)
		}
	}
	return out
}

// opposite returns the conflict between a grounded claim and the verdict of another source.
func opposite(c VerifiedClaim, other grounding.Verdict) (grounding.Conflict, bool) {
	if other.Status != grounding.Unsupported || other.Passage == nil || len(other.Differences) != 1 {
		return grounding.Conflict{}, false
	}
	d := other.Differences[0]
	if d.Kind != grounding.DifferentNegation && d.Kind != grounding.DifferentDirection {
		return grounding.Conflict{}, false
	}
	if slices.ContainsFunc(other.Missing, func(w string) bool { return !strings.Contains(strings.ToLower(d.Claim), strings.ToLower(w)) }) {
		return grounding.Conflict{}, false
	}
	return grounding.Conflict{Topic: shorten(c.Text, 120), A: *c.Passage, B: *other.Passage, ValueA: orNone(d.Claim), ValueB: orNone(d.Source),
		Because: fmt.Sprintf("%s and %s contradict each other; resolve it, or record it as a contradiction with the reason why it stays open", c.Passage.SourceID, other.Passage.SourceID)}, true
}

func orNone(words string) string {
	if words == "" {
		return "(without it)"
	}
	return words
}
