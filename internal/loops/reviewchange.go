package loops

import (
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// ReviewChange is a claim whose status a reading changed.
type ReviewChange struct {
	ClaimID  string // empty for a sentence of a draft
	Claim    string
	From, To string
	Because  string
}

// ChangesOf returns the claims of a counted batch whose status differs from that by wording. It depends on the state only,
// so that a repeated call gets the same result.
func ChangesOf(st *loopstate.State, batch string) []ReviewChange {
	r, ok := st.ReviewByID(batch)
	if !ok || r.Status != loopstate.BatchCounted {
		return nil
	}
	byWording, ids := map[string]string{}, map[string]string{}
	for _, c := range st.Candidates {
		byWording[c.Key] = c.Status
	}
	for _, c := range st.Claims {
		if c.Check != nil {
			ids[c.Check.Key] = c.ID
		}
	}
	var out []ReviewChange
	for _, it := range r.Items {
		from, known := byWording[it.Key]
		if !known {
			continue
		}
		reading, ok := st.Readings[it.Key]
		if !ok {
			continue
		}
		to, _, _ := loopstate.AfterReading(from, reading.Answer)
		if from == to {
			continue
		}
		because := "the reader says " + reading.Answer
		if reading.Quote != "" {
			because += ": " + strconv.Quote(Shorten(reading.Quote, 160))
		}
		out = append(out, ReviewChange{ClaimID: ids[it.Key], Claim: it.Claim, From: from, To: to, Because: because})
	}
	return out
}
