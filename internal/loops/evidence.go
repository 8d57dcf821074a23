package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Evidence checks one recorded claim again and returns it with its passages, its reading and the remarks. It records nothing.
func (s *Service) Evidence(ctx context.Context, loop, id string) (verify.Claim, error) {
	recorded, err := s.RecordedClaims(ctx, loop, []string{id})
	if err != nil {
		return verify.Claim{}, err
	}
	if len(recorded) == 0 {
		return verify.Claim{}, &loopstate.Error{Code: loopstate.CodeUnknownClaim, Subject: "claim", Value: id}
	}
	v, err := s.examine(ctx, VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(recorded[0].Claim, recorded[0].References()...)}})
	if err != nil {
		return verify.Claim{}, err
	}
	v.Claims[0].ID = id
	return v.Claims[0], nil
}
