package loops

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// Gaps is the answer to ListGaps: best first, with the one to pursue.
type Gaps struct {
	Gaps   []loopstate.Gap
	Total  int
	Target *loopstate.Gap
}

// ListGaps lists the gaps of one status (open when empty; "all" for any), at most limit (0 for all).
func (s *Service) ListGaps(ctx context.Context, loop, status string, limit int) (Gaps, error) {
	valid := []string{loopstate.GapOpen, loopstate.GapAnswered, loopstate.GapUnanswerable, "all"}
	switch status {
	case "":
		status = loopstate.GapOpen
	case valid[0], valid[1], valid[2], valid[3]:
	default:
		return Gaps{}, &loopstate.ArgumentError{Argument: "status", Problem: fmt.Sprintf("%.40q is not known", status), Next: "use one of " + strings.Join(valid, ", ")}
	}
	if limit < 0 {
		return Gaps{}, &loopstate.ArgumentError{Argument: "limit", Problem: fmt.Sprintf("%d is negative", limit), Next: "leave it out for all gaps"}
	}
	var out Gaps
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		out.Gaps = st.GapsWith(status)
		out.Total = len(out.Gaps)
		if limit > 0 && len(out.Gaps) > limit {
			out.Gaps = out.Gaps[:limit]
		}
		if g, ok := st.Target(); ok {
			out.Target = &g
		}
		return nil
	})
	return out, err
}

// GapAdded is the answer to AddGap.
type GapAdded struct {
	GapID       string
	DuplicateOf string // the gap that the loop has already, when this is the same
	Open        []loopstate.Gap
}

// AddGap adds one gap, or finds the one that the loop has already.
func (s *Service) AddGap(ctx context.Context, loop string, in loopstate.GapInput) (GapAdded, error) {
	var out GapAdded
	err := s.change(ctx, loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		p, duplicateOf, err := st.AddGap(in)
		if err != nil {
			return nil, err
		}
		if duplicateOf != "" {
			out.GapID, out.DuplicateOf = duplicateOf, duplicateOf
			return nil, nil
		}
		out.GapID, out.DuplicateOf = p.Gap.ID, ""
		return p, nil
	}, func(st *loopstate.State, _ loopstate.Event) error {
		out.Open = st.OpenGaps()
		return nil
	})
	return out, err
}
