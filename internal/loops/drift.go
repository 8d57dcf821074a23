package loops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// keptShare is the minimum share of a claim's words, without numbers and names, in a sentence that states it. Measured
	// over real reports, see TestDriftOnRealDrafts.
	keptShare = 0.75
	// maxDriftPairs bounds the compared pairs of claims and sentences, maxAlike the sentences that one claim is compared
	// with word by word.
	maxDriftPairs = 500_000
	maxAlike      = 8
)

// Drift is a recorded claim and the sentence of a draft that states it differently.
type Drift struct {
	ClaimID      string
	Claim        string
	Sentence     string
	Line, Column int // from 1
	Differences  []grounding.Change
}

// String returns the flag of the drift.
func (d Drift) String() string {
	var said, says []string
	for _, diff := range d.Differences {
		said, says = append(said, diff.Was), append(says, diff.Is)
	}
	return fmt.Sprintf("drift: %s said %s, the draft says %s in line %d: %q", d.ClaimID, strings.Join(said, ", "), strings.Join(says, ", "), d.Line, shorten(d.Sentence, 80))
}

// driftOf compares recorded claims with the sentences of a draft that cite the same sources. A sentence that agrees with a
// claim is not compared with others, and a claim that a sentence repeats has not drifted. stated are the ids of the claims
// that the draft states, in any words.
func driftOf(recorded []loopstate.Claim, written []VerifiedClaim) (drifts []Drift, stated []string) {
	var a passages.Analyzer
	bySource := map[string][]int{}
	sentences := make([]*grounding.Wording, len(written))
	for i := range written {
		if written[i].Sentence == nil {
			continue
		}
		sentences[i] = grounding.NewWording(written[i].Text, &a)
		for _, id := range written[i].SourceIDs() {
			bySource[id] = append(bySource[id], i)
		}
	}
	type candidate struct {
		claim, sentence int
		kept            float64
		differences     []grounding.Change
	}
	var candidates []candidate
	settled, repeated := make([]bool, len(written)), make([]bool, len(recorded))
	pairs := 0
	for c := range recorded {
		said := grounding.NewWording(recorded[c].Claim, &a)
		var near []int
		for _, id := range recorded[c].SourceIDs {
			near = append(near, bySource[id]...)
		}
		slices.Sort(near)
		var alike []candidate
		for _, s := range slices.Compact(near) {
			if pairs++; pairs > maxDriftPairs {
				break
			}
			kept := said.Kept(sentences[s])
			if strings.EqualFold(strings.Trim(recorded[c].Claim, " ."), strings.Trim(written[s].Text, " .")) { // too short to compare by words
				kept = 1
			}
			if kept >= keptShare {
				alike = append(alike, candidate{claim: c, sentence: s, kept: kept})
			}
		}
		if len(alike) > 0 {
			stated = append(stated, recorded[c].ID)
		}
		if check := recorded[c].Check; check != nil && check.Status == loopstate.Unsupported || recorded[c].Superseded {
			continue // a different sentence may correct it
		}
		slices.SortStableFunc(alike, func(a, b candidate) int { return cmp.Compare(b.kept, a.kept) })
		for _, x := range alike[:min(len(alike), maxAlike)] {
			if x.differences = said.Changes(sentences[x.sentence]); len(x.differences) == 0 {
				settled[x.sentence], repeated[c] = true, true
				continue
			}
			candidates = append(candidates, x)
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { // most words kept first, then fewest differences
		return cmp.Or(cmp.Compare(a.claim, b.claim), cmp.Compare(b.kept, a.kept), cmp.Compare(len(a.differences), len(b.differences)))
	})
	for _, x := range candidates {
		if settled[x.sentence] || repeated[x.claim] {
			continue
		}
		repeated[x.claim], settled[x.sentence] = true, true
		w := written[x.sentence]
		line, column := w.Place()
		drifts = append(drifts, Drift{ClaimID: recorded[x.claim].ID, Claim: recorded[x.claim].Claim, Sentence: w.Text, Line: line, Column: column, Differences: x.differences})
	}
	return drifts, stated
}
