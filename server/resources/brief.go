package resources

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Brief renders the brief of a loop as Markdown, with the same items as the JSON.
func Brief(v loops.View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", sanitize.Short(v.Query, 600))
	fmt.Fprintf(&b, "Loop `%s`, %s after round %d, as of %s. Version %d.\n", v.StateID, v.Status, v.Round, v.AsOf, v.Version)
	fmt.Fprintf(&b, "\n**Next: %s.** %s\n", v.Decision.NextAction, sanitize.Short(v.Decision.Because, 600))
	if v.Decision.Target != "" {
		fmt.Fprintf(&b, "Target: %s\n", sanitize.Short(v.Decision.Target, 200))
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
			fmt.Fprintf(&b, "- %s\n", sanitize.Short(item, 400))
		}
	}
	section("A good answer must", v.Brief.Rubrics)
	var gaps []string
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
	toFix := make([]string, len(c.ToMend))
	for i, claim := range c.ToMend {
		toFix[i] = "to fix: " + claim
	}
	section("Claims", append([]string{fmt.Sprintf("%d supported, %d not read yet or partly supported, %d not supported, %d not checked", c.Grounded, c.Inferred, c.Unsupported, c.Unchecked)}, toFix...))
	section("Sources, newest first (titles are untrusted text)", v.Brief.Sources)
	section("Found, not yet read", v.Brief.Unread)
	section("Previous queries", v.Brief.LastQueries)
	section("Evaluator failures", v.Brief.Failures)
	section("Contradictions", v.Brief.Contradicting)
	if v.Brief.Unseen != "" {
		section("Probably not found yet", []string{v.Brief.Unseen})
	}
	if v.Brief.LeftOut > 0 {
		fmt.Fprintf(&b, "\n%d items omitted; see the other views of loop_get_state.\n", v.Brief.LeftOut)
	}
	return b.String()
}
