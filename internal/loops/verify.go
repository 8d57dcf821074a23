package loops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of one verification.
const (
	maxClaims = 500
	// MaxDraftChars bounds a draft, in code points.
	MaxDraftChars = 400_000
	// maxDead bounds the citations that lead to nothing and are recorded and answered; the others are counted. Each has
	// deadChars of its sentence, because one sentence can have thousands of them.
	maxDead   = 100
	deadChars = 300
	// maxCitations bounds the citations of a sentence that are followed; those after them are errors. 668 documents of real
	// hosts have at most a few in one sentence.
	maxCitations = 100
)

// VerifyInput is a request to verify either claims or a draft.
type VerifyInput struct {
	Loop      string
	Operation string // identifies a repeated call, which is recorded once; may be empty
	Claims    []verify.Claim
	Draft     string
	Threshold float64 // 0: verify.DefaultThreshold
	Judge     string  // JudgeModel or JudgeNone; empty: the configured reader, if any
	Coverage  string  // loopstate.CoverageSample (also if empty) or CoverageAll
	Final     bool    // the draft becomes the loop's text; otherwise its check leaves the loop as it is

	reads  bool              // cited addresses that nobody stored are read; otherwise they are errors
	found  bool              // only those that the loop has found are read: nobody has asked for the others
	looked map[string]lookup // what reading gave, by canonical key; nil before
}

// Values of VerifyInput.Judge.
const (
	JudgeModel = "llm"  // let the configured model read the claims
	JudgeNone  = "none" // read nothing
)

// Verification is the result of Verify.
type Verification struct {
	StateID      string
	Verdict      string // verify.Pass, Review or Fail
	Groundedness float64
	Threshold    float64
	Tally        verify.Tally
	Claims       []verify.Claim
	Hallucinated []loopstate.Hallucinated // the first maxDead
	Dead         int                      // number of citations that lead to nothing
	Uncited      []verify.Claim
	Own          []verify.Claim // of a draft: the author's own statements, which are not checked
	Conflicts    []Conflict
	CoverageGaps []string
	Flags        []string
	Cycle        int
	GeneratedAt  time.Time
	Review       ReviewNeeded
	Plan         reader.Plan

	draft   bool
	toRead  []string // addresses that are to be read first; then nothing else is set
	unread  []unreadAddress
	left    int               // further addresses, which this check did not try
	why     map[string]string // an address was not read, by its canonical key
	stated  []string          // ids of recorded claims that the draft states
	sources map[string]verify.Source
	state   stateOfVerification
	reused  map[string]loopstate.Reading // of other loops, and of the same words with other citations
}

// stateOfVerification is what a verification uses of the loop.
type stateOfVerification struct {
	library   verify.Library
	origin    func(string) string
	recorded  []loopstate.Claim // that the host has not retracted
	current   []loopstate.Claim
	readings  map[string]loopstate.Reading
	supported []supportedReading
	accuracy  map[string]float64 // of the readers of a batch, by batch
	disputes  []loopstate.Contradiction
	aborted   bool
	localOnly bool // only the user's folders were searched: they seldom have a second source of anything
}

// Gate reports whether all citations are valid: none is hallucinated, and none is missing in a list of claims. If it is
// false, the result is an error, whatever the verdicts.
func (v Verification) Gate() bool {
	return v.Dead == 0 && (v.draft || len(v.Uncited) == 0)
}

// Verify checks claims, or the sentences of a draft, against the loop's texts, and records the result. If a reader is
// configured, a model reads the pending claims, and the result includes its answers.
//
// Cited addresses that nobody stored are read first, at most MaxURLs of them. A draft without a loop gets one of its own.
func (s *Service) Verify(ctx context.Context, in VerifyInput) (Verification, error) {
	if in.Judge == JudgeModel && s.ClaimReader == nil {
		return Verification{}, &loopstate.Error{Code: loopstate.CodeNoJudge, Subject: "judge"}
	}
	in.Draft = docid.WithoutCredentials(in.Draft)
	if in.Loop == "" && in.Draft != "" {
		if err := in.check(); err != nil {
			return Verification{}, err
		}
		if err := s.checkLoop(ctx, &in); err != nil {
			return Verification{}, err
		}
	}
	v, err := s.verify(ctx, &in)
	if err != nil || in.Judge == JudgeNone || s.ClaimReader == nil || v.Review.Pending == 0 {
		return v, err
	}
	counted, flags, err := s.readByEndpoint(ctx, in.Loop, in.Judge == JudgeModel)
	if err != nil {
		return v, err
	}
	if counted {
		in.Operation = "" // used above
		v, err = s.verify(ctx, &in)
	} else {
		err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
			v.Review = reviewNeeded(st)
			return nil
		})
	}
	v.Flags = append(v.Flags, flags...)
	return v, err
}

