package loops

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// DefaultThreshold is the minimum share of grounded claims in a text that passes.
const DefaultThreshold = 0.8

// Verdicts of a verification.
const (
	VerdictPass   = "pass"
	VerdictReview = "review" // may pass after a review of the pending claims
	VerdictFail   = "fail"
)

// Limits of one verification.
const (
	maxClaims     = 500
	maxDraftChars = 400_000
)

// VerifyInput is a request to verify either claims or a draft.
type VerifyInput struct {
	Loop      string
	Operation string // identifies a repeated call, which is recorded once; may be empty
	Claims    []citing.Claim
	Draft     string
	Threshold float64 // 0: DefaultThreshold
	Judge     string  // JudgeModel or JudgeNone; empty: the configured reader, if any

	complete bool // find what the draft omits
}

// Values of VerifyInput.Judge.
const (
	JudgeModel = "llm"  // let the configured model review the claims that the wording check does not decide
	JudgeNone  = "none" // check the wording only
)

// VerifiedClaim is a claim with its verdict.
type VerifiedClaim struct {
	citing.Claim
	ClaimID   string
	SourceURL string
	reviewed
}

// FlagLine is a flag of the claim as Verification.Flags lists it.
func (c VerifiedClaim) FlagLine(flag string) string {
	return fmt.Sprintf("%s in %q", flag, shorten(c.Text, 60))
}

// Verification is the result of Verify.
type Verification struct {
	StateID      string
	Verdict      string // pass, review or fail
	Groundedness float64
	Threshold    float64
	Claims       []VerifiedClaim
	Hallucinated []loopstate.Hallucinated
	Uncited      []citing.Claim
	Own          []citing.Claim // of a draft: the author's own statements, which are not checked
	Conflicts    []grounding.Conflict
	CoverageGaps []string
	Flags        []string
	Cycle        int
	GeneratedAt  time.Time
	draft        bool
	stated       []string // ids of recorded claims that the draft states
	Review       ReviewNeeded
	Completeness *Completeness // of a draft; nil for claims
	state        verifiedState
	reused       map[string]loopstate.Reading // of other loops, and of the same words with other citations
}

// verifiedState is the part of the loop that a verification uses.
type verifiedState struct {
	sources map[string]loopstate.Source
	shown   map[string]loopstate.Spans // parts of the cited sources that the host was shown

	readings    map[string]loopstate.Reading
	supported   []supportedReading
	unsupported []loopstate.Claim // current recorded claims
	localOnly   bool              // only the user's folders were searched: they seldom have a second source of anything
}

// Gate reports whether all citations are valid: none is hallucinated, and none is missing in a list of claims. If it is
// false, the result is an error, whatever the verdicts.
func (v Verification) Gate() bool {
	return len(v.Hallucinated) == 0 && (v.draft || len(v.Uncited) == 0)
}

// Verify checks claims, or the sentences of a draft, against the loop's texts, and records the result. If a reader is
// configured, a model reviews the pending claims, and the result includes its answers.
func (s *Service) Verify(ctx context.Context, in VerifyInput) (Verification, error) {
	if in.Judge == JudgeModel && s.ClaimReader == nil {
		return Verification{}, &loopstate.Error{Code: loopstate.CodeNoJudge, Subject: "judge"}
	}
	v, err := s.verify(ctx, in)
	if err != nil || in.Judge == JudgeNone || s.ClaimReader == nil || v.Review.Pending == 0 {
		return v, err
	}
	counted, flags, err := s.readByEndpoint(ctx, in.Loop, in.Judge == JudgeModel)
	if err != nil {
		return v, err
	}
	if counted {
		in.Operation = "" // used above
		v, err = s.verify(ctx, in)
	} else {
		err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
			v.Review = reviewNeeded(st)
			return nil
		})
	}
	v.Flags = append(v.Flags, flags...)
	return v, err
}

// verify checks the wording, applies earlier readings, and records the result.
func (s *Service) verify(ctx context.Context, in VerifyInput) (Verification, error) {
	in.complete = in.Draft != ""
	v, err := s.examine(ctx, in)
	if err != nil {
		return v, err
	}
	hash, stored := "", false
	if v.draft {
		hash = loopstate.HashText([]byte(in.Draft)).String()
	}
	err = s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.Verify(loopstate.VerifyInput{Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold, Checked: v.checks(),
			Hallucinated: v.Hallucinated, Uncited: len(v.Uncited), Draft: v.draft, Text: in.Draft, TextHash: hash, Stated: v.stated, Corrected: v.corrected(), Candidates: v.candidates()})
		if err != nil {
			return nil, err
		}
		if v.draft && !stored { // the text before the event that names it, and not for a repeated call
			if err := s.checkLargeSpace(ctx, "draft", len(in.Draft)); err != nil {
				return nil, err
			}
			if _, err := s.Store.PutBlob(ctx, []byte(in.Draft)); err != nil {
				return nil, err
			}
			stored = true
		}
		p.Readings = v.reused
		return p, nil
	}, func(st *loopstate.State, e loopstate.Event) error {
		p, err := payloadOf[loopstate.Verified](e)
		if err != nil {
			return err
		}
		v.Cycle, v.GeneratedAt = p.Cycle, e.At
		next := 0
		for i := range v.Claims {
			if !v.draft && len(v.Claims[i].Asked) > 0 && next < len(p.Checks) { // a repeated call may have other claims
				v.Claims[i].ClaimID = p.Checks[next].ClaimID
				next++
			}
		}
		v.CoverageGaps = coverageGaps(st)
		v.Review = reviewNeeded(st)
		return nil
	})
	if err == nil && stored {
		err = s.putAgain(context.WithoutCancel(ctx), []byte(in.Draft))
	}
	return v, err
}

