package loops

import (
	"context"
	"slices"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Verify checks claims, or the sentences of a draft, against the loop's texts, and records the result. If a reader is
// configured, a model reads the pending claims, and the result includes its answers.
//
// Cited addresses that nobody stored are read first, at most [Config.MaxCited] of them. A draft without a loop gets one of its own,
// unless in.Scratch is set.
func (s *Service) Verify(ctx context.Context, in VerifyInput) (verify.Result, error) {
	if in.Judge == JudgeModel && s.ClaimReader == nil {
		return verify.Result{}, &loopstate.Error{Code: loopstate.CodeNoJudge, Subject: "judge"}
	}
	if in.Scratch && in.Angle != "" {
		return verify.Result{}, &loopstate.Error{Code: loopstate.CodeConflict, Subject: "scratch", Value: "angle"}
	}
	in.Draft = docid.WithoutCredentials(in.Draft)
	if in.Loop == "" && in.Draft != "" && !in.Scratch {
		if err := in.check(); err != nil {
			return verify.Result{}, err
		}
		if err := s.checkLoop(ctx, &in); err != nil {
			return verify.Result{}, err
		}
	}
	in.reads = true
	v, err := s.examine(ctx, &in)
	if err != nil || in.Scratch {
		return v, err
	}
	if err := s.recordVerification(ctx, in, &v); err != nil || in.Judge == JudgeNone || s.ClaimReader == nil || v.Review.Pending == 0 {
		return v, err
	}
	counted, flags, err := s.readByEndpoint(ctx, in.Loop, in.Judge == JudgeModel)
	if err != nil {
		return v, err
	}
	if counted {
		in.Operation = "" // used above
		if v, err = s.examine(ctx, &in); err == nil {
			err = s.recordVerification(ctx, in, &v)
		}
	} else {
		v.Review, err = peek(ctx, s, in.Loop, verify.Needed)
	}
	v.Flags = append(v.Flags, flags...)
	return v, err
}

// recordVerification records a verification.
func (s *Service) recordVerification(ctx context.Context, in VerifyInput, v *verify.Result) error {
	hash := ""
	if v.OfDraft {
		hash = loopstate.HashText([]byte(in.Draft)).String()
	}
	request := asked([]any{in.Draft, in.Claims, in.Angle, in.Queries})
	return change(ctx, s, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.Verify(loopstate.Verified{Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold,
			Hallucinated: v.Hallucinated,
			Dead:         v.Dead, Uncited: len(v.Uncited), Draft: v.OfDraft, DraftText: hash, Candidates: v.Candidates(), Angle: in.Angle,
			Queries: in.Queries, Readings: v.Reused, Asked: request}, v.Checks(), in.Draft)
		if err != nil {
			return nil, err
		}
		if !v.OfDraft {
			return p, nil
		}
		return withTexts{Payload: p, texts: [][]byte{[]byte(in.Draft)}}, nil
	}, func(st *loopstate.State, p *loopstate.Verified, e loopstate.Event) error {
		if err := sameCall(p.Asked, request); err != nil {
			return err
		}
		v.Cycle, v.GeneratedAt = p.Cycle, e.At
		next := 0
		for i := range v.Claims {
			if !v.OfDraft && len(v.Claims[i].SourceIDs()) > 0 && next < len(p.Checks) { // a repeated call may have other claims
				v.Claims[i].ID = p.Checks[next].ClaimID
				next++
			}
		}
		v.CoverageGaps = verify.CoverageGaps(st)
		v.Review = verify.Needed(st)
		return nil
	})
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
		for _, c := range verify.Recorded(st) {
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