// verify checks, applies earlier readings, and records the result.
func (s *Service) verify(ctx context.Context, in *VerifyInput) (Verification, error) {
	v, done, err := s.examineCited(ctx, in, citedTime)
	if err != nil {
		return v, err
	}
	defer done()
	err = s.recordVerification(ctx, *in, &v)
	return v, err
}

// recordVerification records a verification.
func (s *Service) recordVerification(ctx context.Context, in VerifyInput, v *Verification) error {
	hash := ""
	if v.draft {
		hash = loopstate.HashText([]byte(in.Draft)).String()
	}
	err := s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		words, fresh, err := s.newWords(ctx, st.LastCriticised(), hash, in.Draft)
		if err != nil {
			return nil, err
		}
		p, err := st.Verify(loopstate.VerifyInput{Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold, Checked: v.checks(),
			Hallucinated: v.Hallucinated, Dead: v.Dead, Uncited: len(v.Uncited), Draft: v.draft, Final: in.Final, Text: in.Draft, TextHash: hash, DraftWords: words, NewWords: fresh, Stated: v.stated, Corrected: v.corrected(), Candidates: v.candidates(), Coverage: cmp.Or(in.Coverage, loopstate.CoverageSample)})
		if err != nil {
			return nil, err
		}
		p.Readings = v.reused
		if !v.draft {
			return p, nil
		}
		if err := s.checkLargeSpace(ctx, "draft", len(in.Draft)); err != nil {
			return nil, err
		}
		return states.WithTexts{Payload: p, Texts: [][]byte{[]byte(in.Draft)}}, nil
	}, func(st *loopstate.State, e loopstate.Event) error {
		p, err := payloadOf[loopstate.Verified](e)
		if err != nil {
			return err
		}
		v.Cycle, v.GeneratedAt = p.Cycle, e.At
		next := 0
		for i := range v.Claims {
			if !v.draft && len(v.Claims[i].SourceIDs()) > 0 && next < len(p.Checks) { // a repeated call may have other claims
				v.Claims[i].ID = p.Checks[next].ClaimID
				next++
			}
		}
		v.CoverageGaps = coverageGaps(st)
		v.Review = reviewNeeded(st)
		return nil
	})
	return err
}

// examine is a verification that is not recorded.
func (s *Service) examine(ctx context.Context, in VerifyInput) (Verification, error) {
	v := Verification{StateID: in.Loop, Threshold: cmp.Or(in.Threshold, verify.DefaultThreshold), draft: in.Draft != "", GeneratedAt: s.Now().UTC()}
	if err := in.check(); err != nil {
		return v, err
	}
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		v.CoverageGaps = coverageGaps(st)
		v.state = stateFor(st)
		return nil
	})
	if err != nil {
		return v, err
	}
	v.state.library.OnDemand, v.state.library.Resolve = in.reads && !v.state.aborted, s.inCorpus
	if err := v.resolve(in); err != nil { // outside the loop's lock: parsing a long draft takes a while
		return v, err
	}
	if in.looked == nil {
		if v.toRead = v.unresolved(); len(v.toRead) > 0 {
			return v, nil
		}
	}
	v.settle(in.looked)
	cited := map[string]bool{}
	for _, c := range v.Claims {
		for _, id := range c.SourceIDs() {
			cited[id] = true
		}
	}
	for _, reading := range v.state.readings {
		if reading.Corrected != nil {
			cited[reading.Corrected.SourceID] = true
		}
	}
	if v.sources, err = s.prepared(ctx, v.state.library.Sources, v.state.origin, cited); err != nil {
		return v, err
	}
	if err := verify.Check(ctx, v.Claims, v.sources); err != nil {
		return v, err
	}
	v.findDead()
	if err := s.applyReadings(ctx, &v); err != nil {
		return v, err
	}
	v.takeUnread()
	if v.draft {
		v.uncover()
	}
	v.findConflicts()
	v.sum(in.Coverage)
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
	case utf8.RuneCountInString(in.Draft) > MaxDraftChars:
		return tooLong("draft", utf8.RuneCountInString(in.Draft), MaxDraftChars)
	case !utf8.ValidString(in.Draft):
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "draft"}
	}
	if err := loopstate.CheckOneOf("coverage", in.Coverage, []string{loopstate.CoverageSample, loopstate.CoverageAll}); err != nil {
		return err
	}
	return loopstate.CheckRange("threshold", in.Threshold, 0, 1)
}

