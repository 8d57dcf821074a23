package judge

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

// Question is a claim with what the deterministic checks found about it. The verdict is not told to the model,
// whose opinion is worth something only as a second one.
type Question struct {
	Claim    string
	Verdict  grounding.Verdict
	Passages []grounding.Evidence // as they stand in the sources, best first
}

// Ask makes the question that a verdict leaves open.
func Ask(claim string, v grounding.Verdict) Question {
	return Question{Claim: claim, Verdict: v, Passages: v.Passages}
}

// The band of support in which a second opinion is worth its cost. Below it the texts hardly speak of the claim;
// above it they say it almost word for word, and a model has more to get wrong than to add. Chosen on human
// judgements of five sets of claims, English and Chinese: the band has 30 to 65 % of them; the rules are right about
// 58 to 71 % of those in it, and about 80 to 92 % of the others.
const (
	doubtfulFrom = 0.08
	doubtfulTo   = 0.75
)

// Doubtful reports whether an opinion could change a verdict for the better: there are passages to read, the support
// is neither clear nor hopeless, and nothing forbids to lift what is unsupported.
func Doubtful(v grounding.Verdict) bool {
	switch {
	case len(v.Passages) == 0:
		return false
	case v.Status == grounding.Unsupported:
		return v.Support >= doubtfulFrom && objection(v.Flags) == ""
	case v.Status == grounding.Inferred:
		return true
	}
	return v.Support < doubtfulTo
}

// harmless are the flags beside which an unsupported claim may still be lifted. All others say that a number, a
// negation, a name or a quote speaks against the claim; so does a flag that is not known here, by default.
var harmless = []string{
	grounding.FlagSingleSource, grounding.FlagSecondaryOnly, grounding.FlagQuoteFuzzy,
	FlagAgrees, FlagLowered, FlagLifted, FlagNotLifted, FlagUndecided, FlagFailed, FlagSkipped,
}

// objection returns the first flag that forbids to lift a claim, "" for none.
func objection(flags []string) string {
	for _, flag := range flags {
		if kind, _, _ := strings.Cut(flag, ":"); !slices.Contains(harmless, kind) {
			return flag
		}
	}
	return ""
}
