package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type verifyIn struct {
	StateID     string          `json:"state_id"`
	Claims      []verifyClaimIn `json:"claims,omitempty" jsonschema:"new claims to check"`
	ClaimIDs    []string        `json:"claim_ids,omitempty" jsonschema:"or recorded ones (C1)"`
	Draft       string          `json:"draft,omitempty" jsonschema:"or the whole text, citing like [S1] or by links"`
	Threshold   *float64        `json:"threshold,omitempty" jsonschema:"share of grounded claims that passes; default 0.8"`
	Judge       string          `json:"judge,omitempty" enum:"none,llm" jsonschema:"llm: the user's model reads what waits"`
	All         bool            `json:"all,omitempty" jsonschema:"list every claim"`
	OperationID string          `json:"operation_id,omitempty"`
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
	Verdict      string             `json:"verdict" jsonschema:"pass, review or fail"`
	Groundedness float64            `json:"overall_groundedness" jsonschema:"share of the claims that are grounded"`
	Threshold    float64            `json:"threshold"`
	Counts       map[string]int     `json:"counts"`
	Claims       []verifiedClaimOut `json:"verified_claims" jsonschema:"those that need action; with all, every one"`
	ClaimIDs     []string           `json:"claim_ids,omitempty" jsonschema:"of the new claims, in order; use them from now on"`
	Hallucinated []hallucinatedOut  `json:"hallucinated_citations" jsonschema:"citations of what was never read"`
	Uncited      []uncitedOut       `json:"uncited_sentences"`
	Conflicts    []conflictOut      `json:"conflicts" jsonschema:"one quantity, two values"`
	CoverageGaps []string           `json:"coverage_gaps"`
	Flags        []string           `json:"flags"`
	Review       *reviewNeededOut   `json:"review,omitempty"`
	Complete     *completenessOut   `json:"completeness,omitempty" jsonschema:"what the draft omits"`
	Cycle        int                `json:"cycle"`
	GeneratedAt  time.Time          `json:"generated_at"`
	Left         int                `json:"left_out,omitempty" jsonschema:"claims that are not listed"`
	LeftAre      string             `json:"left_out_are,omitempty" jsonschema:"which they are and where to see them"`
}

type reviewNeededOut struct {
	Pending int    `json:"pending"`
	Batch   string `json:"batch,omitempty"`
	Next    string `json:"next"`
}

type completenessOut struct {
	Unused     []string `json:"unused_passages" jsonschema:"source, offsets, text: no sentence uses them"`
	Unread     []string `json:"unread_hits"`
	Unanswered []string `json:"unanswered"`
}

type verifiedClaimOut struct {
	ClaimID            string              `json:"claim_id,omitempty"`
	Claim              string              `json:"claim"`
	Status             string              `json:"status" jsonschema:"grounded, inferred or unsupported"`
	Basis              string              `json:"basis" jsonschema:"what grounds it: wording or review; empty unless grounded"`
	SourceID           string              `json:"source_id"`
	SourceURL          string              `json:"source_url,omitempty" jsonschema:"with all"`
	Confidence         float64             `json:"confidence"`
	Support            float64             `json:"support" jsonschema:"0 to 1"`
	Passage            *passageRef         `json:"passage,omitempty" jsonschema:"the passage that decided"`
	QuoteGrade         string              `json:"quote_grade,omitempty" jsonschema:"exact, normalised, fuzzy or absent"`
	IndependentOrigins int                 `json:"independent_origins" jsonschema:"of its support; one publication counts once"`
	Missing            []string            `json:"missing,omitempty" jsonschema:"of the claim, but not in the passage"`
	Flags              []string            `json:"flags,omitempty"`
	Differences        []citing.Difference `json:"differences,omitempty" jsonschema:"where the source says otherwise, with the words of both"`
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
	RecordedClaims(ctx context.Context, loop string, ids []string) ([]loopstate.Claim, error)
	Verify(ctx context.Context, in loops.VerifyInput) (loops.Verification, error)
}

func verifyCitations(d *definer, svc verifier) server.ServerTool {
	return define(d, manual{
		name: "verify_citations", title: "Check claims against what was read",
		description: fmt.Sprintf(`Check claims, or a whole draft, against the stored texts: grounded (a passage says it), inferred (wording cannot decide: review_claims does), unsupported (contradicted, or not found). Lists what needs action, with passage and differences; counts the rest.
Call it every round, with claim_ids or without claims for all recorded ones, and with the final text as draft: completeness is what it omits. Write in your own words; do not copy sources to pass. Citing an unread source, or nothing, is an error. verdict: pass from %.0f %% grounded on, review while claims wait, else fail.
Example: {"state_id": "…", "claims": [{"claim": "…", "source_ids": ["S1"]}]}`, 100*loops.DefaultThreshold),
		hints: hints{readOnly: true},
	}, func(ctx context.Context, in verifyIn) (verifyOut, error) {
		ask := loops.VerifyInput{Loop: in.StateID, Operation: in.OperationID, Draft: in.Draft, Judge: in.Judge}
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
		if len(in.Claims) == 0 && in.Draft == "" || len(in.ClaimIDs) > 0 {
			recorded, err := recordedClaims(ctx, svc, in)
			if err != nil {
				return verifyOut{}, err
			}
			ask.Claims = append(ask.Claims, recorded...)
		}
		v, err := svc.Verify(ctx, ask)
		if err != nil {
			return verifyOut{}, err
		}
		out := showVerification(v, in.All)
		if len(in.Claims) > 0 {
			for _, c := range v.Claims[:min(len(in.Claims), len(v.Claims))] {
				out.ClaimIDs = append(out.ClaimIDs, c.ClaimID)
			}
		}
		if !v.Gate() {
			return out, &shownError{"a citation leads to nothing that was read, or a claim cites nothing"}
		}
		return out, nil
	})
}

