package loops

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

// Gap is what the words of a gap do not say. A question, an important gap and one with the status that was asked for are not named as such.
type Gap struct {
	ID          string   `json:"gap_id"`
	Kind        string   `json:"kind,omitempty"`
	Query       string   `json:"query,omitempty"`
	Material    bool     `json:"material"`
	Importance  string   `json:"importance,omitempty"`
	SourceTypes []string `json:"source_types,omitempty"`
	Questions   []string `json:"questions,omitempty"`
	Where       string   `json:"where,omitempty"`
	Status      string   `json:"status,omitempty"`
	Why         string   `json:"why,omitempty"`
	ClosedRound int      `json:"closed_round,omitempty"`
	Tried       string   `json:"tried,omitempty"` // its searches: "searched 4 channels 7 times: 5 empty, 2 blocked"
}

// Gaps is the result of ListGaps, the gap to pursue first.
type Gaps struct {
	Gaps      []string `json:"gaps"`              // the gaps' own words, best first
	Details   []Gap    `json:"details,omitempty"` // the same gaps, in the same order
	Target    string   `json:"target,omitempty"`  // query of the gap to pursue
	TargetGap string   `json:"target_gap,omitempty"`
	Total     int      `json:"total"`
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
		out.Gaps = wordsOf(gaps)
		tried := st.Tried()
		for _, g := range gaps {
			out.Details = append(out.Details, Gap{ID: g.ID, Kind: unless("question", g.Kind), Query: unless(g.Gap, g.Query),
				Material: g.Material, Importance: unless("important", g.Importance), SourceTypes: slices.Clone(g.SourceTypes),
				Questions: slices.Clone(g.Questions), Where: g.Where, Status: unless(status, g.Status), Why: g.Why,
				ClosedRound: g.ClosedRound, Tried: cmp.Or(tried[g.ID], loopstate.NotTried)})
		}
		d := loopstate.Decide(st)
		out.Target, out.TargetGap = d.Target, d.TargetGap
		return nil
	})
	return out, err
}

// unless returns a value that is not the usual one, else "".
func unless(usual, value string) string {
	if value == usual {
		return ""
	}
	return value
}

// wordsOf returns the words of gaps.
func wordsOf(gaps []loopstate.Gap) []string {
	out := make([]string, len(gaps))
	for i, g := range gaps {
		out[i] = g.Gap
	}
	return out
}

// GapAdded is the result of AddGap.
type GapAdded struct {
	GapID       string   `json:"gap_id,omitempty"`
	Gaps        []string `json:"gaps"`                   // all open ones, best first
	DuplicateOf string   `json:"duplicate_of,omitempty"` // the same gap, if the loop already had it
}

// AddGap adds a gap, or finds the one that the loop already has. operation identifies a repeated call and may be empty.
func (s *Service) AddGap(ctx context.Context, loop, operation string, in loopstate.GapInput) (GapAdded, error) {
	var out GapAdded
	request := asked(in)
	err := change(ctx, s, loop, operation, request, func(st *loopstate.State) (loopstate.Payload, error) {
		p, duplicateOf, err := st.AddGap(in)
		if err != nil {
			return nil, err
		}
		if out.GapID, out.DuplicateOf = duplicateOf, duplicateOf; duplicateOf != "" {
			return nil, nil
		}
		p.Asked = request
		return p, nil
	}, func(st *loopstate.State, p *loopstate.GapAdded, _ loopstate.Event) error {
		if p != nil {
			out.GapID = p.Gap.ID
		}
		out.Gaps = wordsOf(st.OpenGaps())
		return nil
	})
	return out, err
}
