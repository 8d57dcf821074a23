package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
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
	Points        []pointArg        `json:"points,omitempty" jsonschema:"a critic's, on the checked draft; at most 25"`
	Critic        string            `json:"critic,omitempty" enum:"read,declined" jsonschema:"read: points are all"`
	CriticWhy     string            `json:"critic_why,omitempty"`
	Answers       []answerArg       `json:"answers,omitempty"`
	OperationID   string            `json:"operation_id,omitempty"`
}

type pointArg struct {
	What  string `json:"what"`
	Where string `json:"where,omitempty"`
	Lines string `json:"lines,omitempty" jsonschema:"S1:120; S3:7"`
	Cut   string `json:"cut,omitempty"`
}

type answerArg struct {
	Point  string `json:"point" jsonschema:"P1"`
	Answer string `json:"answer" enum:"taken,partly,refused"`
	Why    string `json:"why,omitempty"`
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
	Round      *closedRound         `json:"round,omitempty" jsonschema:"absent if the call closed none"`
	Guardrails []string             `json:"guardrails"`
	Decision   loopstate.Decision   `json:"decision"`
	Gaps       []string             `json:"gaps" jsonschema:"open gaps, best first"`
	Rejected   []loopstate.Rejected `json:"rejected"`
	Points     []string             `json:"points,omitempty" jsonschema:"of critics, that wait for an answer"`
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
	StartedAt  time.Time           `json:"started_at,omitzero"`
	EndedAt    time.Time           `json:"ended_at,omitzero"`
	TookMS     int64               `json:"took_ms,omitempty"`
	Usage      *loopstate.Usage    `json:"usage,omitempty"`
}

// showRound shows a round without its times and its decision. said is what else the answer says.
func showRound(r loopstate.Round, said string) closedRound {
	row := closedRound{Round: r}
	if r.Unseen != nil && !strings.Contains(said, r.Unseen.String()) {
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

func loopReflect(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "loop_reflect", title: "Close a round",
		description: `Close the round, as a critic and not as the author: say what is missing, sign off, get the decision. Two sign-offs in a row finish the loop once a critic has read the draft. points and answers alone close no round.`,
		hints:       hints{},
	}, func(ctx context.Context, in loopReflectIn) (loopReflectOut, error) {
		closing := loopstate.CloseInput{Gaps: each(in.Gaps, gapArg.input), SignOff: in.SignOff, Failures: in.Failures, AnsweredGaps: in.AnsweredGaps, Synthesis: in.Synthesis,
			OpenQuestions: each(in.OpenQuestions, func(q openQuestionArg) loopstate.OpenQuestionInput { return loopstate.OpenQuestionInput(q) }),
			Critique: loopstate.CritiqueInput{Critic: in.Critic, Why: in.CriticWhy,
				Points: each(in.Points, func(p pointArg) loopstate.Point {
					return loopstate.Point{What: p.What, Where: p.Where, Lines: p.Lines, Cut: p.Cut}
				}),
				Answers: each(in.Answers, func(a answerArg) loopstate.PointAnswer { return loopstate.PointAnswer(a) })}}
		if in.Coverage != nil {
			coverage := loopstate.Coverage(*in.Coverage)
			closing.Coverage = &coverage
		}
		a, err := svc.Reflect(ctx, in.StateID, operation(ctx, in.OperationID), closing, asking(ctx, roundsForm, roundsIn))
		if err != nil {
			return loopReflectOut{}, err
		}
		out := loopReflectOut{Version: a.Version, Guardrails: []string{}, Points: each(a.Points, pointLine), Decision: a.Decision, Gaps: gapTexts(a.Gaps), Rejected: append(a.Rejected, declinedRounds(ctx)...), Remaining: a.Remaining}
		if a.Round != nil {
			row := showRound(*a.Round, a.Decision.Because)
			out.Round, out.Guardrails = &row, guardrailWords(a.Round.Guardrails, utf8.RuneCountInString(in.Synthesis))
		}
		out.Parts = each(a.Parts[:min(len(a.Parts), maxPartsShown)], func(part string) string { return cutTo(part, maxClaimShown) })
		switch {
		case a.Write:
			out.Write = writeAdvice
		case a.Decision.Rule == "critic_reads_draft" && len(a.Points) > 0:
			out.Write = answerAdvice
		case a.Decision.Rule == "critic_reads_draft":
			out.Write = criticAdvice
		}
		return out, nil
	})
}

// maxPartsShown bounds the parts of a question that a decision to finalize lists.
const maxPartsShown = 16

// writeAdvice goes with a decision to finalize.
const writeAdvice = "Write the whole answer now, as you would without this tool, and cite while you write. Give each of parts its own answer, and look up what is missing (find_passages). " +
	"For a procedure: checks before, the exact commands for every route, a variant for each constraint of the question, what fails and the way back. Then call verify_citations with draft, once."

// criticAdvice and answerAdvice go with a decision that waits for the critic of the draft.
const (
	criticAdvice = "Start a fresh subagent (the plugin's agent critic, or any) with nothing but: follow loop_get_state(view=critic) of this state_id. Without subagents, ask the user to open a new conversation with the prompt critic. " +
		"If the user wants none: critic=declined with critic_why."
	answerAdvice = "Weigh each of points against its lines, correct the draft without making it longer, call verify_citations with draft, and give answers: taken, partly or refused, with why."
)

// pointLine shows a point to the author, who is to answer it.
func pointLine(p loopstate.Point) string {
	line := p.ID + " " + p.What
	for _, part := range []struct{ name, text string }{{"where", p.Where}, {"lines", p.Lines}, {"cut", p.Cut}} {
		if part.text != "" {
			line += " | " + part.name + ": " + part.text
		}
	}
	return cutTo(line, maxPointShown)
}

// maxPointShown bounds a point in an answer, in characters (chosen): 25 of them stay below 16,000.
const maxPointShown = 600