// recordedClaims returns the claims that a call names by their ids, or all claims of the loop.
func recordedClaims(ctx context.Context, svc verifier, in verifyIn) ([]citing.Claim, error) {
	recorded, err := svc.RecordedClaims(ctx, in.StateID, in.ClaimIDs)
	if err != nil {
		return nil, err
	}
	for i, id := range in.ClaimIDs {
		if i >= len(recorded) || recorded[i].ID != id {
			return nil, &wording.Mistake{Argument: fmt.Sprintf("claim_ids[%d]", i), Problem: fmt.Sprintf("unknown claim: %q", clip(id)), Remedy: "call loop_get_state with view claims for the ids"}
		}
	}
	if len(recorded) == 0 {
		return nil, &wording.Mistake{Argument: "claims", Problem: "missing", Remedy: "give claims [{claim, source_ids}], or the whole Markdown text as draft"}
	}
	out := make([]citing.Claim, len(recorded))
	for i, c := range recorded {
		out[i] = citing.New(c.Claim, c.SourceIDs...)
	}
	return out, nil
}

// needsAction reports whether a host should look at a claim: it is not grounded, or it has a flag.
// The flags left out here are counted in the answer's flags.
func needsAction(c loops.VerifiedClaim) bool {
	return c.Status != grounding.Grounded || slices.ContainsFunc(c.Flags, func(flag string) bool {
		kind, _, _ := strings.Cut(flag, ":")
		return kind != grounding.FlagSingleSource && kind != grounding.FlagSecondaryOnly && kind != loops.FlagNeverShown
	})
}

// showVerification lists the claims that need action, or all. If they do not fit, the last ones are left out.
func showVerification(v loops.Verification, all bool) verifyOut {
	out := verifyOut{StateID: v.StateID, Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold, Counts: map[string]int{},
		CoverageGaps: v.CoverageGaps, Flags: v.Flags, Cycle: v.Cycle, GeneratedAt: v.GeneratedAt}
	fine, cut := 0, 0
	left := loops.AnswerTokens - 1_000
	for _, c := range v.Claims {
		out.Counts[string(c.Status)]++
		if !all && !needsAction(c) {
			fine++
			continue
		}
		shown := showClaim(v, c, all)
		if body, err := MarshalAnswer(shown); err == nil {
			left -= loops.EstimateTokens(string(body))
		}
		if !all && left < 0 && len(out.Claims) > 0 {
			cut++
			continue
		}
		out.Claims = append(out.Claims, shown)
	}
	if v.Review.Pending > 0 {
		out.Review = &reviewNeededOut{v.Review.Pending, v.Review.Batch, "call review_claims, best in a fresh subagent that gets the state_id only"}
	}
	if v.Completeness != nil {
		out.Complete = showCompleteness(*v.Completeness)
	}
	out.Left = fine + cut
	switch {
	case cut > 0:
		out.LeftAre = fmt.Sprintf("%d grounded claims, and %d that need action but did not fit; all: true lists every claim", fine, cut)
	case fine > 0:
		out.LeftAre = "grounded claims, which need no action; all: true lists every claim"
	}
	for _, c := range v.Own {
		out.Counts["own_"+c.Sentence.Own]++
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

// maxLeftOutShown bounds a passage or a title that a draft leaves out, in code points.
const maxLeftOutShown = 110

func showCompleteness(c loops.Completeness) *completenessOut {
	out := &completenessOut{Unused: []string{}, Unread: []string{}, Unanswered: []string{}}
	for _, p := range c.Passages {
		out.Unused = append(out.Unused, fmt.Sprintf("%s %d-%d: %s", p.SourceID, p.Start, p.End, cutTo(strings.Join(strings.Fields(p.Text), " "), maxLeftOutShown)))
	}
	for _, hit := range c.Unread {
		out.Unread = append(out.Unread, cutTo(hit.Title, maxLeftOutShown)+" "+hit.URL)
	}
	for _, topic := range c.Unanswered {
		out.Unanswered = append(out.Unanswered, cutTo(topic, maxLeftOutShown))
	}
	return out
}

func refOf(v loops.Verification, e grounding.Evidence) passageRef {
	return passageRef{SourceID: e.SourceID, Start: e.Start, End: e.End, Text: e.Text, Page: v.PageOf(e)}
}

// maxPassageShown bounds the passage of a claim without all: true, in code points.
const maxPassageShown = 300

func showClaim(v loops.Verification, c loops.VerifiedClaim, all bool) verifiedClaimOut {
	out := verifiedClaimOut{ClaimID: c.ClaimID, Claim: c.Text, Status: string(c.Status), SourceID: c.SourceID, SourceURL: c.SourceURL, Confidence: c.Confidence, Support: c.Support,
		QuoteGrade: c.QuoteGrade, IndependentOrigins: c.IndependentOrigins, Missing: c.Missing, Basis: string(c.Basis), Differences: citing.Differences(c.Verdict), Flags: c.Flags, BetterSource: c.BetterSource, Because: c.Because}
	out.Line, out.Column = c.Place()
	if c.Passage != nil {
		ref := refOf(v, *c.Passage)
		out.Passage = &ref
	}
	if all {
		return out
	}
	out.SourceURL = ""
	if out.Passage != nil {
		out.Passage.Text = cutTo(out.Passage.Text, maxPassageShown)
	}
	return out
}
