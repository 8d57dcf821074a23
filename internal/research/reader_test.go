package research_test

import (
	"context"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/llm/reader"
)

// literalReader finds a claim supported where a passage has all its words and figures. It reads what the server gives it,
// planted errors included, as citeloop research has its model do.
type literalReader struct{}

func (literalReader) Model() string { return "literal" }

func (literalReader) Read(_ context.Context, items []reader.Item) (reader.Reading, error) {
	var out reader.Reading
	for _, it := range items {
		answer := reader.Answer{Item: it.ID, Answer: "not_stated"}
		for _, p := range it.Passages {
			if hasAll(p.Heading+" "+p.Text, it.Claim) {
				answer.Answer, answer.Quote = "supported", firstWords(p.Text)
			}
		}
		out.Answers = append(out.Answers, answer)
	}
	return out, nil
}

// hasAll reports whether a text has every word of a claim.
func hasAll(text, claim string) bool {
	have := map[string]bool{}
	for _, w := range wordsOf(text) {
		have[w] = true
	}
	for _, w := range wordsOf(claim) {
		if !have[w] {
			return false
		}
	}
	return true
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func firstWords(text string) string {
	fields := strings.Fields(text)
	return strings.Join(fields[:min(len(fields), 5)], " ")
}
