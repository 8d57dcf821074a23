package tools

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools/arguments"
)

type verifyIn struct {
	StateID     string          `json:"state_id,omitempty" jsonschema:"without it, a draft gets a loop"`
	Claims      []verifyClaimIn `json:"claims,omitempty"`
	ClaimIDs    []string        `json:"claim_ids,omitempty" jsonschema:"or recorded ones (C1)"`
	Draft       string          `json:"draft,omitempty" jsonschema:"or the whole text"`
	Threshold   *float64        `json:"threshold,omitempty" jsonschema:"default 0.8"`
	Judge       string          `json:"judge,omitempty" enum:"none,llm" jsonschema:"llm: the user's model reads"`
	All         bool            `json:"all,omitempty" jsonschema:"list every claim"`
	Scratch     bool            `json:"scratch,omitempty" jsonschema:"leave no trace"`
	Angle       string          `json:"angle,omitempty" jsonschema:"a subagent's: lists what did not hold"`
	Queries     []string        `json:"queries,omitempty"`
	OperationID string          `json:"operation_id,omitempty"`
}

type verifyClaimIn struct {
	Claim      string        `json:"claim" jsonschema:"one sentence"`
	SourceIDs  []string      `json:"source_ids,omitempty" jsonschema:"S1:120-128"`
	Citations  []citationIn  `json:"citations,omitempty" jsonschema:"instead, to check quotes"`
	Confidence confidenceArg `json:"confidence,omitempty"`
}

type citationIn struct {
	SourceID string `json:"source_id,omitempty"`
	URL      string `json:"url,omitempty"`
	Quote    string `json:"quote,omitempty" jsonschema:"its words"`
}

type verifyOut struct {
	StateID      string             `json:"state_id,omitempty" jsonschema:"of a draft without a loop"`
	Verdict      string             `json:"verdict" jsonschema:"pass, review or fail"`
	Next         string             `json:"next,omitempty"`
	Cause        string             `json:"cause"`
	Groundedness float64            `json:"overall_groundedness" jsonschema:"share of those read that is supported"`
	Read         int                `json:"read"`
	Of           int                `json:"of"`
	Threshold    float64            `json:"threshold"`
	Counts       map[string]int     `json:"counts"`
	Claims       []verifiedClaimOut `json:"verified_claims" jsonschema:"of a draft, those that need action; with all, every one"`
	ClaimIDs     []string           `json:"claim_ids,omitempty" jsonschema:"of the new claims, in order"`
	Hallucinated []hallucinatedOut  `json:"hallucinated_citations" jsonschema:"of sources, addresses or lines that do not exist"`
	Uncited      []uncitedOut       `json:"uncited_sentences"`
	Conflicts    []conflictOut      `json:"conflicts" jsonschema:"recorded, or equal claims with two numbers"`
	CoverageGaps []string           `json:"coverage_gaps"`
	Flags        []string           `json:"flags"`
	Review       *reviewNeededOut   `json:"review,omitempty"`
	Cycle        int                `json:"cycle"`
	Left         int                `json:"left_out,omitempty" jsonschema:"not listed"`
	LeftAre      string             `json:"left_out_are,omitempty"`
}

type reviewNeededOut struct {
	Pending int    `json:"pending"`
	Batch   string `json:"batch,omitempty"`
	Next    string `json:"next"`
}

type verifiedClaimOut struct {
	ClaimID            string      `json:"claim_id,omitempty"`
	Claim              string      `json:"claim,omitempty" jsonschema:"absent if claim_id was asked for and nothing is to do"`
	Status             string      `json:"status" jsonschema:"grounded, inferred or unsupported"`
	Read               bool        `json:"read,omitempty" jsonschema:"somebody else than the author has read the lines"`
	Basis              string      `json:"basis,omitempty" jsonschema:"review: a reader found that the lines say it"`
	Reader             string      `json:"reader,omitempty"`
	SourceID           string      `json:"source_id,omitempty" jsonschema:"of lines, if they do not begin with it"`
	SourceURL          string      `json:"source_url,omitempty"`
	Lines              string      `json:"lines,omitempty" jsonschema:"cited, or found where none are"`
	Confidence         float64     `json:"confidence,omitempty" jsonschema:"the reader's measured accuracy, at least"`
	Verbatim           bool        `json:"verbatim,omitempty" jsonschema:"its words stand there; decides nothing. With all"`
	Remarks            []remarkOut `json:"remarks,omitempty" jsonschema:"what to look at; no verdict"`
	Passage            *passageRef `json:"passage,omitempty" jsonschema:"the cited lines"`
	QuoteGrade         string      `json:"quote_grade,omitempty" jsonschema:"exact, normalised, fuzzy or absent"`
	IndependentOrigins int         `json:"independent_origins,omitempty" jsonschema:"one publication counts once"`
	Flags              []string    `json:"flags,omitempty"`
	Because            string      `json:"because,omitempty"`
	Line               int         `json:"line,omitempty" jsonschema:"in the draft"`
	Column             int         `json:"column,omitempty"`
}

