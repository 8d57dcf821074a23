package tools

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopReflectIn struct {
	StateID       string            `json:"state_id"`
	Gaps          []gapArg          `json:"gaps,omitempty" jsonschema:"missing; gaps not named stay open"`
	SignOff       bool              `json:"signoff,omitempty" jsonschema:"nothing material is missing"`
	Coverage      *coverageArg      `json:"coverage,omitempty" jsonschema:"0 to 1"`
	Failures      []string          `json:"evaluator_failures,omitempty" jsonschema:"rubrics that fail"`
	AnsweredGaps  []string          `json:"answered_gaps,omitempty" jsonschema:"ids (G1) or words"`
	OpenQuestions []openQuestionArg `json:"open_questions,omitempty" jsonschema:"gaps that no source can answer"`
	Synthesis     string            `json:"synthesis,omitempty" jsonschema:"the answer as it stands"`
	OperationID   string            `json:"operation_id,omitempty"`
}

type coverageArg struct {
	Overall    float64            `json:"overall"`
	Dimensions map[string]float64 `json:"dimensions,omitempty"`
	Reasoning  string             `json:"reasoning,omitempty"`
}

type openQuestionArg struct {
	Gap string `json:"gap"`
	Why string `json:"why"`
}

type loopReflectOut struct {
	Version    int64                `json:"version"`
	Round      closedRound          `json:"round"`
	Guardrails []string             `json:"guardrails"`
	Decision   wording.Decision     `json:"decision"`
	Gaps       []string             `json:"gaps" jsonschema:"open gaps, best first"`
	Rejected   []loopstate.Rejected `json:"rejected"`
	Remaining  loopstate.Remaining  `json:"budget_remaining"`
	Write      string               `json:"write,omitempty" jsonschema:"what the text must have"`
	Parts      []string             `json:"parts,omitempty" jsonschema:"each needs its own answer in the text"`
}

// closedRound is a row of the rounds table, without what the rest of the answer says, and with its figures in words.
type closedRound struct {
	loopstate.Round
	Decision   *wording.Decision `json:"decision,omitempty"`
	Guardrails []string          `json:"guardrails,omitempty"`
	Confidence string            `json:"confidence,omitempty"`
	StartedAt  time.Time         `json:"started_at,omitzero"`
	EndedAt    time.Time         `json:"ended_at,omitzero"`
	TookMS     int64             `json:"took_ms,omitempty"`
	Usage      *loopstate.Usage  `json:"usage,omitempty"`
}

// guardrailWords explains the guardrails of a round: "name: explanation". synthesis is the length of the synthesis in code
// points; a negative one is unknown.
func guardrailWords(names []string, synthesis int) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name
		if words := guardrails[name]; words != "" {
			out[i] += ": " + words
		}
		if name == loopstate.GuardShortSynthesis && synthesis >= 0 {
			out[i] += fmt.Sprintf("; this call had %d", synthesis)
		}
	}
	return out
}

var guardrails = map[string]string{
	loopstate.GuardOpenGaps:     "the sign-off does not count while a material gap is open",
	loopstate.GuardNothingRead:  "nothing was read, so nothing in an answer can be cited",
	loopstate.GuardHallucinated: "the sign-off does not count while a citation leads to nothing that was read",
	loopstate.GuardAbsence:      "most of the synthesis says that something was not found, so its coverage is capped",
	loopstate.GuardShortSynthesis: fmt.Sprintf("a coverage above %.1f needs a synthesis of at least %d characters in loop_reflect; "+
		"without it the confidence of the round is low, which stops nothing",
		loopstate.HighCoverage, loopstate.ShortSynthesis),
	"guardrail_first_round_coverage": "coverage after the first round is too low to stop",
	"guardrail_critical_gap":         "a critical gap is open",
	"guardrail_low_coverage":         "coverage is too low to stop",
}

func loopReflect(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_reflect", title: "Close a round",
		description: `Close the round, as a critic and not as the author: say what is missing, sign off, get the decision. Two ` +
			`sign-offs in a row finish a loop with no material gap open and no evaluator failure.`,
		hints: hints{},
	}, func(ctx context.Context, in loopReflectIn) (loopReflectOut, error) {
		closing := loopstate.CloseInput{Gaps: each(in.Gaps, gapArg.input), SignOff: in.SignOff, Failures: in.Failures,
			AnsweredGaps: in.AnsweredGaps, Synthesis: in.Synthesis,
			OpenQuestions: each(in.OpenQuestions, func(q openQuestionArg) loopstate.OpenQuestionInput {
				return loopstate.OpenQuestionInput(
					q)
			})}
		if in.Coverage != nil {
			coverage := loopstate.Coverage(*in.Coverage)
			closing.Coverage = &coverage
		}
		a, err := svc.Reflect(ctx, in.StateID, in.OperationID, closing)
		if err != nil {
			return loopReflectOut{}, err
		}
		out := loopReflectOut{Version: a.Version, Round: closedRound{Round: a.Round},
			Guardrails: guardrailWords(a.Round.Guardrails, utf8.RuneCountInString(in.Synthesis)),
			Decision:   a.Decision, Gaps: gapTexts(a.Gaps), Rejected: a.Rejected, Remaining: a.Remaining}
		out.Parts = each(a.Parts[:min(len(a.Parts), maxPartsShown)], func(part string) string { return cutTo(part, maxClaimShown) })
		if a.Write {
			out.Write = writeAdvice
		}
		return out, nil
	})
}

// maxPartsShown bounds the parts of a question that a decision to finalize lists.
const maxPartsShown = 16

// writeAdvice goes with a decision to finalize.
const writeAdvice = "Write the whole answer now, as you would without this tool, and cite while you write. Give each of parts its own " +
	"answer, and look up what is missing (find_passages). " +
	"For a procedure: checks before, the exact commands for every route, a variant for each constraint of the question, what fails " +
	"and the way back. Then call verify_citations with draft, once."
