package tools

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/grounding/review"
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
	Next         string             `json:"next,omitempty"`
	Cause        string             `json:"cause"`
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
	SinceLast    string             `json:"since_last,omitempty"`
}

type reviewNeededOut struct {
	Pending int    `json:"pending"`
	Batch   string `json:"batch,omitempty"`
	Next    string `json:"next"`
}

type completenessOut struct {
	Unused     []string `json:"unused_passages" jsonschema:"about what is unanswered: source, offsets, text"`
	Sections   []string `json:"unread_sections,omitempty" jsonschema:"of cited sources: offset and heading"`
	Unread     []string `json:"unread_hits"`
	Unanswered []string `json:"unanswered"`
}

type verifiedClaimOut struct {
	ClaimID            string              `json:"claim_id,omitempty"`
	Claim              string              `json:"claim"`
	Status             string              `json:"status" jsonschema:"grounded, inferred or unsupported"`
	Basis              string              `json:"basis,omitempty" jsonschema:"what grounds it: wording or review"`
	SourceID           string              `json:"source_id"`
	SourceURL          string              `json:"source_url,omitempty"`
	Confidence         float64             `json:"confidence"`
	Support            float64             `json:"support,omitempty" jsonschema:"0 to 1"`
	Passage            *passageRef         `json:"passage,omitempty" jsonschema:"the passage that decided"`
	QuoteGrade         string              `json:"quote_grade,omitempty" jsonschema:"exact, normalised, fuzzy or absent"`
	IndependentOrigins int                 `json:"independent_origins,omitempty" jsonschema:"of its support; one publication counts once"`
	Missing            []string            `json:"missing,omitempty" jsonschema:"of the claim, but not in the passage"`
	Flags              []string            `json:"flags,omitempty"`
	Differences        []citing.Difference `json:"differences,omitempty" jsonschema:"where the source says otherwise, with the words of both"`
	BetterSource       string              `json:"better_source,omitempty" jsonschema:"another source of the loop that supports it"`
	Because            string              `json:"because,omitempty"`
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
	shown := newShownDrafts()
	return define(d, manual{
		name: "verify_citations", title: "Check claims against what was read",
		description: fmt.Sprintf(`Check claims, or a draft, against the stored texts: grounded (a passage says it), inferred (wording cannot decide: review_claims does), unsupported (contradicted, or not found). Lists what needs action; counts the rest.
Call it with the final text as draft: completeness is what it omits; or with claims, claim_ids, or neither for all recorded ones. Write in your own words; do not copy sources or cut what waits to pass. Citing an unread source, or nothing, fails. verdict: pass from %.0f %% grounded on, review while claims wait, else fail.
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
		var last shownDraft
		if in.Draft != "" && !in.All {
			last = shown.last(in.StateID, in.OperationID)
		}
		out := showVerification(v, in.All, last)
		if in.Draft != "" && !in.All {
			shown.shorten(&out, v, last, in.OperationID)
			out.Next = nextAfter(v, out.Complete)
		}
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
		return !slices.Contains(countedFlags, kind)
	})
}

// countedFlags are the kinds of flags that the answer counts instead of listing them claim by claim.
var countedFlags = []string{grounding.FlagSingleSource, grounding.FlagSecondaryOnly, loops.FlagNeverShown}

// Bounds of an answer, in code points.
const (
	maxVerifyChars   = 15_000 // with the frame around it no answer is over 16,000, except with all
	maxPassageShown  = 300    // of a passage
	maxClaimShown    = 200    // of a claim
	maxOwnDraftShown = 80     // of a sentence of a draft that needs no reading here: the host has it, and its line
	maxUncitedShown  = 40     // sentences that cite nothing
	maxFlagsShown    = 30
)

// showVerification lists the claims that need action, or all. If they do not fit, the last ones are left out. Those that
// the last answer listed have a short row.
func showVerification(v loops.Verification, all bool, last shownDraft) verifyOut {
	out := verifyOut{StateID: v.StateID, Verdict: v.Verdict, Cause: v.Cause(), Groundedness: v.Groundedness, Threshold: v.Threshold, Counts: map[string]int{},
		CoverageGaps: v.CoverageGaps, Flags: shortFlags(flagsBesideRows(v)), Cycle: v.Cycle, GeneratedAt: v.GeneratedAt}
	if v.Review.Pending > 0 {
		out.Review = &reviewNeededOut{v.Review.Pending, v.Review.Batch, reviewAdvice(v.Review.Pending)}
	}
	if v.Completeness != nil {
		out.Complete = showCompleteness(*v.Completeness)
	}
	out.Next = nextAfter(v, out.Complete)
	for _, c := range v.Own {
		out.Counts["own_"+c.Sentence.Own]++
	}
	for _, h := range v.Hallucinated {
		out.Hallucinated = append(out.Hallucinated, hallucinatedOut{cutTo(h.Claim, maxClaimShown), h.Citation, h.Why})
	}
	for _, u := range v.Uncited[:min(len(v.Uncited), maxUncitedShown)] {
		line, column := u.Place()
		out.Uncited = append(out.Uncited, uncitedOut{cutTo(u.Text, maxOwnDraftShown), line, column})
	}
	for _, c := range v.Conflicts {
		shown := conflictOut{c.Topic, refOf(v, c.A), refOf(v, c.B), c.ValueA, c.ValueB, c.Because}
		if fits(&shown.A, &shown.B); fitsIn(out, shown) {
			out.Conflicts = append(out.Conflicts, shown)
		}
	}
	out.listClaims(v, all, last)
	return out
}

// fits shortens passages for an answer.
func fits(refs ...*passageRef) {
	for _, r := range refs {
		r.Text = cutTo(r.Text, maxPassageShown)
	}
}

// fitsIn reports whether an answer has left for another part.
func fitsIn(out verifyOut, part any) bool { return charsOf(out)+charsOf(part) <= maxVerifyChars }

// charsOf returns the length of a value in an answer.
func charsOf(v any) int {
	body, err := MarshalAnswer(v)
	if err != nil {
		return 0
	}
	return utf8.RuneCountInString(string(body))
}

// listClaims lists what needs action. Claims that wait for a reader are only counted, because the host does nothing about
// them. With all it lists every claim, in full if that fits.
func (out *verifyOut) listClaims(v loops.Verification, all bool, last shownDraft) {
	for _, c := range v.Claims {
		out.Counts[string(c.Status)]++
	}
	left := maxVerifyChars - charsOf(*out)
	if all {
		if out.Claims = showClaims(v, true); charsOf(out.Claims) > left {
			out.Claims = showClaims(v, false)
		}
		return
	}
	fine, waiting, cut := 0, 0, 0
	for _, c := range v.Claims {
		switch {
		case waits(c):
			waiting++
			continue
		case !needsAction(c):
			fine++
			continue
		}
		shown := showClaim(v, c, false)
		if last.problems[sumOf(problemOf(c))] {
			shown = oldRow(c)
		}
		if left -= charsOf(shown) + 1; left < 0 {
			cut++
			continue
		}
		out.Claims = append(out.Claims, shown)
	}
	if out.Left = fine + waiting + cut; out.Left == 0 {
		return
	}
	if out.Left == fine {
		out.LeftAre = "grounded claims, which need no action; all: true lists every claim"
		return
	}
	var groups []string
	for _, group := range []struct {
		n  int
		of string
	}{{fine, "grounded, which need no action"}, {waiting, "waiting for the review, which need no edit"}, {cut, "that need action but did not fit"}} {
		if group.n > 0 {
			groups = append(groups, fmt.Sprintf("%d %s", group.n, group.of))
		}
	}
	out.LeftAre = "claims: " + strings.Join(groups, "; ") + "; all: true lists every claim"
}

func showClaims(v loops.Verification, full bool) []verifiedClaimOut {
	var out []verifiedClaimOut
	for _, c := range v.Claims {
		out = append(out, showClaim(v, c, full))
	}
	return out
}

// rowFlags returns the flags of a claim as far as no other part of the answer has them: the frequent ones are counted in
// the answer's flags, and what a flag says of a difference is in because.
func rowFlags(c loops.VerifiedClaim) []string {
	var out []string
	for _, flag := range c.Flags {
		kind, says, _ := strings.Cut(flag, ": ")
		switch {
		case slices.Contains(countedFlags, kind):
		case says != "" && strings.Contains(c.Because, strings.TrimPrefix(says, "the source says ")):
			out = append(out, kind)
		default:
			out = append(out, flag)
		}
	}
	return out
}

// waits reports whether the only thing to do about a claim is to have it read.
func waits(c loops.VerifiedClaim) bool { return c.Status == grounding.Inferred && c.Pending() }

// reviewItemChars is what an item of a review costs its reader with its answer, in characters (measured).
const reviewItemChars = 1_000

// reviewAdvice says what to do about waiting claims, and what it costs.
func reviewAdvice(pending int) string {
	batches, items := review.Work(pending)
	return fmt.Sprintf("finish all edits, then review once: a claim with another word is read again, and a batch costs as much for few claims as for %d. A review now is about %d items in %d batches, %d,000 characters; then call review_claims, best in a fresh subagent that gets the state_id only",
		review.MaxPendingNow,
		items, batches, (items*reviewItemChars+999)/1_000)
}

// flagsBesideRows returns the flags of a verification without those in the rows of claims.
func flagsBesideRows(v loops.Verification) []string {
	inRows := map[string]bool{}
	for _, c := range v.Claims {
		if !needsAction(c) || waits(c) {
			continue
		}
		for _, flag := range c.Flags {
			inRows[c.FlagLine(flag)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(v.Flags), func(flag string) bool { return inRows[flag] })
}

// shortFlags bounds the flags of an answer.
func shortFlags(flags []string) []string {
	var out []string
	for i, flag := range flags {
		if i == maxFlagsShown {
			return append(out, fmt.Sprintf("and %d more flags", len(flags)-i))
		}
		out = append(out, cutTo(flag, maxPassageShown))
	}
	return out
}

// maxLeftOutShown bounds a passage or a title that a draft leaves out, and maxSectionShown a heading, in code points.
const (
	maxLeftOutShown = 110
	maxSectionShown = 70
)

func showCompleteness(c loops.Completeness) *completenessOut {
	out := &completenessOut{Unused: []string{}, Unread: []string{}, Unanswered: []string{}}
	for _, p := range c.Passages {
		out.Unused = append(out.Unused, fmt.Sprintf("%s %d-%d: %s", p.SourceID, p.Start, p.End, cutTo(strings.Join(strings.Fields(p.Text), " "), maxLeftOutShown)))
	}
	for _, hit := range c.Hits {
		out.Unread = append(out.Unread, cutTo(hit.Title, maxLeftOutShown)+" "+hit.URL)
	}
	for _, part := range c.Unread {
		var sections []string
		for _, h := range part.Sections {
			sections = append(sections, fmt.Sprintf("%d %s", h.Start, cutTo(h.Text, maxSectionShown)))
		}
		line := fmt.Sprintf("%s, %.0f %% not shown: %s", part.SourceID, 100*part.Share, strings.Join(sections, "; "))
		if part.More > 0 {
			line += fmt.Sprintf("; %d more", part.More)
		}
		out.Sections = append(out.Sections, line)
	}
	for _, topic := range c.Unanswered {
		out.Unanswered = append(out.Unanswered, cutTo(topic, maxLeftOutShown))
	}
	return out
}

func refOf(v loops.Verification, e grounding.Evidence) passageRef {
	return passageRef{SourceID: e.SourceID, Start: e.Start, End: e.End, Text: e.Text, Page: v.PageOf(e)}
}

// showClaim shows a claim: all about one that needs action, the place and the verdict of any other unless the full row is
// wanted.
func showClaim(v loops.Verification, c loops.VerifiedClaim, full bool) verifiedClaimOut {
	out := verifiedClaimOut{ClaimID: c.ClaimID, Claim: cutTo(c.Text, maxClaimShown), Status: string(c.Status), Basis: string(c.Basis), SourceID: c.SourceID, Confidence: twoDigits(c.Confidence)}
	out.Line, out.Column = c.Place()
	if full {
		out.Claim, out.SourceURL = c.Text, c.SourceURL
	} else if waits(c) || !needsAction(c) {
		if c.Sentence != nil {
			out.Claim = cutTo(c.Text, maxOwnDraftShown)
		}
		if waits(c) {
			out.Missing = c.Missing
		}
		return out
	}
	out.Support, out.QuoteGrade, out.IndependentOrigins, out.Missing, out.Flags = twoDigits(c.Support), c.QuoteGrade, c.IndependentOrigins, c.Missing, c.Flags
	out.Differences, out.BetterSource, out.Because = citing.Differences(c.Verdict), c.BetterSource, c.Because
	if !full {
		out.Flags = rowFlags(c)
	}
	if c.Reading != nil && !full { // because has the reader's quote
		out.Missing = nil
		return out
	}
	if c.Passage != nil {
		ref := refOf(v, *c.Passage)
		if !full {
			fits(&ref)
		}
		out.Passage = &ref
	}
	return out
}

func twoDigits(x float64) float64 { return math.Round(100*x) / 100 }
