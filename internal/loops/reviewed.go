package loops

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// ReviewNeeded counts the claims for a second reader.
type ReviewNeeded struct {
	Pending int    // claims that the plan wants read now
	Batch   string // the open batch, or ""
}

func reviewNeeded(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(planned(st))}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}

// stateFor copies what a verification uses of a loop.
func stateFor(st *loopstate.State) stateOfVerification {
	return stateOfVerification{library: verify.LibraryOf(st), origin: st.OriginOf(), recorded: recordedClaims(st), current: slices.Clone(st.CurrentClaims()),
		readings: maps.Clone(st.Readings), accuracy: accuracies(st), supported: supportedReadings(st), disputes: unresolved(st), aborted: st.Abort != "", localOnly: st.LocalOnly()}
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

// applyReadings changes the status of claims by accepted readings of the same claims and texts, in this loop or in other
// loops of its owner.
func (s *Service) applyReadings(ctx context.Context, v *Verification) error {
	unread := map[string]bool{}
	v.reused = map[string]loopstate.Reading{}
	for _, c := range v.Claims {
		if _, ok := v.state.readings[c.Key]; ok || c.Key == "" {
			continue
		}
		if reading, ok := v.supportedBefore(c); ok {
			v.reused[c.Key] = reading
		} else {
			unread[c.Key] = true
		}
	}
	elsewhere, err := s.readElsewhere(ctx, v.StateID, unread)
	if err != nil {
		return err
	}
	maps.Copy(v.reused, elsewhere)
	for i := range v.Claims {
		c := &v.Claims[i]
		reading, ok := v.state.readings[c.Key]
		if !ok {
			reading, ok = v.reused[c.Key]
		}
		if ok && c.Key != "" {
			c.Apply(reading, v.sources)
			if reading.Loop == "" {
				c.Confidence = v.state.accuracy[reading.Batch]
			}
		}
	}
	return nil
}

// supportedReading is an item of a counted batch whose claim the reader found supported.
type supportedReading struct {
	loopstate.Reading
	item  loopstate.ReviewItem
	words string // the key of its words alone
}

// supportedReadings returns the items that believed readers found supported, the last batch first.
func supportedReadings(st *loopstate.State) []supportedReading {
	var out []supportedReading
	for _, r := range slices.Backward(st.Reviews) {
		for _, it := range r.Items {
			reading, ok := st.Readings[it.Key]
			if ok && reading.Answer == loopstate.AnswerSupported && reading.Batch == r.Batch && reading.Item == it.Item {
				out = append(out, supportedReading{reading, it, wordsOf(it.Claim)})
			}
		}
	}
	return out
}

// supportedBefore returns the reading of the same words when their citations have changed since. The claim must still show
// its reader every passage of that reading: further lines take nothing from what they say.
func (v *Verification) supportedBefore(c verify.Claim) (loopstate.Reading, bool) {
	words := wordsOf(c.Text)
	for _, before := range v.state.supported {
		shown := before.item.Passages
		if before.Corrected != nil {
			shown = []loopstate.ReviewWindow{*before.Corrected}
		}
		if before.words == words && len(c.Quoted) == 0 && shows(c, shown) {
			reading := before.Reading
			reading.Corrected = nil // the claim cites these lines now
			return reading, true
		}
	}
	return loopstate.Reading{}, false
}

// shows reports whether each of the windows is within a passage of a claim.
func shows(c verify.Claim, windows []loopstate.ReviewWindow) bool {
	return len(windows) > 0 && !slices.ContainsFunc(windows, func(w loopstate.ReviewWindow) bool {
		return !slices.ContainsFunc(c.Passages, func(p verify.Passage) bool {
			return p.SourceID == w.SourceID && p.Start <= w.Start && w.End <= p.End
		})
	})
}

// wordsOf is the same for claims that differ at most in case, punctuation and white space.
func wordsOf(claim string) string { return loopstate.ReviewKey(claim, nil, nil) }

// maxLoopsReadElsewhere bounds how many loops with readings are searched, last changed first: each may have to be loaded.
const maxLoopsReadElsewhere = 30

// readElsewhere returns accepted readings with the given review keys in other loops of the owner. A review key identifies
// the claim, the texts and the quotes.
func (s *Service) readElsewhere(ctx context.Context, loop string, unread map[string]bool) (map[string]loopstate.Reading, error) {
	if len(unread) == 0 {
		return nil, nil
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	heads, err := s.Store.Reviewed(ctx, owner, maxLoopsReadElsewhere+1) // one may be this loop
	if err != nil {
		return nil, fmt.Errorf("loops: find readings: %w", err)
	}
	found := map[string]loopstate.Reading{}
	for _, head := range heads {
		if head.Loop == loop || len(found) == len(unread) {
			continue
		}
		err := s.view(ctx, head.Loop, func(st *loopstate.State) error {
			for key := range unread {
				reading, ok := st.Readings[key]
				if _, known := found[key]; ok && !known && reading.Corrected == nil { // the lines of a correction are of its loop
					reading.Loop = cmp.Or(reading.Loop, head.Loop)
					found[key] = reading
				}
			}
			return nil
		})
		if err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) { // deleted in the meantime
			return nil, err
		}
	}
	return found, nil
}
