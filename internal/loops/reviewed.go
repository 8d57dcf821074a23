package loops

import (
	"slices"
	"strings"

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

// noReader are flags that a second reader cannot lift: there is nothing to read, or the claim quotes words that are
// nowhere.
var noReader = []string{grounding.FlagUncited, grounding.FlagUnknownSource, grounding.FlagEmptyClaim, grounding.FlagQuoteAbsent}

// applyReadings changes statuses by what believed readers said of the same claims over the same texts.
func (v *Verification) applyReadings() {
	for i := range v.Claims {
		c := &v.Claims[i]
		c.byWording = c.Status
		if len(c.Asked) == 0 || slices.ContainsFunc(c.Flags, func(f string) bool {
			kind, _, _ := strings.Cut(f, ":")
			return slices.Contains(noReader, kind)
		}) {
			continue
		}
		var hashes, quotes []string
		for _, a := range c.Asked {
			hashes = append(hashes, v.state.sources[a.SourceID].SHA256)
			if a.Quote != "" {
				quotes = append(quotes, a.Quote)
			}
		}
		c.key = loopstate.ReviewKey(c.Text, hashes, quotes)
		reading, ok := v.state.readings[c.key]
		if !ok {
			continue
		}
		status, basis, flag := loopstate.AfterReading(string(c.Status), reading.Answer)
		c.Reading, c.Status, c.Basis = &reading, grounding.Status(status), grounding.Basis(basis)
		if flag != "" {
			c.Flags = append(c.Flags, flag+": "+disagreement(flag, reading))
		}
		c.Because = becauseRead(reading)
	}
}

func disagreement(flag string, reading loopstate.Reading) string {
	if flag == loopstate.FlagOverruled {
		return "the wording differs, a second reader found it supported"
	}
	return "the wording matches, a second reader answered " + reading.Answer
}

func becauseRead(reading loopstate.Reading) string {
	because := map[string]string{
		loopstate.AnswerSupported:    "A second reader found it supported",
		loopstate.AnswerPartly:       "A second reader found it supported in part",
		loopstate.AnswerContradicted: "A second reader found it contradicted",
		loopstate.AnswerNotStated:    "A second reader did not find it in the passages",
	}[reading.Answer]
	if reading.Quote != "" && reading.Answer != loopstate.AnswerNotStated {
		because += ": “" + shorten(reading.Quote, 200) + "”"
	}
	return because + " (" + reading.Item + ")."
}

// candidates are the claims that a second reader may be asked about.
func (v *Verification) candidates() []loopstate.ReviewCandidate {
	var out []loopstate.ReviewCandidate
	for _, c := range v.Claims {
		if c.key == "" {
			continue
		}
		quoted := slices.ContainsFunc(c.Asked, func(a grounding.Citation) bool { return a.Quote != "" })
		out = append(out, loopstate.ReviewCandidate{Key: c.key, Claim: c.Text, SourceIDs: c.SourceIDs(), Status: string(c.byWording), Quoted: quoted})
	}
	return out
}
