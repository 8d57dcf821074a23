package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// Conflict is one point on which two sources disagree: a recorded contradiction without a resolution, or two claims that are equal but
// for a number and cite different sources.
type Conflict struct {
	Topic          string
	A, B           Passage
	ValueA, ValueB string // of two claims; empty for a recorded contradiction
	Because        string
	Claim          int // position of the later claim, or -1
}

// Conflicts returns the pairs of checked claims that are equal but for one amount and cite different sources, each claim with the first
// that it disagrees with. An amount has a unit, which numbers of years, versions and names do not have, and rows of a table speak of
// different things. It finds few: a false conflict costs more than one that is not found.
func Conflicts(claims []Claim) []Conflict {
	const most = 100
	first := map[string]int{} // claim without its amount -> the first with it
	var out []Conflict
	for i, c := range claims {
		frame, value := amountOf(c.Text)
		if frame == "" || len(c.Passages) == 0 {
			continue
		}
		a, known := first[frame]
		if !known {
			first[frame] = i
			continue
		}
		_, before := amountOf(claims[a].Text)
		shared := func(id string) bool { return slices.Contains(claims[a].SourceIDs(), id) }
		if before.SameValue(value) || value.SameValue(before) || slices.ContainsFunc(c.SourceIDs(), shared) || len(out) == most {
			continue
		}
		out = append(out, Conflict{Topic: sanitize.Short(claims[a].Text, 120), A: claims[a].Passages[0], B: c.Passages[0],
			ValueA: before.Text, ValueB: value.Text, Claim: i,
			Because: fmt.Sprintf("%s says %s and %s says %s of the same; resolve it, or record it as a contradiction with the reason "+
				"why it stays open",
				strings.Join(claims[a].SourceIDs(), ", "), before.Text, strings.Join(c.SourceIDs(), ", "), value.Text)})
	}
	return out
}

// disputed returns the recorded contradictions that are not resolved.
func disputed(recorded []loopstate.Contradiction) (out []Conflict) {
	passage := func(q loopstate.Quoted) Passage {
		return Passage{ReviewWindow: loopstate.ReviewWindow{SourceID: q.SourceID, Start: q.Start, End: q.End}, Text: q.Text}
	}
	for _, x := range recorded {
		if len(x.Passages) >= 2 {
			out = append(out, Conflict{Topic: sanitize.Short(x.Topic, 120), A: passage(x.Passages[0]), B: passage(x.Passages[1]), Claim: -1,
				Because: fmt.Sprintf("recorded as %s: %s", x.ID, cmp.Or(x.Why, x.Topic))})
		}
	}
	return out
}

// amountOf returns a claim in lower case with a mark in place of its one amount in a known unit, and the amount; "" for a claim with none
// or with several. Other numbers, such as a year or that of a version, stay in it: claims of different years are not of the same.
func amountOf(claim string) (frame string, amount quantity.Quantity) {
	const leastWords = 4
	row, language := strings.Contains(claim, "; "), words.Language(claim)
	if row || language == "zh" || language == "ja" { // in scripts without spaces a number is often a part of a word
		return "", amount
	}
	text := []rune(claim)
	for _, q := range quantity.Read(language, claim) {
		if q.Unit == "" || q.Kind == quantity.Date {
			continue // a part of what the amount is of
		}
		if frame != "" {
			return "", amount
		}
		frame, amount = strings.ToLower(string(text[:q.Start])+"#"+string(text[q.End:])), q
	}
	if len(strings.Fields(frame)) < leastWords {
		return "", amount
	}
	return strings.TrimRight(frame, "."), amount
}
