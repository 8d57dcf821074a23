package loops

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// reviewed is the second reading of a claim in a verification.
type reviewed struct {
	key       string           // see loopstate.ReviewKey
	byWording grounding.Status // before the reading
	Reading   *loopstate.Reading
}

func (r reviewed) basisByWording() string {
	if r.byWording == grounding.Grounded {
		return loopstate.BasisWording
	}
	return ""
}

// Pending reports whether the claim waits for a second reader.
func (c VerifiedClaim) Pending() bool {
	return c.key != "" && c.Reading == nil && c.Status != grounding.Grounded
}

// Contradicted reports whether the text contradicts the claim, by a reader's answer, or without one by a difference in
// wording.
func (c VerifiedClaim) Contradicted() bool {
	if c.Reading != nil {
		return c.Reading.Answer == loopstate.AnswerContradicted
	}
	return c.Status == grounding.Unsupported && len(c.Differences) > 0
}

// ReviewNeeded counts the claims for a second reader.
type ReviewNeeded struct {
	Pending int    // see [loopstate.State.PendingReviews]
	Batch   string // the open batch, or ""
}

func reviewNeeded(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(st.PendingReviews())}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}

// applyReadings changes the status of claims by accepted readings of the same claims and texts, in this loop or in other
// loops of its owner.
func (s *Service) applyReadings(ctx context.Context, v *Verification) error {
	unread, kept := map[string]bool{}, map[string]loopstate.Reading{}
	for i := range v.Claims {
		c := &v.Claims[i]
		c.byWording = c.Status
		if !c.Readable() {
			continue
		}
		c.key = c.ReviewKey(func(id string) string { return v.state.sources[id].SHA256 })
		if _, ok := v.state.readings[c.key]; ok || c.Status == grounding.Grounded {
			continue
		}
		if reading, ok := v.supportedBefore(c); ok {
			kept[c.key] = reading
		} else {
			unread[c.key] = true
		}
	}
	var err error
	if v.reused, err = s.readElsewhere(ctx, v.StateID, unread); err != nil {
		return err
	}
	for key, reading := range kept {
		if v.reused == nil {
			v.reused = kept
			break
		}
		v.reused[key] = reading
	}
	for i := range v.Claims {
		c := &v.Claims[i]
		reading, ok := v.state.readings[c.key]
		if !ok {
			reading, ok = v.reused[c.key]
		}
		if ok && c.key != "" {
			c.Reading = &reading
			c.Apply(reading)
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

// supportedBefore returns the reading of the same words when their citations or quotation marks have changed since. The
// claim must still cite each source whose passages the reader had, with an unchanged text: a further source takes nothing
// from what they say.
func (v *Verification) supportedBefore(c *VerifiedClaim) (loopstate.Reading, bool) {
	var quotes []string
	for _, a := range c.Asked {
		if a.Quote != "" {
			quotes = append(quotes, a.Quote)
		}
	}
	cited, words := c.SourceIDs(), wordsOf(c.Text)
	for _, before := range v.state.supported {
		if before.words != words {
			continue
		}
		var hashes []string
		for _, p := range before.item.Passages {
			if !slices.Contains(cited, p.SourceID) {
				hashes = nil
				break
			}
			hashes = append(hashes, v.state.sources[p.SourceID].SHA256)
		}
		for _, q := range [][]string{quotes, nil, quotesIn(before.item.Claim)} {
			if hashes != nil && loopstate.ReviewKey(before.item.Claim, hashes, q) == before.item.Key {
				return before.Reading, true
			}
		}
	}
	return loopstate.Reading{}, false
}

// wordsOf is the same for claims that differ at most in case, punctuation and white space.
func wordsOf(claim string) string { return loopstate.ReviewKey(claim, nil, nil) }

// quotesIn returns what a claim quotes.
func quotesIn(claim string) []string {
	var out []string
	for _, s := range grounding.ParseDraft(claim).Sentences {
		out = append(out, s.Quotes...)
	}
	return out
}

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
		err := s.viewHead(ctx, head, func(st *loopstate.State) error {
			for key := range unread {
				reading, ok := st.Readings[key]
				if _, known := found[key]; ok && !known {
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

// candidates returns the claims for a second reader.
func (v *Verification) candidates() []loopstate.ReviewCandidate {
	var out []loopstate.ReviewCandidate
	for _, c := range v.Claims {
		if c.key == "" {
			continue
		}
		out = append(out, loopstate.ReviewCandidate{Key: c.key, Claim: c.Text, SourceIDs: c.SourceIDs(), Status: string(c.byWording), Quoted: c.Quoted()})
	}
	return out
}
