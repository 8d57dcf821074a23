package tools

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopGetStateIn struct {
	StateID string `json:"state_id"`
	View    string `json:"view,omitempty" enum:"brief,full,rounds,sources,claims,searches,critic,events"`
	Round   int    `json:"round,omitempty" jsonschema:"the loop as this round ended"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor"`
}

// loopGetStateOut is a view whose rounds explain their guardrails and estimates, and whose sources are short.
type loopGetStateOut struct {
	view
	Rounds  []closedRound `json:"rounds,omitempty"`
	Sources []sourceLine  `json:"sources,omitempty"`
}

// sourceLine is what a host needs of a source to cite it or to read on. The report has hashes and authors.
type sourceLine struct {
	SourceID    string   `json:"source_id"`
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	DOI         string   `json:"doi,omitempty"`
	PublishedAt string   `json:"published_at,omitempty"`
	SourceType  string   `json:"source_type,omitempty"`
	Round       int      `json:"round"`
	Chars       int      `json:"chars"`
	DuplicateOf string   `json:"duplicate_of,omitempty"`
	Via         string   `json:"via,omitempty"`
	Pasted      bool     `json:"pasted,omitempty"`
	Flags       []string `json:"flags,omitempty"`

	RobotsIgnored bool `json:"robots_ignored,omitempty"`
}

func showSource(s loopstate.Source) sourceLine {
	return sourceLine{SourceID: s.ID, Title: cutTo(s.Title, maxTitleShown), URL: s.URL, DOI: s.DOI, PublishedAt: s.PublishedAt,
		SourceType: s.SourceType, Round: s.Round,
		Chars: s.Chars, DuplicateOf: s.DuplicateOf, Via: s.Via, Pasted: s.Pasted, Flags: s.Flags, RobotsIgnored: s.RobotsIgnored}
}

// view renames loops.View, because the schema would omit a field with the name of the embedded type.
type view loops.View

func loopGetState(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_get_state", title: "Look at a loop",
		description: fmt.Sprintf(`Get a loop's state. The brief (default, at most %d tokens) is enough to continue after losing your `+
			`context. critic: who reads the draft follows it.`, loops.BriefTokens),
		hints: hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in loopGetStateIn) (loopGetStateOut, error) {
		v, err := svc.State(ctx, loops.ViewInput{Loop: in.StateID, View: in.View, Round: in.Round, Cursor: in.Cursor})
		out := loopGetStateOut{view: view(v)}
		for _, r := range v.Rounds {
			row, decision := closedRound{Round: r}, wording.DecisionIn(r.Decision, r.Round)
			row.Decision, row.Guardrails, row.Confidence = &decision, guardrailWords(r.Guardrails, -1), r.Confidence
			row.StartedAt, row.EndedAt, row.TookMS, row.Usage = r.StartedAt, r.EndedAt, r.TookMS, &r.Usage
			out.Rounds = append(out.Rounds, row)
		}
		out.Sources = each(v.Sources, showSource)
		return out, err
	})
}
