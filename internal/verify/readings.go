package verify

import (
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

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
func (v *Result) supportedBefore(c Claim) (loopstate.Reading, bool) {
	words := wordsOf(c.Text)
	for _, before := range v.state.supported {
		if before.words == words && len(c.Quoted) == 0 && shows(c, before.item.Passages) {
			return before.Reading, true
		}
	}
	return loopstate.Reading{}, false
}

// shows reports whether each of the windows is within a passage of a claim.
func shows(c Claim, windows []loopstate.ReviewWindow) bool {
	return len(windows) > 0 && !slices.ContainsFunc(windows, func(w loopstate.ReviewWindow) bool {
		return !slices.ContainsFunc(c.Passages, func(p Passage) bool {
			return p.SourceID == w.SourceID && p.Start <= w.Start && w.End <= p.End
		})
	})
}

// wordsOf is the same for claims that differ at most in case, punctuation and white space.
func wordsOf(claim string) string { return loopstate.ReviewKey(claim, nil, nil) }

// applyReadings changes the status of claims by accepted readings of the same claims and texts.
func (v *Result) applyReadings(known func(Claim) (loopstate.Reading, bool)) {
	v.Reused = map[string]loopstate.Reading{}
	for _, c := range v.Claims {
		if _, ok := v.state.readings[c.Key]; ok || c.Key == "" {
			continue
		}
		reading, ok := v.supportedBefore(c)
		if !ok && known != nil {
			reading, ok = known(c)
		}
		if ok {
			v.Reused[c.Key] = reading
		}
	}
	for i := range v.Claims {
		c := &v.Claims[i]
		reading, ok := v.state.readings[c.Key]
		if !ok {
			reading, ok = v.Reused[c.Key]
		}
		if ok && c.Key != "" {
			c.Apply(reading)
			if reading.Loop == "" {
				accuracy, tested := v.state.accuracy[reading.Batch]
				if c.Confidence = accuracy; !tested && reading.Batch != "" {
					c.Flags = append(c.Flags, FlagReaderUntested+": the texts are too short for test items")
				}
			}
		}
	}
}
