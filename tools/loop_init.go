package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopInitIn struct {
	Query      *string        `json:"query,omitempty" jsonschema:"stated precisely; default: the first query"`
	Rubrics    []string       `json:"rubrics,omitempty" jsonschema:"what a good answer must do"`
	Gaps       []gapArg       `json:"gaps,omitempty"`
	Dimensions []dimensionArg `json:"dimensions,omitempty" jsonschema:"parts of the question"`
	Entity     *entityArg     `json:"entity,omitempty" jsonschema:"if the question is about one thing"`
	Complexity string         `json:"complexity,omitempty" enum:"simple,moderate,complex,breaking"`
	Budget     *budgetArg     `json:"budget,omitempty"`
	AsOf       string         `json:"as_of,omitempty" jsonschema:"YYYY-MM-DD; default today"`
	Complete   *float64       `json:"coverage_threshold,omitempty" jsonschema:"default 0.85"`

	OperationID string `json:"operation_id,omitempty"`
}

type dimensionArg struct {
	Dimension string `json:"dimension"`
	Priority  string `json:"priority,omitempty" enum:"high,medium,low"`
}

type entityArg struct {
	Name            string   `json:"name"`
	Aliases         []string `json:"aliases,omitempty"`
	OfficialDomains []string `json:"official_domains,omitempty"`
}

type budgetArg struct {
	Rounds         *int     `json:"rounds,omitempty"`
	CostUSD        *float64 `json:"cost_usd,omitempty"`
	LatencySeconds *int     `json:"latency_seconds,omitempty"`
	Tokens         *int     `json:"tokens,omitempty"`
}

type loopInitOut struct {
	StateID   string              `json:"state_id" jsonschema:"pass it to every other call"`
	AsOf      string              `json:"as_of"`
	Angles    []loopstate.Angle   `json:"angles" jsonschema:"attack the question by each, blind to the others"`
	Gaps      []string            `json:"gaps"`
	Remaining loopstate.Remaining `json:"budget_remaining"`
	Decision  wording.Decision    `json:"decision"`
	Folder    string              `json:"folder,omitempty" jsonschema:"the loop as files: index.md and the text of each source"`
}

func loopInit(d *definer, svc *loops.Service) server.ServerTool {
	var limits []string
	for _, c := range loopstate.Complexities() {
		limits = append(limits, fmt.Sprintf("%s %d", c, loopstate.RoundsFor(c)))
	}
	return define(d, manual{
		name: "loop_init", title: "Start a research loop",
		description: fmt.Sprintf(`Start a research loop and get its state_id, once per question. Without query, the first query of `+
			`run_channel, loop_update or fetch becomes the question.
Rounds by complexity: %s; beyond %d the user confirms. %d tokens unless `+
			`set.`, strings.Join(limits, ", "), loopstate.ConfirmBeyondRounds, loopstate.DefaultTokens),
		hints: hints{},
	}, func(ctx context.Context, in loopInitIn) (loopInitOut, error) {
		question := ""
		if in.Query != nil {
			if question = strings.TrimSpace(*in.Query); question == "" {
				return loopInitOut{}, &loopstate.Error{Code: loopstate.CodeEmpty, Subject: "query"}
			}
		}
		start := loopstate.StartInput{Query: question, Rubrics: in.Rubrics, Gaps: each(in.Gaps, gapArg.input), Complexity: in.Complexity,
			AsOf: in.AsOf, Complete: in.Complete,
			Dimensions: each(in.Dimensions, func(d dimensionArg) loopstate.Dimension { return loopstate.Dimension(d) })}
		if in.Entity != nil {
			entity := loopstate.Entity(*in.Entity)
			start.Entity = &entity
		}
		if in.Budget != nil {
			start.Budget = loopstate.BudgetInput(*in.Budget)
		}
		a, err := svc.StartOnce(ctx, in.OperationID, start)
		if err != nil {
			return loopInitOut{}, err
		}
		return loopInitOut{StateID: a.StateID, AsOf: a.AsOf, Angles: a.Angles, Gaps: gapTexts(a.Gaps), Remaining: a.Remaining,
			Decision: a.Decision, Folder: a.Folder}, nil
	})
}
