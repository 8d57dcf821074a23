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
	Status  string `json:"status,omitempty" enum:"open,answered,unanswerable,all" jsonschema:"default open"`
	Limit   int    `json:"limit,omitempty"`
}

type loopGetGapsOut struct {
	Gaps      []string `json:"gaps" jsonschema:"the gaps' own words, best first"`
	Details   []gapOut `json:"details" jsonschema:"the same gaps, in the same order"`
	Target    string   `json:"target" jsonschema:"the query of the one gap to pursue; empty when none is open"`
	TargetGap string   `json:"target_gap" jsonschema:"its id"`
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
	Tried       string   `json:"tried,omitempty" jsonschema:"how it was searched for"`
}

func showGap(g loops.Gap, status string) gapOut {
	out := gapOut{ID: g.ID, Kind: g.Kind, Query: g.Query, Material: g.Material, Importance: g.Importance, SourceTypes: g.SourceTypes,
		Questions: g.Questions, Where: g.Where,
		Status: g.Status, Why: g.Why, ClosedRound: g.ClosedRound, Tried: g.Tried}
	if out.Kind == "question" {
		out.Kind = ""
	}
	if out.Importance == "important" {
		out.Importance = ""
	}
	if out.Status == status {
		out.Status = ""
	}
	if out.Query == g.Gap.Gap {
		out.Query = ""
	}
	return out
}

func loopGetGaps(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_get_gaps", title: "List what is missing",
		description: `List the loop's gaps, best first, and the target: the one gap to pursue in this round.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopGetGapsIn) (loopGetGapsOut, error) {
		a, err := svc.ListGaps(ctx, in.StateID, in.Status, in.Limit)
		if err != nil {
			return loopGetGapsOut{}, err
		}
		out := loopGetGapsOut{Gaps: make([]string, len(a.Gaps)), Details: make([]gapOut, len(a.Gaps)), Total: a.Total, Target: a.Target,
			TargetGap: a.TargetGap}
		for i, g := range a.Gaps {
			out.Gaps[i], out.Details[i] = g.Gap.Gap, showGap(g, cmp.Or(in.Status, loopstate.GapOpen))
		}
		return out, nil
	})
}
