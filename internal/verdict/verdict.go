package verdict

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
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

	OfDraft bool     // else of a list of claims
	ToRead  []string // addresses that are to be read first; then nothing else is set
	Stated  []string // ids of recorded claims that the draft states
	Sources map[string]verify.Source
	Reused  map[string]loopstate.Reading // of other loops, and of the same words with other citations

	unread []unreadAddress
	most   int               // addresses that a check reads
	left   int               // further addresses, which this check did not try
	why    map[string]string // an address was not read, by its canonical key
	state  stateOf
}

// stateOf is what a verification uses of the loop.
type stateOf struct {
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
	return v.Dead == 0 && (v.OfDraft || len(v.Uncited) == 0)
}

// Resolve sets the claims and the sources that they cite.
func (v *Verification) Resolve(text string, claims []verify.Claim) error {
	if v.OfDraft = text != ""; v.OfDraft {
		d := draft.Parse(text)
		found := v.state.library.Read(d)
		v.Claims, v.Uncited, v.Own = found.Claims, found.Uncited, found.Own
		for _, x := range found.Strays {
			v.dead(x)
		}
		v.followFew()
		v.Flags = append(v.Flags, listMismatches(v.state.library, d)...)
		v.Stated = statedIn(v.state.recorded, v.Claims)
		return nil
	}
	for i, c := range claims {
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
	if v.Tally.Own = len(v.Own); v.OfDraft { // in a list of claims the uncited ones are claims, too
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
	v.Plan = planOf(v.StateID, coverage, v.Candidates(), v.readings())
	v.Verdict = v.Tally.Verdict(v.Threshold, v.open(), v.Dead)
	if v.Verdict == verify.Pass && v.Unread() > 0 {
		v.Verdict = verify.Review
	}
}

// open returns how many claims may still turn out to be supported: those to be read, and those whose texts were not there.
func (v Verification) open() int { return len(v.Plan.Next) + v.Tally.NotChecked }

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

// Checks returns the checks that the loop records: those of listed claims that cite a source. The sentences of a draft are
// not claims of the loop, because drafts change often.
func (v *Verification) Checks() []loopstate.CheckedClaim {
	var out []loopstate.CheckedClaim
	if v.OfDraft {
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

// Candidates returns the claims for a reader.
func (v *Verification) Candidates() []loopstate.ReviewCandidate {
	var out []loopstate.ReviewCandidate
	for _, c := range v.Claims {
		if c.Key != "" {
			out = append(out, c.Candidate())
		}
	}
	return out
}

// Begin copies what a verification uses of a loop.
func Begin(st *loopstate.State, threshold float64, now time.Time) Verification {
	v := Verification{StateID: st.Loop, Threshold: cmp.Or(threshold, verify.DefaultThreshold), GeneratedAt: now.UTC(), CoverageGaps: CoverageGaps(st)}
	v.state = stateOf{library: verify.LibraryOf(st), origin: st.OriginOf(), recorded: Recorded(st), current: slices.Clone(st.CurrentClaims()),
		readings: maps.Clone(st.Readings), accuracy: accuracies(st), supported: supportedReadings(st), disputes: disputes(st), aborted: st.Abort != "", localOnly: st.LocalOnly()}
	return v
}

// accuracies returns, for each counted batch, the measured accuracy of its readers in all counted batches of the loop.
func accuracies(st *loopstate.State) map[string]float64 {
	good, n := map[loopstate.Reader]int{}, map[loopstate.Reader]int{}
	for _, r := range st.Reviews {
		if r.Status == loopstate.BatchCounted {
			for _, who := range r.Readers {
				good[who] += r.Planted.Good + r.Controls.Good
				n[who] += r.Planted.N + r.Controls.N
			}
		}
	}
	out := map[string]float64{}
	for _, r := range st.Reviews {
		if r.Status == loopstate.BatchCounted && len(r.Readers) > 0 {
			out[r.Batch] = reader.Accuracy(good[r.Readers[0]], n[r.Readers[0]])
		}
	}
	return out
}

// PageOf returns the PDF page on which a passage of this verification begins, from 1, or 0.
func (v Verification) PageOf(p verify.Passage) int {
	return v.Sources[p.SourceID].Pages.At(p.Start)
}

// SourceURL returns the address of a cited source.
func (v Verification) SourceURL(id string) string { return v.Sources[id].FinalURL }

// OnDemand lets cited addresses that nobody has stored be read, unless the loop is aborted: [Verification.ToRead] has them.
// Otherwise they are errors. resolve returns the address of a relative link.
func (v *Verification) OnDemand(reads bool, resolve func(link string) string) {
	v.state.library.OnDemand, v.state.library.Resolve = reads && !v.state.aborted, resolve
}

// Wanted returns the sources of the loop, their origins, and which of their texts the verification reads.
func (v *Verification) Wanted() (sources []loopstate.Source, origin func(string) string, wanted map[string]bool) {
	wanted = map[string]bool{}
	for _, c := range v.Claims {
		for _, id := range c.SourceIDs() {
			wanted[id] = true
		}
	}
	for _, reading := range v.state.readings {
		if reading.Corrected != nil {
			wanted[reading.Corrected.SourceID] = true
		}
	}
	return v.state.library.Sources, v.state.origin, wanted
}

// Judge checks the claims against the texts that they cite, and sets the verdict. elsewhere returns accepted readings of
// other loops by their keys, others the loop's other texts, where a quotation is in none of the cited ones.
func (v *Verification) Judge(ctx context.Context, coverage string, others func() (map[string]verify.Source, error), elsewhere func(unread map[string]bool) (map[string]loopstate.Reading, error)) error {
	if err := verify.Check(ctx, v.Claims, v.Sources); err != nil {
		return err
	}
	if err := verify.Misattributed(v.Claims, others); err != nil {
		return err
	}
	v.findDead()
	if err := v.applyReadings(elsewhere); err != nil {
		return err
	}
	v.takeUnread()
	if v.OfDraft {
		v.uncover()
	}
	v.findConflicts()
	v.sum(coverage)
	return nil
}

// CoverageGaps describes the claims that stayed unsupported over two cycles despite searches in between.
func CoverageGaps(st *loopstate.State) []string {
	gaps := []string{}
	for _, c := range st.CurrentClaims() {
		if c.Gap {
			gaps = append(gaps, fmt.Sprintf("%s — unsupported in cycles %d and %d despite %d searches in between: the sources do not cover it", c.Claim, c.Tries[len(c.Tries)-1].Cycle, c.Check.Cycle, c.Check.Searches-c.Tries[len(c.Tries)-1].Searches))
		}
	}
	sort.Strings(gaps)
	return gaps
}
