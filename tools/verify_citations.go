package tools

import (
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/loops"
)

type verifyIn struct {
	StateID     string          `json:"state_id" jsonschema:"from loop_init"`
	Claims      []verifyClaimIn `json:"claims,omitempty" jsonschema:"the claims to check"`
	Draft       string          `json:"draft,omitempty" jsonschema:"or the whole text as Markdown, citing like [S1] or by links"`
	Threshold   *float64        `json:"threshold,omitempty" jsonschema:"share of grounded claims that passes, 0.8 if left out"`
	Judge       string          `json:"judge,omitempty" enum:"none,llm" jsonschema:"none if left out; llm asks the model that the user set up, about claims in doubt only"`
	OperationID string          `json:"operation_id,omitempty" jsonschema:"a repeat with it is logged once"`
}

type verifyClaimIn struct {
	Claim      string        `json:"claim" jsonschema:"one sentence"`
	SourceIDs  []string      `json:"source_ids,omitempty"`
	Citations  []citationIn  `json:"citations,omitempty" jsonschema:"instead of source_ids, to check quotes"`
	Confidence confidenceArg `json:"confidence,omitempty"`
}

type citationIn struct {
	SourceID string `json:"source_id,omitempty"`
	URL      string `json:"url,omitempty" jsonschema:"an address that was read"`
	Quote    string `json:"quote,omitempty" jsonschema:"words quoted from it"`
}

type verifyOut struct {
	StateID      string             `json:"state_id"`
	Verdict      string             `json:"verdict" jsonschema:"pass or fail"`
	Groundedness float64            `json:"overall_groundedness" jsonschema:"share of the claims that are grounded"`
	Threshold    float64            `json:"threshold"`
	Claims       []verifiedClaimOut `json:"verified_claims"`
	Hallucinated []hallucinatedOut  `json:"hallucinated_citations" jsonschema:"citations of what was never read"`
	Uncited      []uncitedOut       `json:"uncited_sentences" jsonschema:"they claim something and cite nothing"`
	Conflicts    []conflictOut      `json:"conflicts" jsonschema:"one quantity, two values"`
	CoverageGaps []string           `json:"coverage_gaps" jsonschema:"what the sources found do not cover"`
	Flags        []string           `json:"flags"`
	Cycle        int                `json:"cycle"`
	GeneratedAt  time.Time          `json:"generated_at"`
	Left         int                `json:"left_out,omitempty" jsonschema:"grounded claims that did not fit into the answer"`
}

type verifiedClaimOut struct {
	ClaimID            string              `json:"claim_id,omitempty"`
	Claim              string              `json:"claim"`
	Status             string              `json:"status" jsonschema:"grounded, inferred or unsupported"`
	Basis              string              `json:"basis" jsonschema:"what grounds it: wording or review; empty unless grounded"`
	SourceID           string              `json:"source_id"`
	SourceURL          string              `json:"source_url"`
	Confidence         float64             `json:"confidence"`
	Support            float64             `json:"support" jsonschema:"0 to 1"`
	Passage            *passageRef         `json:"passage,omitempty" jsonschema:"the passage that decided"`
	QuoteGrade         string              `json:"quote_grade,omitempty" jsonschema:"exact, normalised, fuzzy or absent"`
	IndependentOrigins int                 `json:"independent_origins" jsonschema:"sources that support it, copies counted once"`
	Missing            []string            `json:"missing" jsonschema:"of the claim, but not in the passage"`
	Flags              []string            `json:"flags"`
	Differences        []citing.Difference `json:"differences" jsonschema:"where the source says otherwise, with the words of both"`
	BetterSource       string              `json:"better_source,omitempty" jsonschema:"another source of the loop that supports it"`
	Because            string              `json:"because"`
	Line               int                 `json:"line,omitempty" jsonschema:"in the draft"`
	Column             int                 `json:"column,omitempty"`
}

type passageRef struct {
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
	Page     int    `json:"page,omitempty"` // of a PDF
}

type hallucinatedOut struct {
	Claim    string `json:"claim"`
	Citation string `json:"citation"`
	Why      string `json:"why"`
}

