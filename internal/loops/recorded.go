package loops

import (
	"context"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/loopstate"
)

// recordedClaims returns the claims that the host has not retracted.
func recordedClaims(st *loopstate.State) []loopstate.Claim {
	return slices.DeleteFunc(slices.Clone(st.Claims), func(c loopstate.Claim) bool { return c.Retracted > 0 })
}

// RecordedClaims returns the claims with these ids, in their order, without unknown and retracted ones. Without ids, it
// returns the claims of the loop's next report.
func (s *Service) RecordedClaims(ctx context.Context, loop string, ids []string) ([]loopstate.Claim, error) {
	var claims []loopstate.Claim
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		if len(ids) == 0 {
			claims = slices.Clone(st.CurrentClaims())
			return nil
		}
		byID := make(map[string]loopstate.Claim, len(st.Claims))
		for _, c := range recordedClaims(st) {
			byID[c.ID] = c
		}
		for _, id := range ids {
			if c, ok := byID[id]; ok {
				claims = append(claims, c)
			}
		}
		return nil
	})
	return claims, err
}

// corrected returns the ids of unsupported recorded claims that a supported checked claim replaces: one with the same words
// except numbers and names, and with a common source.
func (v *Verification) corrected() []string {
	if v.draft || len(v.state.unsupported) == 0 {
		return nil
	}
	var a passages.Analyzer
	var ids []string
	for _, c := range v.state.unsupported {
		said := grounding.NewWording(c.Claim, &a)
		if slices.ContainsFunc(v.Claims, func(now VerifiedClaim) bool {
			return now.Status != grounding.Unsupported && sharesSource(c, now) && said.Kept(grounding.NewWording(now.Text, &a)) >= keptShare
		}) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func sharesSource(c loopstate.Claim, now VerifiedClaim) bool {
	return slices.ContainsFunc(now.SourceIDs(), func(id string) bool { return slices.Contains(c.SourceIDs, id) })
}
