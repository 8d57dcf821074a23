package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Conflict is two claims of one text or loop that say the same but for a number, and rest on different sources.
type Conflict struct {
	A, B           int // positions of the claims
	ValueA, ValueB string
	Because        string
}

// maxConflicts bounds the conflicts of one check (chosen).
const maxConflicts = 100

// Conflicts returns the pairs of claims that are equal but for a number and cite different sources, each claim with the
// first that it disagrees with.
func Conflicts(claims []Claim) []Conflict {
	first := map[string]int{} // claim without its numbers -> the first with it
	values := make([][]quantity.Quantity, len(claims))
	var out []Conflict
	for i, c := range claims {
		if len(c.SourceIDs()) == 0 {
			continue
		}
		frame := ""
		if frame, values[i] = withoutNumbers(c.Text); frame == "" {
			continue
		}
		a, known := first[frame]
		if !known {
			first[frame] = i
			continue
		}
		x := slices.IndexFunc(values[i], func(q quantity.Quantity) bool { return !quantity.In(q, values[a]) })
		if x >= 0 && x < len(values[a]) && !sameSources(claims[a], c) && len(out) < maxConflicts {
			va, vb := values[a][x].Text, values[i][x].Text
			out = append(out, Conflict{A: a, B: i, ValueA: va, ValueB: vb,
				Because: fmt.Sprintf("%s says %s and %s says %s of the same; resolve it, or record it as a contradiction with the reason why it stays open",
					strings.Join(claims[a].SourceIDs(), ", "), va, strings.Join(c.SourceIDs(), ", "), vb)})
		}
	}
	return out
}

// withoutNumbers returns the words of a claim with a mark in the place of each quantity, or "" if it has none.
func withoutNumbers(claim string) (string, []quantity.Quantity) {
	found := quantity.Read(words.Language(claim), claim)
	if len(found) == 0 {
		return "", nil
	}
	text := []rune(claim)
	var b strings.Builder
	at := 0
	for _, q := range found {
		if q.Start < at {
			return "", nil
		}
		b.WriteString(string(text[at:q.Start]) + " # ")
		at = q.End
	}
	b.WriteString(string(text[at:]))
	return strings.Join(words.Terms(strings.ReplaceAll(b.String(), "#", "number")), " "), found
}

func sameSources(a, b Claim) bool {
	return slices.ContainsFunc(a.SourceIDs(), func(id string) bool { return slices.Contains(b.SourceIDs(), id) })
}