type uncitedOut struct {
	Text   string `json:"text"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

type conflictOut struct {
	Topic   string     `json:"topic"`
	A       passageRef `json:"a"`
	B       passageRef `json:"b"`
	ValueA  string     `json:"value_a"`
	ValueB  string     `json:"value_b"`
	Because string     `json:"because"`
}

type verifier interface {
	Verify(ctx context.Context, in loops.VerifyInput) (loops.Verification, error)
}

func verifyCitations(d *definer, svc verifier) server.ServerTool {
	return define(d, manual{
		name: "verify_citations", title: "Check claims against what was read",
		description: fmt.Sprintf(`Check claims, or a whole draft, against the stored texts, without a model: grounded (a passage says it), inferred (its parts stand apart), unsupported (the cited text does not say it). Each verdict shows the passage (with its page in a PDF), the words and numbers that are missing, and a better source where there is one.
Call it every round with all claims, and with the final text as draft. A citation of something that was never read, or a claim without one, makes the answer an error. It passes from %.0f %% grounded claims on. The flag passage_never_shown says that no answer had shown you the passage (verdicts do not count), addresses_the_model that it holds words meant for a model.
Example: {"state_id": "…", "claims": [{"claim": "A send on a channel happens before the receive completes.", "source_ids": ["S1"]}]}`, 100*loops.DefaultThreshold),
		hints: hints{},
	}, func(ctx context.Context, in verifyIn) (verifyOut, error) {
		ask := loops.VerifyInput{Loop: in.StateID, Operation: in.OperationID, Draft: in.Draft, Judge: in.Judge == "llm"}
		if in.Threshold != nil {
			ask.Threshold = *in.Threshold
		}
		for _, c := range in.Claims {
			claim := citing.New(c.Claim)
			for _, cite := range c.Citations {
				claim.Citations = append(claim.Citations, citing.Citation{SourceID: cite.SourceID, URL: cite.URL, Quote: cite.Quote})
			}
			claim.Citations = append(claim.Citations, citing.New("", c.SourceIDs...).Citations...)
			ask.Claims = append(ask.Claims, claim)
		}
		v, err := svc.Verify(ctx, ask)
		if err != nil {
			return verifyOut{}, err
		}
		out := showVerification(v)
		if !v.Gate() {
			return out, &shownError{"a citation leads to nothing that was read, or a claim cites nothing"}
		}
		return out, nil
	})
}

// showVerification lays a verification out. When it does not fit into an answer, grounded claims are left
// out first: they need no work.
func showVerification(v loops.Verification) verifyOut {
	out := verifyOut{StateID: v.StateID, Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold, CoverageGaps: v.CoverageGaps, Flags: v.Flags, Cycle: v.Cycle, GeneratedAt: v.GeneratedAt}
	room := loops.AnswerTokens - 2_000
	for pass := range 2 {
		for _, c := range v.Claims {
			if (c.Status == grounding.Grounded) != (pass == 1) {
				continue
			}
			shown := showClaim(v, c)
			if body, err := marshalAnswer(shown); err == nil {
				room -= loops.EstimateTokens(string(body))
			}
			if room < 0 && len(out.Claims) > 0 {
				out.Left++
				continue
			}
			out.Claims = append(out.Claims, shown)
		}
	}
	if out.Left == 0 { // all fit: in the order of the call
		out.Claims = out.Claims[:0]
		for _, c := range v.Claims {
			out.Claims = append(out.Claims, showClaim(v, c))
		}
	}
	for _, h := range v.Hallucinated {
		out.Hallucinated = append(out.Hallucinated, hallucinatedOut(h))
	}
	for _, u := range v.Uncited {
		line, column := u.Place()
		out.Uncited = append(out.Uncited, uncitedOut{u.Text, line, column})
	}
	for _, c := range v.Conflicts {
		out.Conflicts = append(out.Conflicts, conflictOut{c.Topic, refOf(v, c.A), refOf(v, c.B), c.ValueA, c.ValueB, c.Because})
	}
	return out
}

func refOf(v loops.Verification, e grounding.Evidence) passageRef {
	return passageRef{SourceID: e.SourceID, Start: e.Start, End: e.End, Text: e.Text, Page: v.PageOf(e)}
}

func showClaim(v loops.Verification, c loops.VerifiedClaim) verifiedClaimOut {
	out := verifiedClaimOut{ClaimID: c.ClaimID, Claim: c.Text, Status: string(c.Status), SourceID: c.SourceID, SourceURL: c.SourceURL, Confidence: c.Confidence, Support: c.Support,
		QuoteGrade: c.QuoteGrade, IndependentOrigins: c.IndependentOrigins, Missing: c.Missing, Basis: string(c.Basis), Differences: citing.Differences(c.Verdict), Flags: c.Flags, BetterSource: c.BetterSource, Because: c.Because}
	out.Line, out.Column = c.Place()
	if c.Passage != nil {
		ref := refOf(v, *c.Passage)
		out.Passage = &ref
	}
	return out
}