type remarkOut struct {
	Kind  string `json:"kind"`
	Claim string `json:"claim,omitempty"`
	Lines string `json:"lines"`
	Text  string `json:"text,omitempty"`
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

func verifyCitations(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "verify_citations", title: "Check claims against what was read",
		description: fmt.Sprintf(`Check the citations of a draft or of claims. Cite the line that says it: [S1:120-128]. It reads up to `+
			`%d cited addresses that nobody has read. Errors: no such source, address or line, a quotation that is nowhere, no `+
			`citation. Whether the lines say it, a reader decides (review_claims); until then a claim is inferred.
Give the text as draft, or claims, claim_ids, or neither for all recorded ones. Correct what is wrong, leave the rest. verdict: fail `+
			`(errors, contradicted, under %.0f %% of what was read supported), review (to be read), `+
			`pass.`, loops.MaxURLs, 100*verify.DefaultThreshold),
		hints: hints{readOnly: true, openWorld: true},
	}, func(ctx context.Context, in verifyIn) (verifyOut, error) {
		if in.StateID == "" && in.Draft == "" {
			return verifyOut{}, &wording.Mistake{Argument: "state_id", Problem: "missing",
				Remedy: "give the loop's, or the whole text as draft, which gets a loop of its own"}
		}
		ask := loops.VerifyInput{Loop: in.StateID, Operation: in.OperationID, Draft: in.Draft, Judge: in.Judge, Angle: in.Angle,
			Queries: in.Queries, Scratch: in.Scratch}
		if in.Threshold != nil {
			ask.Threshold = *in.Threshold
		}
		for _, c := range in.Claims {
			claim := verify.New(c.Claim)
			for _, cite := range c.Citations {
				cited := verify.Cite(cite.SourceID)
				cited.URL, cited.Quote = cite.URL, cite.Quote
				claim.Citations = append(claim.Citations, cited)
			}
			claim.Citations = append(claim.Citations, verify.New("", c.SourceIDs...).Citations...)
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
		out := showVerification(v, len(in.Claims), in.All || in.Draft == "" && in.Angle == "", in.All)
		if in.StateID == "" {
			out.StateID = v.StateID
		}
		if in.Scratch {
			out.Next = strings.Replace(out.Next, "review_claims, then loop_report", "check again without scratch, then review_claims", 1)
		}
		if !v.Gate() {
			return out, &shownError{"a citation leads to nothing that was read, or a claim cites nothing"}
		}
		return out, nil
	})
}

// recordedClaims returns the claims that a call names by their ids, or all claims of the loop.
func recordedClaims(ctx context.Context, svc *loops.Service, in verifyIn) ([]verify.Claim, error) {
	recorded, err := svc.RecordedClaims(ctx, in.StateID, in.ClaimIDs)
	if err != nil {
		return nil, err
	}
	for i, id := range in.ClaimIDs {
		if i >= len(recorded) || recorded[i].ID != id {
			return nil, &wording.Mistake{Argument: fmt.Sprintf("claim_ids[%d]", i),
				Problem: fmt.Sprintf("unknown claim: %q", arguments.Clip(id)), Remedy: "call loop_get_state with view claims for the ids"}
		}
	}
	if len(recorded) == 0 {
		return nil, &wording.Mistake{Argument: "claims", Problem: "missing",
			Remedy: "give claims [{claim, source_ids}], or the whole Markdown text as draft"}
	}
	return each(recorded, func(c loopstate.Claim) verify.Claim { return verify.New(c.Claim, c.References()...) }), nil
}

// countedFlags are the kinds of flags that the answer counts instead of listing them claim by claim.
var countedFlags = []string{verify.FlagSingleSource, verify.FlagSecondaryOnly}

// needsAction reports whether a host should look at a claim: it is an error, a reader did not find it supported, or it has a
// remark. What only waits for its reader needs nothing.
func needsAction(c verify.Claim) bool {
	return c.Status == loopstate.Unsupported || c.Read() && c.Status != loopstate.Grounded || !c.Read() && len(c.Remarks) > 0 ||
		slices.ContainsFunc(rowFlags(c), func(flag string) bool { return !strings.HasPrefix(flag, verify.FlagAtCheck) })
}

