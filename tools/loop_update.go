package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopUpdateIn struct {
	StateID        string             `json:"state_id"`
	Evidence       []evidenceArg      `json:"evidence,omitempty"`
	Query          string             `json:"query,omitempty"`
	Channel        string             `json:"channel,omitempty"`
	VisitedURLs    []string           `json:"visited_urls,omitempty"`
	BadURLs        []badURLArg        `json:"bad_urls,omitempty" jsonschema:"gave nothing"`
	AnsweredGaps   []string           `json:"answered_gaps,omitempty" jsonschema:"ids (G1) or words"`
	Claims         []claimArg         `json:"claims,omitempty"`
	RetractClaims  []string           `json:"retract_claims,omitempty" jsonschema:"ids (C1) or words"`
	Contradictions []contradictionArg `json:"contradictions,omitempty"`
	Failures       []string           `json:"evaluator_failures,omitempty" jsonschema:"rubrics that fail"`
	Usage          *usageArg          `json:"usage,omitempty" jsonschema:"since the last report"`
	OperationID    string             `json:"operation_id,omitempty" jsonschema:"makes a repeat act once"`
	Abort          abortArg           `json:"abort,omitempty" jsonschema:"the user's reason to stop"`
	ConfirmRounds  int                `json:"confirm_rounds,omitempty" jsonschema:"rounds the user confirmed"`
}

type badURLArg struct {
	URL    string `json:"url"`
	Reason string `json:"reason,omitempty"`
}

func (b badURLArg) input() loopstate.BadURL { return loopstate.BadURL{URL: b.URL, Reason: b.Reason} }

type claimArg struct {
	Claim      string        `json:"claim"`
	SourceIDs  []string      `json:"source_ids,omitempty" jsonschema:"of fetch, with lines: S1:120-128"`
	Confidence confidenceArg `json:"confidence,omitempty"`
}

func (c claimArg) input() loopstate.ClaimInput {
	return loopstate.ClaimInput{Claim: c.Claim, SourceIDs: plainIDs(c.SourceIDs), Confidence: string(c.Confidence)}
}

type contradictionArg struct {
	Topic      string   `json:"topic"`
	Resolution string   `json:"resolution,omitempty"`
	Why        string   `json:"why,omitempty"`
	SourceIDs  []string `json:"source_ids,omitempty"`
}

func (c contradictionArg) input() loopstate.Contradiction {
	return loopstate.Contradiction{Topic: c.Topic, Resolution: c.Resolution, Why: c.Why, SourceIDs: withoutLines(c.SourceIDs)}
}

type usageArg struct {
	CostUSD float64 `json:"cost_usd,omitempty"`
	Tokens  int     `json:"tokens,omitempty"`
}

type loopUpdateOut struct {
	Version    int64                `json:"version"`
	Added      loops.Added          `json:"added" jsonschema:"what was new"`
	ClaimIDs   []string             `json:"claim_ids" jsonschema:"ids of the new claims"`
	Duplicates []string             `json:"duplicates"`
	Rejected   []loopstate.Rejected `json:"rejected"`
	Remaining  loopstate.Remaining  `json:"budget_remaining"`
	Decision   wording.Decision     `json:"decision" jsonschema:"loop_get_state says why"`
}

func loopUpdate(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_update", title: "Record what was found",
		description: `Record claims with source ids, hits found elsewhere, answered gaps, contradictions, usage. A claim that cites an ` +
			`unknown source id is an error: nothing is kept.`,
		hints: hints{}, // a repeated call without an operation_id counts its usage twice
	}, func(ctx context.Context, in loopUpdateIn) (loopUpdateOut, error) {
		update := loopstate.UpdateInput{Query: in.Query, Channel: in.Channel, VisitedURLs: in.VisitedURLs, AnsweredGaps: in.AnsweredGaps,
			Retractions: in.RetractClaims, Failures: in.Failures, Abort: string(in.Abort), ConfirmRounds: in.ConfirmRounds,
			Evidence: each(in.Evidence, evidenceArg.evidence), Claims: each(in.Claims, claimArg.input),
			BadURLs:        each(in.BadURLs, badURLArg.input),
			Contradictions: each(in.Contradictions, contradictionArg.input)}
		if in.Usage != nil {
			update.Usage = loopstate.Usage(*in.Usage)
		}
		a, err := svc.Update(ctx, in.StateID, in.OperationID, update)
		if err != nil {
			return loopUpdateOut{}, err
		}
		a.Decision.Because = ""
		return loopUpdateOut{Version: a.Version, Added: a.Added, ClaimIDs: a.ClaimIDs, Duplicates: a.Duplicates, Rejected: a.Rejected,
			Remaining: a.Remaining, Decision: a.Decision}, nil
	})
}