// resolve sets the claims and the sources that they cite.
func (v *Verification) resolve(in VerifyInput) error {
	if v.draft {
		d := draft.Parse(in.Draft)
		found := v.state.library.Read(d)
		v.Claims, v.Uncited, v.Own = found.Claims, found.Uncited, found.Own
		for _, x := range found.Strays {
			v.dead(x)
		}
		v.followFew()
		v.Flags = append(v.Flags, listMismatches(v.state.library, d)...)
		v.stated = statedIn(v.state.recorded, v.Claims)
		return nil
	}
	for i, c := range in.Claims {
		text, err := loopstate.CheckText(fmt.Sprintf("claims[%d].text", i), c.Text, loopstate.MaxTextChars)
		if err != nil {
			return err
		}
		c.Text, c.Citations = text, slices.Clone(c.Citations)
		if len(c.Citations) == 0 {
			v.Uncited = append(v.Uncited, c)
		}
		v.Claims = append(v.Claims, c)
	}
	v.followFew()
	v.state.library.Follow(v.Claims)
	return nil
}

// findDead collects the citations of claims that lead to nothing.
func (v *Verification) findDead() {
	for _, c := range v.Claims {
		for _, cite := range c.Citations {
			if cite.Problem != "" {
				v.dead(verify.Dead{Citation: cite, Claim: c.Text})
			}
		}
	}
}

func (v *Verification) dead(x verify.Dead) {
	if x.Claim == "" {
		x.Claim = fmt.Sprintf("(no sentence: line %d)", x.Line)
	}
	if v.Dead++; v.Dead <= maxDead {
		safe := func(text string) string { return strings.Clone(shorten(docid.WithoutCredentials(text), deadChars)) }
		v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: safe(x.Claim), Citation: safe(x.Written()), Why: safe(x.Problem)})
	}
}

// followFew makes the citations of a sentence after the first maxCitations errors.
func (v *Verification) followFew() {
	for i := range v.Claims {
		c := &v.Claims[i]
		if len(c.Citations) <= maxCitations {
			continue
		}
		for _, cite := range c.Citations[maxCitations:] {
			cite.Problem = fmt.Sprintf("the sentence has %d citations; at most %d of one sentence are followed", len(c.Citations), maxCitations)
			v.dead(verify.Dead{Citation: cite, Claim: c.Text})
		}
		c.Citations = slices.Clone(c.Citations[:maxCitations])
	}
}

