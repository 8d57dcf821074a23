package verify

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
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Begin copies what a verification uses of a loop.
func Begin(st *loopstate.State, threshold float64, now time.Time) Result {
	v := Result{StateID: st.Loop, Threshold: cmp.Or(threshold, DefaultThreshold), GeneratedAt: now.UTC(), CoverageGaps: CoverageGaps(st)}
	v.state = stateOf{library: LibraryOf(st), origin: st.OriginOf(), disputes: disputes(st), aborted: st.Abort != "", localOnly: st.LocalOnly()}
	v.Recall(st)
	return v
}

// Recall copies the readings of the loop, which may have more since Begin.
func (v *Result) Recall(st *loopstate.State) {
	v.state.readings, v.state.accuracy, v.state.supported = maps.Clone(st.Readings), accuracies(st), supportedReadings(st)
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
		if r.Status == loopstate.BatchCounted && len(r.Readers) > 0 && n[r.Readers[0]] > 0 {
			out[r.Batch] = reader.Accuracy(good[r.Readers[0]], n[r.Readers[0]])
		}
	}
	return out
}

// Recorded returns the claims that the host has not retracted.
func Recorded(st *loopstate.State) []loopstate.Claim {
	return slices.DeleteFunc(slices.Clone(st.Claims), func(c loopstate.Claim) bool { return c.Retracted > 0 })
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

// Resolve sets the claims and the sources that they cite.
func (v *Result) Resolve(text string, claims []Claim) error {
	if v.OfDraft = text != ""; v.OfDraft {
		d := draft.Parse(text)
		found := v.state.library.Read(d)
		v.Claims, v.Uncited, v.Own = found.Claims, found.Uncited, found.Own
		v.Strays, v.References = found.Strays, d.References
		v.followFew()
		for _, x := range v.Strays {
			v.dead(x)
		}
		v.Flags = append(v.Flags, listMismatches(v.state.library, d)...)
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
	for _, x := range v.Strays {
		v.dead(x)
	}
	v.state.library.Follow(v.Claims)
	return nil
}

// Check compares the claims with the texts that they cite. others returns the loop's other texts, where a quotation is in none
// of the cited ones.
func (v *Result) Check(ctx context.Context, others func() (map[string]Source, error)) error {
	if err := Check(ctx, v.Claims, v.Sources); err != nil {
		return err
	}
	return Misattributed(v.Claims, others)
}

// Decide applies the readings of the checked claims, and sets the verdict. known gives readings from elsewhere; it may be nil.
func (v *Result) Decide(known func(Claim) (loopstate.Reading, bool)) {
	v.findDead()
	v.applyReadings(known)
	v.takeUnread()
	if v.OfDraft {
		v.uncover()
	}
	v.Conflicts = append(Conflicts(v.Claims), disputed(v.state.disputes)...)
	v.sum()
}

// uncover moves the sentences that no citation covers to the uncited ones.
func (v *Result) uncover() {
	kept, uncited := Split(v.Claims)
	v.Claims = kept
	v.Uncited = append(v.Uncited, uncited...)
	slices.SortStableFunc(v.Uncited, func(a, b Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
}

// sum counts, and sets the flags and the verdict.
func (v *Result) sum() {
	single, secondary := 0, 0
	for i := range v.Claims {
		c := &v.Claims[i]
		v.Tally.Add(*c)
		for _, flag := range c.Flags {
			switch kind, _, _ := strings.Cut(flag, ":"); kind {
			case FlagSingleSource:
				single++
			case FlagSecondaryOnly:
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
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %s one independent source%s", FlagSingleSource, claimsThat(single, "cites", "cite"), v.linesWith(FlagSingleSource)))
	}
	if secondary > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("%s: %s press or practitioners alone", FlagSecondaryOnly, claimsThat(secondary, "cites", "cite")))
	}
	if n := v.Dead; n > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("hallucinated_citation: citations of sources or lines that do not exist: %d", n))
	}
	if n := len(v.Uncited); n > 0 {
		v.Flags = append(v.Flags, fmt.Sprintf("uncited: sentences that claim something and cite nothing: %d; cite a source, or mark what is your own with [inference]", n))
	}
	v.Flags = append(append(v.Flags, v.citedFlags()...), v.ownFlags()...)
	v.Pending = unreadKeys(v.Candidates(), v.readings())
	v.Verdict = v.Tally.Verdict(v.Threshold, v.open(), v.Dead)
	if v.Verdict == Pass && v.Unread() > 0 {
		v.Verdict = Review
	}
}

// claimsThat counts claims with the verb that agrees: "1 claim cites", "2 claims cite".
func claimsThat(n int, one, many string) string {
	if n == 1 {
		return "1 claim " + one
	}
	return fmt.Sprintf("%d claims %s", n, many)
}

// disputes returns the contradictions of a loop without a resolution.
func disputes(st *loopstate.State) []loopstate.Contradiction {
	var out []loopstate.Contradiction
	for _, x := range st.Contradictions {
		if x.Resolution == "" {
			out = append(out, x)
		}
	}
	return out
}
