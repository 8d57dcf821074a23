package loops

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
)

// FlagOwn is the kind of a flag about the author's own statements in a draft.
const FlagOwn = "own_statement"

// ownFlags counts the author's own statements, and lists inferences that state figures or names, which need a source.
func (v *Verification) ownFlags() []string {
	if len(v.Own) == 0 {
		return nil
	}
	counts := map[string]int{}
	var facts []string
	for _, c := range v.Own {
		counts[c.Sentence.Own]++
		if c.Sentence.Own == grounding.OwnInference && c.Sentence.StatesFacts() && len(facts) < maxLinesNamed {
			facts = append(facts, fmt.Sprintf("%s: line %d states figures or names as an inference and was not checked: %q", FlagOwn, c.Sentence.Line, shorten(c.Text, 60)))
		}
	}
	var parts []string
	for _, kind := range []struct{ own, one string }{{grounding.OwnInference, "inferences"}, {grounding.OwnAbsence, "of what the sources do not say"}, {grounding.OwnOpen, "open questions"}} {
		if n := counts[kind.own]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind.one))
		}
	}
	return append([]string{fmt.Sprintf("%s: %d sentences are the author's own (%s); they are not checked and count neither way", FlagOwn, len(v.Own), strings.Join(parts, ", "))}, facts...)
}