// uncover moves the sentences that no citation covers to the uncited ones.
func (v *Verification) uncover() {
	kept, uncited := verify.Split(v.Claims)
	v.Claims = kept
	v.Uncited = append(v.Uncited, uncited...)
	slices.SortStableFunc(v.Uncited, func(a, b verify.Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
}

// sum counts, and sets the flags and the verdict.
func (v *Verification) sum(coverage string) {
	single, secondary := 0, 0
	for i := range v.Claims {
		c := &v.Claims[i]
		v.Tally.Add(*c)
		for _, flag := range c.Flags {
			switch kind, _, _ := strings.Cut(flag, ":"); kind {
			case verify.FlagSingleSource:
				single++
			case verify.FlagSecondaryOnly:
				secondary++
			case FlagAtCheck: // counted below
			default:
				v.Flags = append(v.Flags, FlagLine(*c, flag))
			}
		}
	}
	if v.Tally.Own = len(v.Own); v.draft { // in a list of claims the uncited ones are claims, too
		v.Tally.Uncited += len(v.Uncited)
	}
	if v.Groundedness = v.Tally.Groundedness(); v.Tally.Total() == 0 {
		v.Flags = append(v.Flags, "no_claims: the draft has no sentence that claims something")
	}
	if single > 0 && !v.state.localOnly {
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %s one independent source%s", verify.FlagSingleSource, claimsThat(single, "cites", "cite"), v.linesWith(verify.FlagSingleSource)))
	}
	if secondary > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %s press or practitioners alone", verify.FlagSecondaryOnly, claimsThat(secondary, "cites", "cite")))
	}
	if n := v.Dead; n > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("hallucinated_citation: citations of sources or lines that do not exist: %d", n))
	}
	if n := len(v.Uncited); n > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("uncited: sentences that claim something and cite nothing: %d; cite a source, or mark what is your own with [inference]", n))
	}
	v.Flags = append(append(v.Flags, v.citedFlags()...), v.ownFlags()...)
	v.Plan = planOf(v.StateID, coverage, v.candidates(), v.readings())
	v.Verdict = v.Tally.Verdict(v.Threshold, v.open(), v.Dead)
	if v.Verdict == verify.Pass && v.Unread() > 0 {
		v.Verdict = verify.Review
	}
}

// open returns how many claims may still turn out to be supported: those to be read, and those whose texts were not there.
func (v *Verification) open() int { return len(v.Plan.Next) + v.Tally.NotChecked }

// claimsThat counts claims with the verb that agrees: "1 claim cites", "2 claims cite".
func claimsThat(n int, one, many string) string {
	if n == 1 {
		return "1 claim " + one
	}
	return fmt.Sprintf("%d claims %s", n, many)
}

// readings returns the answers about the claims by their keys.
func (v *Verification) readings() map[string]loopstate.Reading {
	out := map[string]loopstate.Reading{}
	for _, c := range v.Claims {
		if c.Reading != nil {
			out[c.Key] = *c.Reading
		}
	}
	return out
}

// FlagLine is a flag of a claim as Verification.Flags lists it.
func FlagLine(c verify.Claim, flag string) string {
	return fmt.Sprintf("%s in %q", flag, shorten(c.Text, 60))
}

// maxLinesNamed bounds the lines that one flag of a draft names.
const maxLinesNamed = 12

// linesWith lists the lines of a draft whose claims have a flag, in brackets. It is empty for claims without lines.
func (v *Verification) linesWith(flag string) string {
	var lines []string
	for _, c := range v.Claims {
		if line, _ := c.Place(); line > 0 && slices.Contains(c.Flags, flag) && !slices.Contains(lines, strconv.Itoa(line)) {
			lines = append(lines, strconv.Itoa(line))
		}
	}
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

// checks returns the checks that the loop records: those of listed claims that cite a source. The sentences of a draft are
// not claims of the loop, because drafts change often.
func (v *Verification) checks() []loopstate.CheckedClaim {
	var out []loopstate.CheckedClaim
	if v.draft {
		return nil
	}
	for _, c := range v.Claims {
		if len(c.SourceIDs()) == 0 {
			continue
		}
		status := c.Status
		if c.Reading != nil { // the state applies the reading itself
			status = loopstate.Inferred
		}
		cc := loopstate.CheckedClaim{Claim: loopstate.ClaimInput{Claim: c.Text, SourceIDs: c.References()},
			Check: loopstate.ClaimCheck{Status: status, Key: c.Key, Lines: c.Lines(), Cites: c.References(), Flags: c.Flags}}
		if len(c.Passages) > 0 {
			p := c.Passages[0]
			cc.Check.SourceID, cc.Check.Start, cc.Check.End = p.SourceID, p.Start, p.End
		}
		out = append(out, cc)
	}
	return out
}

// candidates returns the claims for a reader.
func (v *Verification) candidates() []loopstate.ReviewCandidate {
	var out []loopstate.ReviewCandidate
	for _, c := range v.Claims {
		if c.Key != "" {
			out = append(out, c.Candidate())
		}
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
