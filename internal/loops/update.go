package loops

import (
	"context"
	"slices"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Added counts the new items of a call.
type Added struct {
	Evidence       int `json:"evidence,omitempty"`
	VisitedURLs    int `json:"visited_urls,omitempty"`
	BadURLs        int `json:"bad_urls,omitempty"`
	AnsweredGaps   int `json:"answered_gaps,omitempty"`
	Claims         int `json:"claims,omitempty"`
	Retracted      int `json:"retracted_claims,omitempty"`
	Contradictions int `json:"contradictions,omitempty"`
	Failures       int `json:"evaluator_failures,omitempty"`
}

// Updated is the result of Update.
type Updated struct {
	Version    int64                `json:"version"`
	Added      Added                `json:"added,omitzero"`
	ClaimIDs   []string             `json:"claim_ids"`
	Duplicates []string             `json:"duplicates,omitempty"`
	Rejected   []loopstate.Rejected `json:"rejected,omitempty"`
	Remaining  loopstate.Remaining  `json:"budget_remaining"`
	Decision   wording.Decision     `json:"decision"`
}

// Update records a host's report. operation identifies a repeated call, which gets the same result, and may be empty.
func (s *Service) Update(ctx context.Context, loop, operation string, in loopstate.UpdateInput) (Updated, error) {
	var out Updated
	var taken loopstate.Updated
	request := asked(in)
	var places []string
	for _, c := range in.Claims {
		places = append(places, c.SourceIDs...)
	}
	if err := s.checkPlaces(ctx, loop, places); err != nil {
		return out, err
	}
	err := change(ctx, s, loop, operation, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.Update(in)
		if err != nil {
			return nil, err
		}
		taken = p
		if p.Empty() {
			return nil, nil
		}
		p.Asked = request
		return p, nil
	}, func(st *loopstate.State, p *loopstate.Updated, _ loopstate.Event) error {
		if p != nil {
			if err := sameCall(p.Asked, request); err != nil {
				return err
			}
			taken = *p
		}
		out = Updated{
			Version: st.Seq, ClaimIDs: []string{},
			Added: Added{Evidence: len(taken.Evidence), VisitedURLs: len(taken.Visited), BadURLs: len(taken.Bad),
				AnsweredGaps: len(taken.Answered),
				Claims:       len(taken.Claims), Retracted: len(taken.Retracted), Contradictions: len(taken.Contradictions),
				Failures: len(taken.Failures)},
			Duplicates: slices.Concat(taken.Duplicates, taken.KnownClaims), Rejected: taken.Rejected,
			Remaining: st.Remaining(), Decision: wording.DecisionOf(st),
		}
		for _, c := range taken.Claims {
			out.ClaimIDs = append(out.ClaimIDs, c.ID)
		}
		return nil
	})
	return out, err
}