// examine is a verification that is not recorded.
func (s *Service) examine(ctx context.Context, in VerifyInput) (Verification, error) {
	v := Verification{StateID: in.Loop, Threshold: in.Threshold, draft: in.Draft != "", GeneratedAt: s.Now().UTC()}
	if err := in.check(); err != nil {
		return v, err
	}
	if v.Threshold == 0 {
		v.Threshold = DefaultThreshold
	}
	var sources []loopstate.Source
	var answer wanted
	cited := map[string]bool{}
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		sources = append(sources, st.Sources...)
		if in.complete {
			answer = wantedOf(st)
		}
		v.CoverageGaps, v.state.localOnly = coverageGaps(st), st.LocalOnly()
		v.state.unsupported = slices.DeleteFunc(st.CurrentClaims(), func(c loopstate.Claim) bool {
			return c.Check == nil || c.Check.Status != loopstate.Unsupported
		})
		if err := v.resolve(st, in); err != nil {
			return err
		}
		v.state.shown, v.state.readings, v.state.supported = map[string]loopstate.Spans{}, maps.Clone(st.Readings), supportedReadings(st)
		for _, c := range v.Claims {
			for _, cite := range c.Asked {
				if id := cite.SourceID; !cited[id] {
					cited[id], v.state.shown[id] = true, st.ShownOf(id)
				}
			}
		}
		return nil
	})
	if err != nil {
		return v, err
	}
	kept, whole, err := s.checker(ctx, in.Loop, sources, cited)
	if err != nil {
		return v, err
	}
	if whole {
		defer s.keepChecker(in.Loop, kept) // with the new results
	}
	checker := kept.checker
	if !whole {
		v.Flags = append(v.Flags, fmt.Sprintf("large_loop: its texts have more than %d characters, so only the cited sources were compared, and no better source was searched", maxIndexedChars))
	}
	v.state.sources = make(map[string]loopstate.Source, len(sources))
	for _, src := range sources {
		v.state.sources[src.ID] = src
	}
	if err := v.check(ctx, kept); err != nil {
		return v, err
	}
	if err := v.findOpposites(ctx, kept); err != nil {
		return v, err
	}
	if err := s.applyReadings(ctx, &v); err != nil {
		return v, err
	}
	if v.draft {
		v.uncover()
	}
	if in.complete {
		v.complete(answer, checker, in.Draft)
	}
	if err := s.flagUnshown(ctx, &v); err != nil {
		return v, err
	}
	if err := s.flagAddressing(ctx, &v); err != nil {
		return v, err
	}
	v.sum()
	return v, nil
}

func (in VerifyInput) check() error {
	switch {
	case len(in.Claims) == 0 && strings.TrimSpace(in.Draft) == "":
		return &loopstate.Error{Code: loopstate.CodeMissing, Subject: "claims"}
	case len(in.Claims) > 0 && in.Draft != "":
		return &loopstate.Error{Code: loopstate.CodeConflict, Subject: "draft", Value: "claims"}
	case len(in.Claims) > maxClaims:
		return loopstate.CheckCount("claims", len(in.Claims), maxClaims)
	case utf8.RuneCountInString(in.Draft) > maxDraftChars:
		return tooLong("draft", utf8.RuneCountInString(in.Draft), maxDraftChars)
	case !utf8.ValidString(in.Draft):
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "draft"}
	}
	return loopstate.CheckRange("threshold", in.Threshold, 0, 1)
}

// check sets the verdict of every claim, and the conflicts.
func (v *Verification) check(ctx context.Context, kept *keptChecker) error {
	claims := make([]citing.Claim, len(v.Claims))
	for i, c := range v.Claims {
		claims[i] = c.Claim
	}
	conflicts, err := citing.CheckAgain(ctx, kept.checker, claims, kept.results)
	if err != nil {
		return fmt.Errorf("loops: verify: %w", err)
	}
	for i, c := range claims {
		v.Claims[i].Claim = c
	}
	for _, x := range conflicts {
		v.Conflicts = append(v.Conflicts, x.Conflict)
	}
	return nil
}

