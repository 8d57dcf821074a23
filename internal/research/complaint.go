package research

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// complaint is why a claim or a sentence may not stay as it is.
type complaint struct {
	text         string
	why          string
	missing      []string
	betterSource string
	passage      *passage
	line         int // in the draft
}

// failing are the claims that no cited text supports, that cite nothing, or that cite what was never read, by their
// text. What is inferred may stay.
func (v verification) failing() map[string]complaint {
	bad := map[string]complaint{}
	for _, c := range v.Claims {
		if c.Status == unsupported {
			bad[c.Claim] = complaint{text: c.Claim, why: c.Because, missing: c.Missing, betterSource: c.BetterSource, passage: c.Passage, line: c.Line}
		}
	}
	for _, u := range v.Uncited {
		bad[u.Text] = complaint{text: u.Text, why: "It claims something and cites nothing.", line: u.Line}
	}
	for _, h := range v.Hallucinated {
		c := bad[h.Claim]
		c.text, c.why = h.Claim, "It cites "+sanitize.Short(h.Citation, 60)+", which nobody has read."
		bad[h.Claim] = c
	}
	return bad
}

// words are the complaint for the model.
func (c complaint) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q: %s", c.text, sanitize.Short(c.why, 300))
	if len(c.missing) > 0 {
		fmt.Fprintf(&b, " Not in the text: %s.", sanitize.Short(strings.Join(c.missing, ", "), 200))
	}
	if c.betterSource != "" {
		fmt.Fprintf(&b, " %s says it.", c.betterSource)
	}
	if c.passage != nil && c.passage.Text != "" {
		fmt.Fprintf(&b, " The nearest passage, of %s: %q", c.passage.SourceID, sanitize.Short(c.passage.Text, passageChars))
	}
	return b.String()
}

// sortedByText orders complaints, so that the same ones are always said in the same way.
func sortedByText(bad map[string]complaint) []complaint {
	var out []complaint
	for _, text := range slices.Sorted(maps.Keys(bad)) {
		out = append(out, bad[text])
	}
	return out
}

// drop says and counts what does not stay as it was written.
func (r *run) drop(what string, bad map[string]complaint) {
	for _, c := range sortedByText(bad) {
		r.mu.Lock()
		r.result.Dropped++
		r.mu.Unlock()
		r.say(Refused, "dropped", "%s %q: %s", what, sanitize.Short(c.text, 120), sanitize.Short(c.why, 200))
	}
}
