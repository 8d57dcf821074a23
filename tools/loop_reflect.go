package tools

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type loopReflectIn struct {
	StateID       string            `json:"state_id"`
	Gaps          []gapArg          `json:"gaps,omitempty" jsonschema:"what is missing; gaps not named stay open"`
	SignOff       bool              `json:"signoff,omitempty" jsonschema:"true only if nothing material is missing"`
	Coverage      *coverageArg      `json:"coverage,omitempty" jsonschema:"your judgement, 0 to 1"`
	Failures      []string          `json:"evaluator_failures,omitempty" jsonschema:"rubrics that fail"`
	AnsweredGaps  []string          `json:"answered_gaps,omitempty" jsonschema:"ids (G1) or words"`
	OpenQuestions []openQuestionArg `json:"open_questions,omitempty" jsonschema:"gaps that no available source can answer"`
	Synthesis     string            `json:"synthesis,omitempty" jsonschema:"the answer as it stands"`
	OperationID   string            `json:"operation_id,omitempty"`
}

type coverageArg struct {
	Overall    float64            `json:"overall"`
	Dimensions map[string]float64 `json:"dimensions,omitempty"`
	Reasoning  string             `json:"reasoning,omitempty"`
}

type openQuestionArg struct {
	Gap string `json:"gap" jsonschema:"gap id or words"`
	Why string `json:"why"`
}

type loopReflectOut struct {
	StateID    string               `json:"state_id"`
	Version    int64                `json:"version"`
	Round      closedRound          `json:"round"`
	Guardrails []string             `json:"guardrails"`
	Decision   loopstate.Decision   `json:"decision"`
	Gaps       []string             `json:"gaps" jsonschema:"open gaps, best first"`
	Rejected   []loopstate.Rejected `json:"rejected"`
	Remaining  loopstate.Remaining  `json:"budget_remaining"`
	Write      string               `json:"write,omitempty" jsonschema:"what the text must have"`
	Parts      []string             `json:"parts,omitempty" jsonschema:"each needs its own answer in the text"`
}

// closedRound is a row of the rounds table, without what the rest of the answer says, and with its figures in words.
type closedRound struct {
	loopstate.Round
	Decision   *loopstate.Decision `json:"decision,omitempty"`
	Guardrails []string            `json:"guardrails,omitempty"`
	Confidence string              `json:"confidence,omitempty"`
	Unseen     string              `json:"unseen,omitempty"`
}

func showRound(r loopstate.Round) closedRound {
	row := closedRound{Round: r}
	if r.Unseen != nil {
		row.Unseen = r.Unseen.String()
	}
	return row
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
		if name == shortSynthesis && synthesis >= 0 {
			out[i] += fmt.Sprintf("; this call had %d", synthesis)
		}
	}
	return out
}

const shortSynthesis = "short_synthesis"

var guardrails = map[string]string{
	"signoff_with_open_gaps":              "the sign-off does not count while a material gap is open",
	"signoff_with_hallucinated_citations": "the sign-off does not count while a citation leads to nothing that was read",
	"admitted_absence":                    "most of the synthesis says that something was not found, so its coverage is capped",
	shortSynthesis: fmt.Sprintf("a coverage above %.1f needs a synthesis of at least %d characters in loop_reflect; without it the confidence of the round is low, which stops nothing",
		loopstate.HighCoverage, loopstate.ShortSynthesis),
	"guardrail_first_round_coverage": "coverage after the first round is too low to stop",
	"guardrail_critical_gap":         "a critical gap is open",
	"guardrail_low_coverage":         "coverage is too low to stop",
}

type roundCloser interface {
	Reflect(ctx context.Context, loop, operation string, in loopstate.CloseInput, ask loops.AskRounds) (loops.Reflected, error)
}

func loopReflect(d *definer, svc roundCloser) server.ServerTool {
	return define(d, manual{
		name: "loop_reflect", title: "Close a round",
		description: `Close the round: say what is missing, as a critic and not as the author, sign off if nothing material is, and get the decision. Two sign-offs in a row finish the loop.
What no source answers goes into open_questions.
Example: {"state_id": "…", "gaps": [{"gap": "no opposing study read", "query": "four-day week criticism", "material": true}]}`,
		hints: hints{},
	}, func(ctx context.Context, in loopReflectIn) (loopReflectOut, error) {
		closing := loopstate.CloseInput{Gaps: gapInputs(in.Gaps), SignOff: in.SignOff, Failures: in.Failures, AnsweredGaps: in.AnsweredGaps, Synthesis: in.Synthesis}
		if in.Coverage != nil {
			coverage := loopstate.Coverage(*in.Coverage)
			closing.Coverage = &coverage
		}
		for _, q := range in.OpenQuestions {
			closing.OpenQuestions = append(closing.OpenQuestions, loopstate.OpenQuestionInput(q))
		}
		a, err := svc.Reflect(ctx, in.StateID, operation(ctx, in.OperationID), closing, askRounds(ctx))
		if err != nil {
			return loopReflectOut{}, err
		}
		out := loopReflectOut{StateID: a.StateID, Version: a.Version, Round: showRound(a.Round), Guardrails: guardrailWords(a.Round.Guardrails, utf8.RuneCountInString(in.Synthesis)), Decision: a.Decision, Gaps: gapTexts(a.Gaps), Rejected: append(a.Rejected, declinedRounds(ctx)...), Remaining: a.Remaining}
		for _, part := range a.Parts[:min(len(a.Parts), maxPartsShown)] {
			out.Parts = append(out.Parts, cutTo(part, maxClaimShown))
		}
		if a.Decision.NextAction == loopstate.Finalize {
			out.Write = writeAdvice
		}
		return out, nil
	})
}

// maxPartsShown bounds the parts of a question that a decision to finalize lists.
const maxPartsShown = 16

// writeAdvice goes with a decision to finalize.
const writeAdvice = "Write the whole answer now, as you would without this tool, and cite while you write. Give each of parts its own answer, and look up what is missing (find_passages). " +
	"For a procedure: checks before, the exact commands for every route, a variant for each constraint of the question, what fails and the way back. Then call verify_citations with draft, once."