// uncover moves the sentences that no citation covers to the uncited ones.
func (v *Verification) uncover() {
	kept, uncited := citing.Split(v.Claims)
	v.Claims = kept
	for _, c := range uncited {
		v.Uncited = append(v.Uncited, c.Claim)
	}
	slices.SortStableFunc(v.Uncited, func(a, b citing.Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
}

// sum sets the share of grounded claims, the flags, and the verdict. A text passes if no citation is hallucinated or
// missing, no claim is contradicted, and enough claims are grounded. If it could pass after a review of the pending claims,
// the verdict is review.
func (v *Verification) sum() {
	n := v.tally()
	single, secondary, unshown, total := 0, 0, 0, n.checked+n.uncited
	for i := range v.Claims {
		c := &v.Claims[i]
		if src, ok := v.state.sources[c.SourceID]; ok {
			c.SourceURL = src.FinalURL
		}
		for _, flag := range c.Flags {
			switch kind, _, _ := strings.Cut(flag, ":"); kind {
			case grounding.FlagSingleSource:
				single++
			case grounding.FlagSecondaryOnly:
				secondary++
			case FlagNeverShown:
				unshown++
			default:
				v.Flags = append(v.Flags, c.FlagLine(flag))
			}
		}
	}
	if total > 0 {
		v.Groundedness = float64(n.grounded) / float64(total)
	} else {
		v.Flags = append(v.Flags, "no_claims: the draft has no sentence that claims something")
	}
	if single > 0 && !v.state.localOnly {
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %d claims rest on one independent source%s", grounding.FlagSingleSource, single, v.linesWith(grounding.FlagSingleSource)))
	}
	if secondary > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %d claims rest on press or practitioners alone", grounding.FlagSecondaryOnly, secondary))
	}
	if unshown > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %d claims rest on passages that no answer has shown; read them before you rely on the claims", FlagNeverShown, unshown))
	}
	if n := len(v.Hallucinated); n > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("hallucinated_citation: %d citations of sources that were not read", n))
	}
	if n := len(v.Uncited); n > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("uncited: %d sentences claim something and cite nothing; cite a source, or mark what is your own with [inference]", n))
	}
	v.Flags = append(v.Flags, v.ownFlags()...)
	v.Verdict = VerdictFail
	switch {
	case total == 0 || len(v.Hallucinated) > 0 || len(v.Uncited) > 0 || n.contradicted > 0:
	case v.Groundedness >= v.Threshold:
		v.Verdict = VerdictPass
	case float64(n.grounded+n.pending)/float64(total) >= v.Threshold:
		v.Verdict = VerdictReview
	}
}

// maxLinesNamed bounds the lines that one flag of a draft names.
const maxLinesNamed = 12

// linesWith lists the lines of a draft whose claims have a flag. It is empty for claims without lines.
func (v *Verification) linesWith(flag string) string {
	var lines []string
	for _, c := range v.Claims {
		if line, _ := c.Place(); line > 0 && slices.Contains(c.Flags, flag) && !slices.Contains(lines, strconv.Itoa(line)) {
			lines = append(lines, strconv.Itoa(line))
		}
	}
	return namedLines(lines)
}

// namedLines writes the numbers of lines, at most maxLinesNamed; without lines it is empty.
func namedLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return " (lines " + lineList(lines) + ")"
}

// lineList names at most maxLinesNamed lines.
func lineList(lines []string) string {
	more := ""
	if len(lines) > maxLinesNamed {
		lines, more = lines[:maxLinesNamed], ", …"
	}
	return strings.Join(lines, ", ") + more
}

// checks returns the verdicts that the loop records: those of listed claims that cite a source. The sentences of a draft
// are not claims of the loop, because drafts change often.
func (v *Verification) checks() []loopstate.CheckedClaim {
	var out []loopstate.CheckedClaim
	if v.draft {
		return nil
	}
	for _, c := range v.Claims {
		if len(c.Asked) == 0 {
			continue
		}
		cc := loopstate.CheckedClaim{Claim: loopstate.ClaimInput{Claim: c.Text, SourceIDs: c.SourceIDs()},
			Check: loopstate.ClaimCheck{Status: string(c.byWording), Basis: c.basisByWording(), Key: c.key, Support: c.Support, SourceID: c.SourceID, Flags: c.Flags}}
		if c.Passage != nil {
			cc.Check.Start, cc.Check.End = c.Passage.Start, c.Passage.End
		}
		out = append(out, cc)
	}
	return out
}

// coverageGaps describes the claims that stayed unsupported over two cycles despite searches in between.
func coverageGaps(st *loopstate.State) []string {
	gaps := []string{}
	for _, c := range st.CurrentClaims() {
		if c.Gap {
			gaps = append(gaps, fmt.Sprintf("%s — unsupported in cycles %d and %d despite %d searches in between: the sources do not cover it", c.Claim, c.Tries[len(c.Tries)-1].Cycle, c.Check.Cycle, c.Check.Searches-c.Tries[len(c.Tries)-1].Searches))
		}
	}
	sort.Strings(gaps)
	return gaps
}

func shorten(s string, chars int) string {
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:chars])) + "…"
}

func checkQuery(query string) error {
	_, err := loopstate.CheckText("search", query, loopstate.MaxTextChars)
	return err
}
