package loops

import (
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

// applyReadings changes statuses by what believed readers said of the same claims over the same texts.
func (v *Verification) applyReadings() {
	for i := range v.Claims {
		c := &v.Claims[i]
		c.byWording = c.Status
		if !c.Readable() {
			continue
		}
		c.key = c.ReviewKey(func(id string) string { return v.state.sources[id].SHA256 })
		reading, ok := v.state.readings[c.key]
		if !ok {
			continue
		}
		c.Reading = &reading
		c.Apply(reading)
	}
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
