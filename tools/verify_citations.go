package tools

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type verifyIn struct {
	StateID     string          `json:"state_id"`
	Claims      []verifyClaimIn `json:"claims"`
	ClaimIDs    []string        `json:"claim_ids"`
	Draft       string          `json:"draft"`
	Threshold   float64         `json:"threshold"`
	Judge       string          `json:"judge"`
	All         bool            `json:"all"`
	Scratch     bool            `json:"scratch"`
	Angle       string          `json:"angle"`
	Queries     []string        `json:"queries"`
	OperationID string          `json:"operation_id"`
}

// claimIn renames loopstate.Claim, which has a field of that name.
type claimIn loopstate.Claim

type verifyClaimIn struct {
	claimIn
	Citations []struct {
		SourceID string `json:"source_id"`
		URL      string `json:"url"`
		Quote    string `json:"quote"`
	} `json:"citations"`
}

func (c verifyClaimIn) claim() verify.Claim {
	text, ids := cited(c.Claim, c.SourceIDs)
	claim := verify.New(text)
	for _, cite := range c.Citations {
		cited := verify.Cite(cite.SourceID)
		cited.URL, cited.Quote = cite.URL, cite.Quote
		claim.Citations = append(claim.Citations, cited)
	}
	claim.Citations = append(claim.Citations, verify.New("", ids...).Citations...)
	return claim
}

type verifyOut struct {
	StateID      string                   `json:"state_id,omitempty"` // of a draft without a loop
	Verdict      string                   `json:"verdict"`
	Next         string                   `json:"next,omitempty"`
	Cause        string                   `json:"cause,omitempty"`
	Groundedness float64                  `json:"overall_groundedness"` // share of those read that is supported
	Read         int                      `json:"read"`
	Of           int                      `json:"of"`
	Threshold    float64                  `json:"threshold"`
	Counts       map[string]int           `json:"counts,omitempty"`
	Claims       []verifiedClaimOut       `json:"verified_claims"`        // of a draft, those that need action; with all, every one
	ClaimIDs     []string                 `json:"claim_ids,omitempty"`    // of the new claims, in order
	Hallucinated []loopstate.Hallucinated `json:"hallucinated_citations"` // of sources, addresses or lines that do not exist
	Uncited      []uncitedOut             `json:"uncited_sentences,omitempty"`
	Conflicts    []conflictOut            `json:"conflicts"` // recorded, or equal claims with two numbers
	CoverageGaps []string                 `json:"coverage_gaps"`
	Flags        []string                 `json:"flags,omitempty"`
	Review       *reviewNeededOut         `json:"review,omitempty"`
	Cycle        int                      `json:"cycle"`
	Left         int                      `json:"left_out,omitempty"`
	LeftAre      string                   `json:"left_out_are,omitempty"`
}

type reviewNeededOut struct {
	Pending int    `json:"pending"`
	Batch   string `json:"batch,omitempty"`
	Next    string `json:"next"`
}

type verifiedClaimOut struct {
	ClaimID            string            `json:"claim_id,omitempty"`
	Claim              string            `json:"claim,omitempty"` // absent if claim_id was asked for and nothing is to do
	Status             string            `json:"status"`
	Read               bool              `json:"read,omitempty"` // somebody else than the author has read the lines
	Basis              string            `json:"basis,omitempty"`
	Reader             string            `json:"reader,omitempty"`
	SourceID           string            `json:"source_id,omitempty"` // of lines, if they do not begin with it
	SourceURL          string            `json:"source_url,omitempty"`
	Lines              string            `json:"lines,omitempty"`      // cited, or found where none are
	Confidence         float64           `json:"confidence,omitempty"` // the reader's measured accuracy, at least
	Verbatim           bool              `json:"verbatim,omitempty"`   // its words stand there; decides nothing. With all
	Remarks            []remarkOut       `json:"remarks,omitempty"`
	Passage            *loopstate.Quoted `json:"passage,omitempty"` // the cited lines
	QuoteGrade         quote.Grade       `json:"quote_grade,omitempty"`
	IndependentOrigins int               `json:"independent_origins,omitempty"`
	Flags              []string          `json:"flags,omitempty"`
	Because            string            `json:"because,omitempty"`
	Line               int               `json:"line,omitempty"` // in the draft
	Column             int               `json:"column,omitempty"`
}

type remarkOut struct {
	Kind  remark.Kind `json:"kind"`
	Claim string      `json:"claim,omitempty"`
	Lines string      `json:"lines"`
	Text  string      `json:"text,omitempty"`
}

