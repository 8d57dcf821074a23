package tools

import (
	"cmp"
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopGetGapsIn struct {
	StateID string `json:"state_id"`
	Status  string `json:"status"`
	Limit   int    `json:"limit"`
}

type loopGetGapsOut struct {
	Gaps      []string `json:"gaps"`              // the gaps' own words, best first
	Details   []gapOut `json:"details,omitempty"` // the same gaps, in the same order
	Target    string   `json:"target,omitempty"`  // the query of the one gap to pursue
	TargetGap string   `json:"target_gap,omitempty"`
	Total     int      `json:"total"`
}

// gapOut is what the words of a gap do not say. A question, an important gap and one with the status that was asked for are not
// named as such.
type gapOut struct {
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
	Tried       string   `json:"tried,omitempty"`
}

func showGap(g loops.Gap, status string) gapOut {
	unless := func(usual, value string) string {
		if value == usual {
			return ""
		}
		return value
	}
	return gapOut{ID: g.ID, Kind: unless("question", g.Kind), Query: unless(g.Gap.Gap, g.Query), Material: g.Material,
		Importance: unless("important", g.Importance), SourceTypes: g.SourceTypes, Questions: g.Questions, Where: g.Where,
		Status: unless(status, g.Status), Why: g.Why, ClosedRound: g.ClosedRound, Tried: g.Tried}
}

func loopGetGaps(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_get_gaps", func(ctx context.Context, in loopGetGapsIn) (loopGetGapsOut, error) {
		a, err := svc.ListGaps(ctx, in.StateID, in.Status, in.Limit)
		return loopGetGapsOut{Total: a.Total, Target: a.Target, TargetGap: a.TargetGap,
			Gaps:    each(a.Gaps, func(g loops.Gap) string { return g.Gap.Gap }),
			Details: each(a.Gaps, func(g loops.Gap) gapOut { return showGap(g, cmp.Or(in.Status, loopstate.GapOpen)) })}, err
	})
}
