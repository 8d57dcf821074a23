package loops

import (
	"cmp"
	"context"
	"math"

	"github.com/citeloop/citeloop/loopstate"
)

// Gap is a gap with a summary of its searches: "searched 4 channels 7 times: 5 empty, 2 blocked".
type Gap struct {
	loopstate.Gap
	Tried string `json:"tried"`
}

// Gaps is the result of ListGaps, the gap to pursue first.
type Gaps struct {
	Gaps      []Gap
	Total     int
	Target    string // query of the gap to pursue
	TargetGap string // its id
}

// ListGaps returns the gaps with a status ("" for open, "all" for any), at most limit (0 for all).
func (s *Service) ListGaps(ctx context.Context, loop, status string, limit int) (Gaps, error) {
	if err := loopstate.CheckOneOf("status", status, []string{loopstate.GapOpen, loopstate.GapAnswered, loopstate.GapUnanswerable,
		"all"}); err != nil {
		return Gaps{}, err
	}
	if err := loopstate.CheckRange("limit", float64(limit), 0, math.MaxInt32); err != nil {
		return Gaps{}, err
	}
	status = cmp.Or(status, loopstate.GapOpen)
	var out Gaps
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		gaps := st.GapsWith(status)
		out.Total = len(gaps)
		if limit > 0 && len(gaps) > limit {
			gaps = gaps[:limit]
		}
		tried := st.Tried()
		out.Gaps = make([]Gap, len(gaps))
		for i, g := range gaps {
			out.Gaps[i] = Gap{Gap: g, Tried: tried[g.ID].String()}
		}
		d := loopstate.Decide(st)
		out.Target, out.TargetGap = d.Target, d.TargetGap
		return nil
	})
	return out, err
}

// GapAdded is the result of AddGap.
type GapAdded struct {
	GapID       string
	DuplicateOf string // the same gap, if the loop already had it
	Open        []loopstate.Gap
}

// AddGap adds a gap, or finds the one that the loop already has. operation identifies a repeated call and may be empty.
func (s *Service) AddGap(ctx context.Context, loop, operation string, in loopstate.GapInput) (GapAdded, error) {
	var out GapAdded
	err := change(ctx, s, loop, operation, func(st *loopstate.State) (loopstate.Payload, error) {
		p, duplicateOf, err := st.AddGap(in)
		if err != nil {
			return nil, err
		}
		if out.GapID, out.DuplicateOf = duplicateOf, duplicateOf; duplicateOf != "" {
			return nil, nil
		}
		p.Asked = asked(in)
		return p, nil
	}, func(st *loopstate.State, p *loopstate.GapAdded, _ loopstate.Event) error {
		if p != nil {
			if err := sameCall(p.Asked, asked(in)); err != nil {
				return err
			}
			out.GapID = p.Gap.ID
		}
		out.Open = st.OpenGaps()
		return nil
	})
	return out, err
}
