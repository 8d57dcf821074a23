package loops

import (
	"context"
	"slices"

	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/loopstate"
)

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
		for _, c := range verdict.Recorded(st) {
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
