package grounding

import (
	"fmt"
	"strings"
)

// because says in one sentence what decided.
func because(v Verdict, f finding) string {
	for _, kind := range []string{FlagQuoteAbsent, FlagNumberMismatch, FlagNegationMismatch, FlagNameAbsent} {
		for _, flag := range v.Flags {
			what, ok := strings.CutPrefix(flag, kind+": ")
			if !ok || v.Status == Grounded {
				continue
			}
			switch kind {
			case FlagQuoteAbsent:
				return "The quote " + what + "."
			case FlagNumberMismatch:
				return "A number differs: " + what + "."
			case FlagNegationMismatch:
				return "The negation differs: " + what + "."
			default:
				return "A name is missing: " + what + "."
			}
		}
	}
	where := ""
	if v.Passage != nil {
		where = v.Passage.SourceID
	}
	lacking := ""
	if len(v.Missing) > 0 {
		shown := v.Missing[:min(3, len(v.Missing))]
		lacking = fmt.Sprintf(" without %q", strings.Join(shown, ", "))
	}
	switch {
	case v.Status == Grounded && f.verbatim != nil:
		return fmt.Sprintf("The claim stands in %s word for word.", where)
	case v.Status == Grounded:
		return fmt.Sprintf("A passage of %s says it%s.", where, lacking)
	case v.Status == Inferred && v.QuoteGrade == QuoteFuzzy:
		return fmt.Sprintf("The quote stands in %s with single words changed.", where)
	case v.Status == Inferred && f.scattered():
		return "The parts of the claim stand in the cited texts, but in no single passage."
	case v.Status == Inferred:
		return fmt.Sprintf("%s says a part of it%s.", where, lacking)
	case v.Passage == nil:
		return "The cited texts have none of the claim's words."
	}
	return fmt.Sprintf("The nearest passage, in %s, does not say it%s.", where, lacking)
}
