package verify

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Conflict is two claims of one text or loop that say the same but for a number, and rest on different sources.
type Conflict struct {
	A, B           int // positions of the claims
	ValueA, ValueB string
	Because        string
}

// Conflicts returns the pairs of claims that are equal but for a figure and cite different sources, each claim with the first
// that it disagrees with.
func Conflicts(claims []Claim) []Conflict {
	first := map[string]int{} // claim without its figures -> the first with it
	var out []Conflict
	for i, c := range claims {
		frame, values := withoutFigures(c.Text)
		a, known := first[frame]
		if !known {
			first[frame] = i
			continue
		}
		_, before := withoutFigures(claims[a].Text)
		x := slices.IndexFunc(values, func(v string) bool { return !slices.Contains(before, v) })
		shared := func(id string) bool { return slices.Contains(claims[a].SourceIDs(), id) }
		if x < 0 || x >= len(before) || len(c.SourceIDs()) == 0 || len(claims[a].SourceIDs()) == 0 || slices.ContainsFunc(c.SourceIDs(), shared) || len(out) == 100 { // chosen
			continue
		}
		out = append(out, Conflict{A: a, B: i, ValueA: before[x], ValueB: values[x],
			Because: fmt.Sprintf("%s says %s and %s says %s of the same; resolve it, or record it as a contradiction with the reason why it stays open",
				strings.Join(claims[a].SourceIDs(), ", "), before[x], strings.Join(c.SourceIDs(), ", "), values[x])})
	}
	return out
}

// withoutFigures returns the words of a claim in lower case with a mark in the place of each figure, and the figures.
func withoutFigures(claim string) (string, []string) {
	var figures []string
	parts := strings.Fields(strings.ToLower(claim))
	for i, part := range parts {
		if parts[i] = strings.Trim(part, ".,;:!?()\"'“”"); strings.ContainsFunc(part, unicode.IsDigit) {
			figures = append(figures, strings.ReplaceAll(parts[i], ",", ""))
			parts[i] = "#"
		}
	}
	return strings.Join(parts, " "), figures
}
