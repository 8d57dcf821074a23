package verdict

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// sameShare is the minimum share of a claim's words in a sentence that states it. Measured over real reports on the
	// rules before.
	sameShare = 0.75
	// maxStatedPairs bounds the compared pairs of claims and sentences.
	maxStatedPairs = 500_000
)

// statedIn returns the ids of recorded claims that a sentence states which cites one of their sources.
func statedIn(recorded []loopstate.Claim, sentences []verify.Claim) []string {
	said := make([]map[string]bool, len(sentences))
	for i, c := range sentences {
		said[i] = contentOf(c.Text)
	}
	var out []string
	pairs := 0
	for _, c := range recorded {
		want := contentOf(c.Claim)
		for i, now := range sentences {
			if pairs++; pairs > maxStatedPairs {
				return out
			}
			if sharesSource(c, now) && says(want, said[i]) {
				out = append(out, c.ID)
				break
			}
		}
	}
	return out
}

// contentOf returns the terms of a text without function words.
func contentOf(text string) map[string]bool {
	out := map[string]bool{}
	language := words.Language(text)
	words.NewAnalyzer(language).Tokens(text, func(t words.Token) {
		if !words.Function(language, strings.ToLower(text[t.ByteStart:t.ByteEnd])) {
			out[t.Term] = true
		}
	})
	return out
}

// says reports whether a sentence has enough of the words of a claim.
func says(claim, sentence map[string]bool) bool {
	n := 0
	for term := range claim {
		if sentence[term] {
			n++
		}
	}
	return len(claim) > 0 && float64(n) >= sameShare*float64(len(claim))
}

// Corrected returns the ids of unsupported recorded claims that a checked claim replaces: one with nearly the same words and
// a common source.
func (v *Verification) Corrected() []string {
	if v.OfDraft {
		return nil
	}
	wrong := slices.DeleteFunc(slices.Clone(v.state.current), func(c loopstate.Claim) bool {
		return c.Check == nil || c.Check.Status != loopstate.Unsupported || slices.ContainsFunc(v.Claims, func(now verify.Claim) bool { return now.Text == c.Claim })
	})
	right := slices.DeleteFunc(slices.Clone(v.Claims), func(c verify.Claim) bool { return c.Status == loopstate.Unsupported })
	return statedIn(wrong, right)
}

func sharesSource(c loopstate.Claim, now verify.Claim) bool {
	return slices.ContainsFunc(now.SourceIDs(), func(id string) bool { return slices.Contains(c.SourceIDs, id) })
}
