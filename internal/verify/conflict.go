package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
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
// that it disagrees with. Dates, versions, ages and numbered names are no amounts, and rows of a table speak of different things. It
// finds few: a false conflict costs more than one that is not found.
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
		if numberOf(before) == numberOf(value) || slices.ContainsFunc(c.SourceIDs(), shared) || len(out) == most {
			continue
		}
		out = append(out, Conflict{Topic: sanitize.Short(claims[a].Text, 120), A: claims[a].Passages[0], B: c.Passages[0], ValueA: before,
			ValueB: value, Claim: i,
			Because: fmt.Sprintf("%s says %s and %s says %s of the same; resolve it, or record it as a contradiction with the reason "+
				"why it stays open",
				strings.Join(claims[a].SourceIDs(), ", "), before, strings.Join(c.SourceIDs(), ", "), value)})
	}
	return out
}

// disputed returns the recorded contradictions that are not resolved.
func disputed(recorded []loopstate.Contradiction) (out []Conflict) {
	passage := func(q loopstate.Quoted) Passage {
		return Passage{SourceID: q.SourceID, Start: q.Start, End: q.End, Text: q.Text}
	}
	for _, x := range recorded {
		if len(x.Passages) >= 2 {
			out = append(out, Conflict{Topic: sanitize.Short(x.Topic, 120), A: passage(x.Passages[0]), B: passage(x.Passages[1]), Claim: -1,
				Because: fmt.Sprintf("recorded as %s: %s", x.ID, cmp.Or(x.Why, x.Topic))})
		}
	}
	return out
}

var (
	plainAmount = lazyregexp.New(`^[$€£¥~≈<>≤≥±]?\d{1,3}(?:,\d{3})*(?:\.\d+)?(?:%|k|m|b|bn|km|kg|°c|°f)?$|^\d+(?:\.\d+)?%?$`)
	yearLike    = lazyregexp.New(`^(?:1[0-9]|20|21)\d\d$`)
	// notAmount is a word before a number that makes it a date, a name or the number of something.
	notAmount = lazyregexp.New(`^(?:in|since|by|until|from|during|before|after|around|january|february|march|april|may|june|july|` +
		`august|september|october|november|december|` +
		`version|v|release|edition|revision|chapter|section|part|figure|fig|table|page|pages|line|lines|no|number|nr|article|rule|` +
		`level|phase|step|grade|class|type|model|group|` +
		`quarter|week|day|month|year|season|round|volume|vol|issue|aged|ages|age|under|over|top|first|last|im|am|jahr|en|année|año|` +
		`plan|option|case|study|experiment|trial|team|room|gate|lock|mill|pump)$`)
)

// amountOf returns a claim in lower case with a mark in place of its one amount, and the amount; "" for a claim with none or with several.
// Other numbers, such as a year or that of a version, stay in it: claims of different years are not of the same.
func amountOf(claim string) (frame, value string) {
	if strings.Contains(claim, "; ") || strings.ContainsFunc(claim,
		func(c rune) bool { return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
		return "", "" // a row; in scripts without spaces a number is often a part of a word
	}
	written := strings.Fields(claim)
	parts := make([]string, len(written))
	for i, part := range written {
		part = strings.Trim(part, ".,;:!?()\"'“”")
		if strings.ContainsFunc(part, unicode.IsDigit) {
			before := ""
			if i > 0 {
				before = strings.Trim(written[i-1], ".,;:!?()\"'“”#")
			}
			// "Apollo 11", "RFC 9110"; "Mills 40" at the start of a sentence is rare
			name := before != "" && unicode.IsUpper([]rune(before)[0]) || yearLike.MatchString(part) ||
				notAmount.MatchString(strings.ToLower(before))
			switch {
			case name: // a part of what the amount is of
			case value != "" || !plainAmount.MatchString(strings.ToLower(part)):
				return "", ""
			default:
				value, part = part, "#"
			}
		}
		parts[i] = strings.ToLower(part)
	}
	const leastWords = 4
	if value == "" || len(parts) < leastWords || parts[0] == "#" {
		return "", ""
	}
	return strings.Join(parts, " "), value
}

// numberOf is the value of an amount, so that 42 and 42.0 are one.
func numberOf(amount string) string {
	digits := strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) || c == '.' {
			return c
		}
		return -1
	}, amount)
	if v, err := strconv.ParseFloat(digits, 64); err == nil {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return amount
}