type uncitedOut struct {
	Text   string `json:"text"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Why    string `json:"why"`
}

type conflictOut struct {
	Topic   string           `json:"topic"`
	A       loopstate.Quoted `json:"a"`
	B       loopstate.Quoted `json:"b"`
	ValueA  string           `json:"value_a,omitempty"`
	ValueB  string           `json:"value_b,omitempty"`
	Because string           `json:"because,omitempty"`
}

func verifyCitations(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "verify_citations", func(ctx context.Context, in verifyIn) (verifyOut, error) {
		if in.StateID == "" && in.Draft == "" {
			return verifyOut{}, &wording.Mistake{Argument: "state_id", Problem: "missing",
				Remedy: "give the loop's, or the whole text as draft, which gets a loop of its own"}
		}
		in.ClaimIDs = named(in.ClaimIDs)
		ask := loops.VerifyInput{Loop: in.StateID, Operation: in.OperationID, Draft: in.Draft, Judge: in.Judge, Angle: in.Angle,
			Queries: in.Queries, Scratch: in.Scratch, Threshold: in.Threshold, Claims: each(in.Claims, verifyClaimIn.claim)}
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
func recordedClaims(ctx context.Context, svc *loops.Service, in verifyIn) (claims []verify.Claim, err error) {
	recorded, err := svc.RecordedClaims(ctx, in.StateID)
	switch {
	case err != nil:
		return nil, err
	case len(recorded)+len(in.ClaimIDs) == 0:
		return nil, &loopstate.Error{Code: loopstate.CodeMissing, Subject: "claims"}
	case len(in.ClaimIDs) == 0:
		return recorded, nil
	}
	for i, id := range in.ClaimIDs {
		at := slices.IndexFunc(recorded, func(c verify.Claim) bool { return c.ID == id })
		if at < 0 {
			return nil, &loopstate.Error{Code: loopstate.CodeUnknownClaim, Subject: fmt.Sprintf("claim_ids[%d]", i), Value: id}
		}
		claims = append(claims, recorded[at])
	}
	return claims, nil
}

// needsAction reports whether a host should look at a claim: it is an error, a reader did not find it supported, or it has a
// remark. What only waits for its reader needs nothing.
func needsAction(c verify.Claim) bool {
	return c.Status == loopstate.Unsupported || c.Read() && c.Status != loopstate.Grounded || !c.Read() && len(c.Remarks) > 0 ||
		len(rowFlags(c)) > 0
}

// rowFlags returns the flags of a claim that the answer does not count instead.
func rowFlags(c verify.Claim) []string {
	return slices.DeleteFunc(slices.Clone(c.Flags), func(flag string) bool {
		kind, _, _ := strings.Cut(flag, ":")
		return kind == verify.FlagSingleSource || kind == verify.FlagSecondaryOnly
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
		Of: v.Tally.Total(), Threshold: v.Threshold, Counts: map[string]int{}, Claims: []verifiedClaimOut{}, Conflicts: []conflictOut{},
		CoverageGaps: append([]string{}, v.CoverageGaps...), Cycle: v.Cycle, Next: nextAfter(v)}
	out.Flags = each(v.Flags[:min(len(v.Flags), maxFlagsShown)], func(flag string) string { return cutTo(flag, maxPassageShown) })
	if v.Review.Pending > 0 {
		out.Review = &reviewNeededOut{v.Review.Pending, v.Review.Batch, reviewAdvice(v.Review.Pending, len(v.Edits()) > 0)}
	}
	out.ClaimIDs = each(v.Claims[:min(given, len(v.Claims))], func(c verify.Claim) string { return c.ID })
	for _, c := range v.Own {
		out.Counts["own_"+c.Sentence.Own]++
	}
	dead := each(v.Hallucinated, func(h loopstate.Hallucinated) loopstate.Hallucinated {
		h.Claim, h.Citation, h.Why = cutTo(h.Claim, maxClaimShown), cutTo(h.Citation, maxOwnDraftShown), cutTo(h.Why, maxClaimShown)
		return h
	})
	out.Hallucinated = within(dead, maxDeadChars) // cause has their number
	out.Uncited = each(v.Uncited[:min(len(v.Uncited), maxUncitedShown)], func(u verify.Claim) uncitedOut {
		line, column := u.Place()
		return uncitedOut{cutTo(u.Text, maxOwnDraftShown), line, column, u.WhyUncited()}
	})
	for _, c := range v.Conflicts[:min(len(v.Conflicts), maxConflictsShown)] {
		shown := conflictOut{c.Topic, quoted(v, c.A), quoted(v, c.B), c.ValueA, c.ValueB, c.Because}
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
	full = full && charsOf(each(v.Claims, func(c verify.Claim) verifiedClaimOut { return showClaim(v, c, true) })) <= min(left,
		maxFullChars)
	const waiting, unread, unfit, supported = "not read yet, which need no edit", "whose texts could not be read", "that did not fit",
		"supported"
	unlisted := map[string]int{}
	for i, c := range v.Claims {
		if !all && !needsAction(c) {
			switch {
			case c.Pending():
				unlisted[waiting]++
			case c.Read():
				unlisted[supported]++
			default:
				unlisted[unread]++
			}
			continue
		}
		shown := showClaim(v, c, full)
		if i >= given && shown.Line == 0 && !full && !needsAction(c) {
			shown.Claim = "" // the host named it by its id
		}
		if left -= charsOf(shown); left < 0 {
			unlisted[unfit]++
			continue
		}
		out.Claims = append(out.Claims, shown)
	}
	for _, group := range []string{supported, waiting, unread, unfit} {
		if n := unlisted[group]; n > 0 {
			out.Left += n
			out.LeftAre += fmt.Sprintf("%d %s; ", n, group)
		}
	}
	if out.Left > 0 {
		out.LeftAre += "all: true lists every claim"
	}
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
		((pending+14)*reviewItemChars+999)/1_000)
}

func quoted(v verify.Result, p verify.Passage) loopstate.Quoted {
	return loopstate.Quoted{SourceID: p.SourceID, Start: p.Start, End: p.End, Text: cutTo(p.Text, maxPassageShown), Page: v.PageOf(p)}
}

// showClaim shows a claim. full adds the address and the passage; a read claim that is not supported has its passage always.
func showClaim(v verify.Result, c verify.Claim, full bool) verifiedClaimOut {
	out := verifiedClaimOut{ClaimID: c.ID, Claim: cutTo(c.Text, maxClaimShown), Status: c.Status, Read: c.Read(), Basis: c.Basis(),
		Lines: c.Lines(), Confidence: twoDigits(c.Confidence), Verbatim: c.Verbatim, QuoteGrade: c.QuoteGrade(),
		IndependentOrigins: c.Origins, Flags: rowFlags(c), Because: c.Because}
	out.Line, out.Column = c.Place()
	if c.Reading != nil {
		out.Reader = c.Reading.Reader.String()
	}
	if c.Pending() { // read: false says it, and the host has the sentence
		out.Because, out.IndependentOrigins = "", 0
		if !full {
			out.Claim, out.Verbatim = cutTo(c.Text, maxOwnDraftShown), false
		}
	}
	for _, r := range c.Remarks[:min(len(c.Remarks), maxRemarksShown)] {
		out.Remarks = append(out.Remarks, remarkOut{r.Kind, r.Claim, fmt.Sprintf("%s:%d", r.SourceID, r.Line), r.Text})
	}
	if len(c.Passages) == 0 {
		return out
	}
	first := c.Passages[0]
	if full {
		out.SourceURL = v.SourceURL(first.SourceID)
	}
	if full || c.Read() && c.Status != loopstate.Grounded {
		passage := quoted(v, first)
		out.Passage = &passage
	}
	if !c.Pinpointed() && strings.Contains(first.Text, c.Text) { // the other places are not needed
		out.Lines = first.SourceID + ":" + first.Lines
	}
	if !strings.HasPrefix(out.Lines, first.SourceID+":") {
		out.SourceID = first.SourceID
	}
	return out
}

func twoDigits(x float64) float64 { return math.Round(100*x) / 100 }

// nextAfter says what to do now. It never asks for other words.
func nextAfter(v verify.Result) string {
	edits, waiting := strings.Join(v.Edits(), ", "), len(v.Pending)
	switch {
	case edits != "" && waiting == 1:
		return fmt.Sprintf("correct %s, and check again; leave the one that is not read yet, a reader decides", edits)
	case edits != "" && waiting > 0:
		return fmt.Sprintf("correct %s, and check again; leave the %d that are not read yet, a reader decides", edits, waiting)
	case edits != "":
		return "correct " + edits + ", and check again"
	case waiting > 0:
		return "review_claims, then loop_report"
	case v.Verdict != verify.Pass && v.ReadAgain() > 0:
		return "verify_citations again: it reads the cited addresses that were late or left"
	case v.Verdict != verify.Pass && v.Unread()+v.Tally.NotChecked > 0:
		return "fetch the addresses that flags name, with the texts that the user pastes as text; or cite other sources"
	case v.Verdict != verify.Pass:
		return "nothing to correct or to read, no claim needs a source: verify_citations once the text makes one"
	case v.Tolerated() > 0:
		return fmt.Sprintf("loop_report; correct what you can of the %d that are not fully supported, they do not stop it", v.Tolerated())
	}
	return "loop_report"
}
