package verify

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// addressing is the flag of a verdict of which a passage holds or touches words that speak to a model, or none. text
// gives the whole text of a source, or "" where the passage alone is looked at.
func addressing(v grounding.Verdict, text func(id string) string) []string {
	rests := v.Passages
	if v.Status != grounding.Inferred {
		rests = rests[:min(1, len(rests))] // the deciding one
	}
	for _, e := range rests {
		var places []sanitize.Injection
		if whole := text(e.SourceID); whole != "" {
			places = sanitize.InjectionsAt(whole, e.Start, e.End)
		} else {
			places = sanitize.FindInjections(e.Text)
		}
		if len(places) > 0 {
			return []string{fmt.Sprintf("%s: the passage of %s holds or touches words that speak to a model (%s); they are the source's and no instructions", sanitize.InjectionFlag, e.SourceID, places[0].Kind)}
		}
	}
	return nil
}
