package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type loopReflectIn struct {
	StateID     string `json:"state_id"`
	OperationID string `json:"operation_id"`
	loopstate.CloseInput
}

type loopReflectOut struct {
	Version    int64                `json:"version"`
	Round      closedRound          `json:"round"`
	Guardrails []string             `json:"guardrails,omitempty"`
	Decision   wording.Decision     `json:"decision"`
	Gaps       []string             `json:"gaps"` // open ones, best first
	Rejected   []loopstate.Rejected `json:"rejected,omitempty"`
	Remaining  loopstate.Amounts    `json:"budget_remaining"`
	Write      string               `json:"write,omitempty"` // what the text must have
	Parts      []string             `json:"parts,omitempty"` // each needs its own answer in the text
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
	return each(names, func(name string) string {
		words := map[string]string{
			loopstate.GuardOpenGaps:     "the sign-off does not count while a material gap is open",
			loopstate.GuardNothingRead:  "nothing was read, so nothing in an answer can be cited",
			loopstate.GuardHallucinated: "the sign-off does not count while a citation leads to nothing that was read",
			loopstate.GuardAbsence:      "most of the synthesis says that something was not found, so its coverage is capped",
			loopstate.GuardShortSynthesis: fmt.Sprintf("a coverage above %.1f needs a synthesis of at least %d characters in "+
				"loop_reflect; without it the confidence of the round is low, which stops nothing", loopstate.HighCoverage,
				loopstate.ShortSynthesis),
			"guardrail_first_round_coverage": "coverage after the first round is too low to stop",
			"guardrail_critical_gap":         "a critical gap is open",
			"guardrail_low_coverage":         "coverage is too low to stop",
		}[name]
		if name == loopstate.GuardShortSynthesis && synthesis >= 0 {
			words += fmt.Sprintf("; this call had %d", synthesis)
		}
		return strings.TrimSuffix(name+": "+words, ": ")
	})
}

func loopReflect(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "loop_reflect", func(ctx context.Context, in loopReflectIn) (loopReflectOut, error) {
		in.AnsweredGaps = named(in.AnsweredGaps)
		for i, q := range in.OpenQuestions {
			if ids := named([]string{q.Gap}); len(ids) == 1 {
				in.OpenQuestions[i].Gap = ids[0]
			}
		}
		a, err := svc.Reflect(ctx, in.StateID, in.OperationID, in.CloseInput)
		if err != nil {
			return loopReflectOut{}, err
		}
		out := loopReflectOut{Version: a.Version, Round: closedRound{Round: a.Round},
			Guardrails: guardrailWords(a.Round.Guardrails, utf8.RuneCountInString(in.Synthesis)),
			Decision:   a.Decision, Gaps: a.Gaps, Rejected: a.Rejected, Remaining: a.Remaining}
		out.Parts = each(a.Parts[:min(len(a.Parts), 16)], func(part string) string { return cutTo(part, maxClaimShown) })
		if a.Write {
			out.Write = writeAdvice
		}
		return out, nil
	})
}

// writeAdvice goes with a decision to finalize.
const writeAdvice = "Write the whole answer now, as you would without this tool, and cite while you write. Give each of parts its own " +
	"answer, and look up what is missing (find_passages). " +
	"For a procedure: checks before, the exact commands for every route, a variant for each constraint of the question, what fails " +
	"and the way back. Then call verify_citations with draft, once."
