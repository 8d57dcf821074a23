package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopGetStateIn struct {
	StateID string `json:"state_id"`
	View    string `json:"view"`
	Round   int    `json:"round"`
	Cursor  string `json:"cursor"`
}

// loopGetStateOut is a view whose rounds explain their guardrails and decisions, and whose sources are short.
type loopGetStateOut struct {
	view
	Rounds  []closedRound `json:"rounds,omitempty"`
	Sources []sourceOut   `json:"sources,omitempty"`
}

// view renames loops.View, which has a field of that name.
type view loops.View

// showSource returns what a host needs of a source to cite it or to read on. The report has hashes and authors.
func showSource(s loopstate.Source) sourceOut {
	return sourceOut{SourceID: s.ID, Title: cutTo(s.Title, maxTitleShown), URL: s.URL, DOI: s.DOI, PublishedAt: s.PublishedAt,
		SourceType: s.SourceType, Round: s.Round, Chars: s.Chars, DuplicateOf: s.DuplicateOf, Via: s.Via, Pasted: s.Pasted,
		Flags: s.Flags, RobotsIgnored: s.RobotsIgnored}
}

func loopGetState(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_get_state", func(ctx context.Context, in loopGetStateIn) (loopGetStateOut, error) {
		v, err := svc.State(ctx, loops.ViewInput{Loop: in.StateID, View: in.View, Round: in.Round, Cursor: in.Cursor})
		out := loopGetStateOut{view: view(v)}
		out.Rounds = each(v.Rounds, func(r loopstate.Round) closedRound {
			decision := wording.DecisionIn(r.Decision, r.Round)
			return closedRound{Round: r, Decision: &decision, Guardrails: guardrailWords(r.Guardrails, -1), Confidence: r.Confidence,
				StartedAt: r.StartedAt, EndedAt: r.EndedAt, TookMS: r.TookMS, Usage: &r.Usage}
		})
		out.Sources = each(v.Sources, showSource)
		return out, err
	})
}
