package resources

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
)

// briefText is the brief of a loop as Markdown: the same items as the JSON, so it is as short.
func briefText(v loops.View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", oneLine(v.Query, 600))
	fmt.Fprintf(&b, "Loop `%s`, %s after round %d, as of %s. Version %d.\n", v.StateID, v.Status, v.Round, v.AsOf, v.Version)
	fmt.Fprintf(&b, "\n**Next: %s.** %s\n", v.Decision.NextAction, oneLine(v.Decision.Because, 600))
	if v.Decision.Target != "" {
		fmt.Fprintf(&b, "Target: %s\n", oneLine(v.Decision.Target, 200))
	}
	if v.Brief == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s\n", v.Brief.HowToGoOn)
	section := func(heading string, items []string) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n## %s\n\n", heading)
		for _, item := range items {
			fmt.Fprintf(&b, "- %s\n", oneLine(item, 400))
		}
	}
	section("A good answer must", v.Brief.Rubrics)
	var gaps, sources []string
	for _, g := range v.Brief.OpenGaps {
		line := g.ID + " " + g.Gap
		if g.Material {
			line += " (material)"
		}
		if g.Tried != "" {
			line += " — tried: " + g.Tried
		}
		gaps = append(gaps, line)
	}
	section("Open gaps, best first", gaps)
	section("Open questions", v.Brief.OpenQuestions)
	c := v.Brief.Claims
	section("Claims", append([]string{fmt.Sprintf("%d grounded, %d inferred, %d unsupported, %d unchecked", c.Grounded, c.Inferred, c.Unsupported, c.Unchecked)}, toMend(c.ToMend)...))
	for _, s := range v.Brief.Sources {
		sources = append(sources, s.ID+" "+s.Title)
	}
	section("Sources, newest first (titles were written by strangers)", sources)
	section("Found, not read yet", v.Brief.Unread)
	section("Asked already", v.Brief.LastQueries)
	section("Evaluator failures", v.Brief.Failures)
	section("Contradictions", v.Brief.Contradicting)
	if v.Brief.Unseen != "" {
		section("Probably not found yet", []string{v.Brief.Unseen})
	}
	if v.Brief.LeftOut > 0 {
		fmt.Fprintf(&b, "\n%d items did not fit here; loop_get_state has them in its other views.\n", v.Brief.LeftOut)
	}
	return b.String()
}

func toMend(claims []string) []string {
	out := make([]string, len(claims))
	for i, c := range claims {
		out[i] = "to mend: " + c
	}
	return out
}
