package research

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// complaint is the reason why a claim or a sentence was rejected.
type complaint struct {
	text    string
	why     string
	passage *passage
	line    int // in the draft
}

// failing returns the rejected claims by their text: unsupported, uncited, or with a citation that leads to nothing. Claims
// that nobody has read yet are accepted.
func (v verification) failing() map[string]complaint {
	bad := map[string]complaint{}
	for _, c := range v.Claims {
		if c.Status == unsupported {
			bad[c.Claim] = complaint{text: c.Claim, why: c.Because, passage: c.Passage, line: c.Line}
		}
	}
	for _, u := range v.Uncited {
		bad[u.Text] = complaint{text: u.Text, why: "It makes a claim and cites nothing.", line: u.Line}
	}
	for _, h := range v.Hallucinated {
		c := bad[h.Claim]
		c.text, c.why = h.Claim, "Its citation "+sanitize.Short(h.Citation, 60)+" leads to nothing: "+sanitize.Short(h.Why, 120)+"."
		bad[h.Claim] = c
	}
	return bad
}

// words returns the complaint as a line for the model.
func (c complaint) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q: %s", c.text, sanitize.Short(c.why, 300))
	if c.passage != nil && c.passage.Text != "" {
		fmt.Fprintf(&b, " What it cites of %s: %q", c.passage.SourceID, sanitize.Short(c.passage.Text, passageChars))
	}
	return b.String()
}

// sortedByText sorts complaints, so that prompts are reproducible.
func sortedByText(bad map[string]complaint) []complaint {
	var out []complaint
	for _, text := range slices.Sorted(maps.Keys(bad)) {
		out = append(out, bad[text])
	}
	return out
}

// drop counts and reports rejected claims or sentences.
func (r *run) drop(what string, bad map[string]complaint) {
	for _, c := range sortedByText(bad) {
		r.count(&r.result.Dropped)
		r.say(Refused, "dropped", "%s %q: %s", what, sanitize.Short(c.text, 120), sanitize.Short(c.why, 200))
	}
}