// rowFlags returns the flags of a claim that the answer does not count.
func rowFlags(c verify.Claim) []string {
	return slices.DeleteFunc(slices.Clone(c.Flags), func(flag string) bool {
		kind, _, _ := strings.Cut(flag, ":")
		return slices.Contains(countedFlags, kind)
	})
}

// Bounds of an answer, in code points.
const (
	maxVerifyChars    = 15_000 // with the frame around it no answer is over 16,000, except with all
	maxFullChars      = 4_000  // of rows with their passages and addresses: more claims get short rows
	maxPassageShown   = 300    // of a passage
	maxClaimShown     = 200    // of a claim
	maxOwnDraftShown  = 80     // of a sentence of a draft that needs no reading here: the host has it, and its line
	maxUncitedShown   = 40     // sentences that cite nothing
	maxDeadChars      = 5_000  // citations that lead to nothing
	maxFlagsShown     = 30
	maxRemarksShown   = 5
	maxConflictsShown = 10
)

// showVerification lists the claims that need action, or all, with their passages if full is set and they fit. If not even the
// rows fit, the last ones are left out. The first given claims are new.
func showVerification(v verify.Result, given int, all, full bool) verifyOut {
	out := verifyOut{Verdict: v.Verdict, Cause: v.Cause(), Groundedness: twoDigits(v.Groundedness), Read: v.Tally.Read(),
		Of: v.Tally.Total(), Threshold: v.Threshold,
		Counts: map[string]int{}, CoverageGaps: v.CoverageGaps, Flags: shortFlags(flagsBesideRows(v)), Cycle: v.Cycle, Next: nextAfter(v)}
	if v.Review.Pending > 0 {
		out.Review = &reviewNeededOut{v.Review.Pending, v.Review.Batch, reviewAdvice(v.Review.Pending, len(v.Edits()) > 0)}
	}
	out.ClaimIDs = each(v.Claims[:min(given, len(v.Claims))], func(c verify.Claim) string { return c.ID })
	for _, c := range v.Own {
		out.Counts["own_"+c.Sentence.Own]++
	}
	dead := each(v.Hallucinated, func(h loopstate.Hallucinated) hallucinatedOut {
		return hallucinatedOut{cutTo(h.Claim, maxClaimShown), cutTo(h.Citation, maxOwnDraftShown), cutTo(h.Why, maxClaimShown)}
	})
	out.Hallucinated = within(dead, maxDeadChars, charsOf) // cause has their number
	out.Uncited = each(v.Uncited[:min(len(v.Uncited), maxUncitedShown)], func(u verify.Claim) uncitedOut {
		line, column := u.Place()
		return uncitedOut{cutTo(u.Text, maxOwnDraftShown), line, column}
	})
	for _, c := range v.Conflicts[:min(len(v.Conflicts), maxConflictsShown)] {
		shown := conflictOut{c.Topic, refOf(v, c.A), refOf(v, c.B), c.ValueA, c.ValueB, c.Because}
		if charsOf(out)+charsOf(shown) <= maxVerifyChars {
			out.Conflicts = append(out.Conflicts, shown)
		}
	}
	out.listClaims(v, given, all, full)
	return out
}

// listClaims lists what needs action, or with all every claim.
func (out *verifyOut) listClaims(v verify.Result, given int, all, full bool) {
	for _, c := range v.Claims {
		out.Counts[c.Status]++
	}
	left := maxVerifyChars - charsOf(*out)
	fine, waiting, unchecked, cut := 0, 0, 0, 0
	full = full && charsOf(each(v.Claims, func(c verify.Claim) verifiedClaimOut { return showClaim(v, c, true) })) <= min(left,
		maxFullChars)
	for i, c := range v.Claims {
		if !all && !needsAction(c) {
			switch {
			case c.Pending():
				waiting++
			case c.Read():
				fine++
			default:
				unchecked++
			}
			continue
		}
		shown := showClaim(v, c, full)
		if i >= given && shown.Line == 0 && !full && !needsAction(c) {
			shown.Claim = "" // the host named it by its id
		}
		if left -= charsOf(shown); left < 0 {
			cut++
			continue
		}
		out.Claims = append(out.Claims, shown)
	}
	if out.Left = fine + waiting + unchecked + cut; out.Left == 0 {
		return
	}
	var groups []string
	for _, group := range []struct {
		n  int
		of string
	}{{fine, "supported"}, {waiting, "not read yet, which need no edit"}, {unchecked, "whose texts could not be read"},
		{cut, "that did not fit"}} {
		if group.n > 0 {
			groups = append(groups, fmt.Sprintf("%d %s", group.n, group.of))
		}
	}
	out.LeftAre = strings.Join(groups, "; ") + "; all: true lists every claim"
}

