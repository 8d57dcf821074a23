package citing

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/review"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// noReader lists the flags that a second reader cannot resolve: the claim has no text to read, or its quote is missing.
var noReader = []string{grounding.FlagUncited, grounding.FlagUnknownSource, grounding.FlagEmptyClaim, grounding.FlagQuoteAbsent}

// Readable reports whether a second reader can judge a checked claim.
func (c Claim) Readable() bool {
	return len(c.Asked) > 0 && !slices.ContainsFunc(c.Flags, func(f string) bool {
		kind, _, _ := strings.Cut(f, ":")
		return slices.Contains(noReader, kind)
	})
}

// ReviewItem returns a review item for the log; id is its id in the batch.
func ReviewItem(id string, it review.Item) loopstate.ReviewItem {
	out := loopstate.ReviewItem{Item: id, Role: string(it.Role), Key: it.Key, Kind: string(it.Kind), Claim: it.Claim, Base: it.Base}
	for _, p := range it.Passages {
		out.Passages = append(out.Passages, loopstate.ReviewWindow{SourceID: p.SourceID, Start: p.Start, End: p.End, Heading: p.Heading})
	}
	return out
}

// Quoted reports whether the claim cites a quote.
func (c Claim) Quoted() bool {
	return slices.ContainsFunc(c.Asked, func(a grounding.Citation) bool { return a.Quote != "" })
}

// ReviewKey identifies the claim and the texts that a reader judges, see [loopstate.ReviewKey]. hash returns the hash of a source's text.
func (c Claim) ReviewKey(hash func(sourceID string) string) string {
	var hashes, quotes []string
	for _, a := range c.Asked {
		hashes = append(hashes, hash(a.SourceID))
		if a.Quote != "" {
			quotes = append(quotes, a.Quote)
		}
	}
	return loopstate.ReviewKey(c.Text, hashes, quotes)
}

// Apply changes the verdict by an answer that counts.
func (c *Claim) Apply(reading loopstate.Reading) {
	status, basis, flag := loopstate.AfterReading(string(c.Status), reading.Answer)
	c.Status, c.Basis = grounding.Status(status), grounding.Basis(basis)
	switch flag {
	case loopstate.FlagOverruled:
		c.Flags = append(c.Flags, flag+": the wording differs, a second reader found it supported")
	case loopstate.FlagDisputed:
		c.Flags = append(c.Flags, flag+": the wording matches, a second reader answered "+reading.Answer)
	}
	if reading.Imported {
		c.Flags = append(c.Flags, loopstate.FlagImported)
	}
	c.Because = map[string]string{
		loopstate.AnswerSupported:    "A second reader found it supported",
		loopstate.AnswerPartly:       "A second reader found it supported in part",
		loopstate.AnswerContradicted: "A second reader found it contradicted",
		loopstate.AnswerNotStated:    "A second reader did not find it in the passages",
	}[reading.Answer]
	if reading.Quote != "" && reading.Answer != loopstate.AnswerNotStated {
		c.Because += ": “" + sanitize.Short(reading.Quote, 200) + "”"
	}
	c.Because += " (" + reading.Item
	if reading.Loop != "" {
		c.Because += " of loop " + reading.Loop
	}
	c.Because += ")."
}
