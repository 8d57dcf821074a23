package loops

import (
	"cmp"
	"context"
	"fmt"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// reviewed is what a verification knows of a claim's second reading.
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

// Contradicted reports whether the text says otherwise: by a difference in wording that no reader overruled, or by a
// reader.
func (c VerifiedClaim) Contradicted() bool {
	if c.Reading != nil {
		return c.Reading.Answer == loopstate.AnswerContradicted
	}
	return c.Status == grounding.Unsupported && len(c.Differences) > 0
}

// ReviewNeeded says what waits for a second reader.
type ReviewNeeded struct {
	Pending int    // claims that wording could not decide or calls unsupported, and that nobody read
	Batch   string // the open batch, if there is one
}

func reviewNeeded(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(st.PendingReviews())}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}

// applyReadings changes statuses by what believed readers said of the same claims over the same texts, in this loop or
// in another one of its owner.
func (s *Service) applyReadings(ctx context.Context, v *Verification) error {
	unread := map[string]bool{}
	for i := range v.Claims {
		c := &v.Claims[i]
		c.byWording = c.Status
		if !c.Readable() {
			continue
		}
		c.key = c.ReviewKey(func(id string) string { return v.state.sources[id].SHA256 })
		if _, ok := v.state.readings[c.key]; !ok && c.Status != grounding.Grounded {
			unread[c.key] = true
		}
	}
	var err error
	if v.reused, err = s.readElsewhere(ctx, v.StateID, unread); err != nil {
		return err
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

// maxLoopsReadElsewhere bounds how many loops are searched for readings, the last changed first. Chosen: a loop that is
// not in memory costs reading its snapshot.
const maxLoopsReadElsewhere = 30

// readElsewhere finds what believed readers said of claims in other loops of the owner. A review key holds the claim, the
// hashes of the texts and the quotes, so that nothing else may be meant.
func (s *Service) readElsewhere(ctx context.Context, loop string, unread map[string]bool) (map[string]loopstate.Reading, error) {
	if len(unread) == 0 {
		return nil, nil
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	heads, err := s.Store.Loops(ctx, owner)
	if err != nil {
		return nil, fmt.Errorf("loops: looking for readings: %w", err)
	}
	found := map[string]loopstate.Reading{}
	for _, head := range heads[:min(len(heads), maxLoopsReadElsewhere)] {
		if head.Loop == loop || len(found) == len(unread) {
			continue
		}
		err := s.view(ctx, head.Loop, func(st *loopstate.State) error {
			for key := range unread {
				reading, ok := st.Readings[key]
				if _, known := found[key]; ok && !known {
					reading.Loop = cmp.Or(reading.Loop, head.Loop)
					found[key] = reading
				}
			}
			return nil
		})
		if err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) { // deleted meanwhile
			return nil, err
		}
	}
	return found, nil
}

// candidates are the claims that a second reader may be asked about.
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