// reviewItemChars is what an item of a review costs its reader with its answer, in characters (measured).
const reviewItemChars = 750

// reviewAdvice says what to do about the waiting claims of a loop, and what it costs.
func reviewAdvice(pending int, edits bool) string {
	first := "Call"
	if edits {
		first = "Correct first: a changed sentence is read again. Then call"
	}
	return fmt.Sprintf("%s review_claims, best in a fresh subagent that gets the state_id only (about %d,000 characters)", first,
		(pending*reviewItemChars+14*reviewItemChars+999)/1_000)
}

// flagsBesideRows returns the flags of a verification without those in the rows of claims.
func flagsBesideRows(v verify.Result) []string {
	inRows := map[string]bool{}
	for _, c := range v.Claims {
		for _, flag := range rowFlags(c) {
			inRows[verify.FlagLine(c, flag)] = true
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

func refOf(v verify.Result, p verify.Passage) passageRef {
	return passageRef{SourceID: p.SourceID, Start: p.Start, End: p.End, Text: cutTo(p.Text, maxPassageShown), Page: v.PageOf(p)}
}

// showClaim shows a claim. full adds the address and the passage; a read claim that is not supported has its passage always.
func showClaim(v verify.Result, c verify.Claim, full bool) verifiedClaimOut {
	out := verifiedClaimOut{ClaimID: c.ID, Claim: cutTo(c.Text, maxClaimShown), Status: c.Status, Read: c.Read(), Basis: c.Basis(),
		Lines: c.Lines(), Confidence: twoDigits(c.Confidence), Verbatim: c.Verbatim,
		QuoteGrade: string(c.QuoteGrade()), IndependentOrigins: c.Origins, Flags: rowFlags(c)}
	out.Line, out.Column = c.Place()
	if c.Reading != nil {
		out.Reader = c.Reading.Reader.String()
	}
	if out.Because = c.Because; c.Pending() { // read: false says it, and the host has the sentence
		out.Because, out.IndependentOrigins = "", 0
		if !full {
			out.Claim, out.Verbatim = cutTo(c.Text, maxOwnDraftShown), false
		}
	}
	for _, r := range c.Remarks[:min(len(c.Remarks), maxRemarksShown)] {
		out.Remarks = append(out.Remarks, remarkOut{string(r.Kind), r.Claim, fmt.Sprintf("%s:%d", r.SourceID, r.Line), r.Text})
	}
	if len(c.Passages) == 0 {
		return out
	}
	out.SourceID = c.Passages[0].SourceID
	if full {
		out.SourceURL = v.SourceURL(out.SourceID)
	}
	if full || c.Read() && c.Status != loopstate.Grounded {
		ref := refOf(v, c.Passages[0])
		out.Passage = &ref
	}
	if first := c.Passages[0]; !c.Pinpointed() && strings.Contains(first.Text, c.Text) { // the other places are not needed
		out.Lines = first.SourceID + ":" + first.Lines
	}
	if strings.HasPrefix(out.Lines, out.SourceID+":") {
		out.SourceID = ""
	}
	return out
}

func twoDigits(x float64) float64 { return math.Round(100*x) / 100 }

// nextAfter says what to do now. It never asks for other words.
func nextAfter(v verify.Result) string {
	waiting := len(v.Pending)
	switch edits := v.Edits(); {
	case len(edits) > 0 && waiting > 0:
		return fmt.Sprintf("correct %s, and check again; leave %s, a reader decides", strings.Join(edits, ", "), notRead(waiting))
	case len(edits) > 0:
		return "correct " + strings.Join(edits, ", ") + ", and check again"
	case waiting > 0:
		return "review_claims, then loop_report"
	case v.Verdict != verify.Pass && v.Unread() > 0:
		return "check again for cited addresses that were late or left; paste the texts of the others (fetch), or cite other sources"
	case v.Verdict != verify.Pass && v.Tally.NotChecked > 0:
		return "fetch the cited texts that could not be read, or cite others"
	case v.Verdict != verify.Pass:
		return "nothing to correct or to read: it makes no claim that needs a source"
	case v.Tolerated() > 0:
		return fmt.Sprintf("loop_report; correct what you can of the %d that are not fully supported, they do not stop it", v.Tolerated())
	}
	return "loop_report"
}

func notRead(n int) string {
	if n == 1 {
		return "the one that is not read yet"
	}
	return fmt.Sprintf("the %d that are not read yet", n)
}
