package verify

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Conflict is one point on which two sources disagree: two claims that are equal but for a number and cite different sources.
type Conflict struct {
	Topic          string
	A, B           Passage
	ValueA, ValueB string
	Because        string
	Claim          int // position of the later claim
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

// notAmount matches a word before a number that makes it a date, a name or the number of something.
var notAmount = lazyregexp.New(`^(?:in|since|by|until|from|during|before|after|around|january|february|march|april|may|june|july|` +
	`august|september|october|november|december|` +
	`version|v|release|edition|revision|chapter|section|part|figure|fig|table|page|pages|line|lines|no|number|nr|article|rule|` +
	`level|phase|step|grade|class|type|model|group|` +
	`quarter|week|day|month|year|season|round|volume|vol|issue|aged|ages|age|under|over|top|first|last|im|am|jahr|en|année|año|` +
	`plan|option|case|study|experiment|trial|team|room|gate|lock|mill|pump)$`)

// amountOf returns a claim in lower case with a mark in place of its one amount, and the amount; "" for a claim with none or with several.
// Other numbers, such as a year or that of a version, stay in it: claims of different years are not of the same.
func amountOf(claim string) (frame string, amount quantity.Quantity) {
	const leastWords = 4
	row, language := strings.Contains(claim, "; "), words.Language(claim)
	if row || language == "zh" || language == "ja" { // in scripts without spaces a number is often a part of a word
		return "", amount
	}
	text := []rune(claim)
	for _, q := range quantity.Read(language, claim) {
		before := strings.Fields(string(text[:q.Start]))
		if !strings.ContainsAny(q.Text, "0123456789") || q.Kind == quantity.Date || q.Year > 0 && q.Unit == "" || numbers(before) {
			continue // a part of what the amount is of
		}
		if frame != "" || len(before) == 0 {
			return "", amount
		}
		frame, amount = strings.ToLower(string(text[:q.Start])+"#"+string(text[q.End:])), q
	}
	if len(strings.Fields(frame)) < leastWords {
		return "", amount
	}
	return strings.TrimRight(frame, "."), amount
}

// nearly matches a word before an amount that begins a sentence.
var nearly = lazyregexp.New(`^(?:About|Some|Nearly|Almost|Only|Roughly|Approximately|Around|Over|Under|Just|Exactly|Rund|Etwa|Fast|Nur|` +
	`Environ|Près|Presque|Casi|Unos)$`)

// numbers reports whether the last of the words before a number makes it a part of a name: "Apollo 11", "version 3".
func numbers(before []string) bool {
	if len(before) == 0 {
		return false
	}
	last := strings.Trim(before[len(before)-1], ".,;:!?()\"'“”#")
	if len(before) == 1 && nearly.MatchString(last) { // its capital is that of the sentence
		return false
	}
	first, _ := utf8.DecodeRuneInString(last)
	return unicode.IsUpper(first) || notAmount.MatchString(strings.ToLower(last))
}
