package contrast

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// trueKinds and falseKinds are all values of the column kind.
var (
	trueKinds = []string{"near", "cut", "paraphrase", "number_form", "attribution", "multi", "summary", "denial"}
	// falseKinds are named as the differences in docs/verdicts.md.
	falseKinds = []string{"number", "unit", "rate", "negation", "direction", "quantifier", "certainty", "ordinal",
		"name", "role", "binding", "speaker", "time", "condition", "myth"}
	// leftOut are the kinds of false claims that near.jsonl has: what near-verbatim sentences leave out or widen.
	leftOut = []string{"restriction", "hedge", "speaker_dropped", "surroundings"}
)

// evidenceGap joins several spans of a text in the column evidence.
const evidenceGap = " [...] "

// validate reports everything that is wrong with the set. Each text must have surplus more true claims than false ones.
func validate(s Set, surplus int) error {
	var problems []error
	report := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	texts := s.Texts()
	if len(texts) != len(s.Sources) {
		report("duplicate source id")
	}
	byID := map[string]Claim{}
	for _, c := range s.Claims {
		if _, ok := byID[c.ID]; ok {
			report("duplicate claim id: %s", c.ID)
		}
		byID[c.ID] = c
	}
	balance, wording := map[string]int{}, map[string]string{}
	for _, c := range s.Claims {
		if len(c.SourceIDs) != 1 {
			report("%s: %d sources, want 1", c.ID, len(c.SourceIDs))
			continue
		}
		id := c.SourceIDs[0]
		text, ok := texts[id]
		if !ok {
			report("%s: unknown source: %s", c.ID, id)
		}
		if other, ok := wording[id+c.Claim]; ok {
			report("%s: same wording as %s", c.ID, other)
		}
		wording[id+c.Claim] = c.ID
		if c.Evidence == "" {
			report("%s: evidence is empty", c.ID)
		}
		for _, span := range strings.Split(c.Evidence, evidenceGap) {
			if !strings.Contains(text, span) {
				report("%s: evidence is not in the text: %q", c.ID, span)
			}
		}
		switch c.Supported {
		case 1:
			balance[id]++
			if !slices.Contains(trueKinds, c.Kind) {
				report("%s: unknown kind of a true claim: %s", c.ID, c.Kind)
			}
			if c.Base != "" {
				report("%s: a true claim has a base: %s", c.ID, c.Base)
			}
		case 0:
			balance[id]--
			if !slices.Contains(falseKinds, c.Kind) && !slices.Contains(leftOut, c.Kind) {
				report("%s: unknown kind of a false claim: %s", c.ID, c.Kind)
			}
			base, ok := byID[c.Base]
			if !ok || base.Supported != 1 || !slices.Equal(base.SourceIDs, c.SourceIDs) || base.Lang != c.Lang {
				report("%s: base is not a true claim about the same text in the same language: %q", c.ID, c.Base)
			}
		default:
			report("%s: supported is %d, want 0 or 1", c.ID, c.Supported)
		}
	}
	for _, src := range s.Sources {
		if balance[src.ID] != surplus {
			report("%s: true claims minus false claims is %d, want %d", src.ID, balance[src.ID], surplus)
		}
	}
	return errors.Join(problems...)
}
