package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// declinedRounds tells the host that the user declined more rounds, so that it does not ask again.
func declinedRounds(ctx context.Context) []loopstate.Rejected {
	if a := AskerFrom(ctx); a != nil && a.Declined {
		return []loopstate.Rejected{{Item: "more rounds", Why: "the user was asked and declined; finish with what there is, unless they say otherwise"}}
	}
	return nil
}

// maxQueryShown bounds the question in a form, in code points.
const maxQueryShown = 160

// quotedQuery returns a loop's question in quotation marks, shortened, or "" if it has none.
func quotedQuery(query string) string {
	query = strings.Join(strings.Fields(query), " ")
	if query == "" {
		return ""
	}
	return "“" + cutTo(query, maxQueryShown) + "”"
}

func roundsForm(q loops.RoundsQuestion) Question {
	about := "This research"
	if query := quotedQuery(q.Query); query != "" {
		about = "The research on " + query
	}
	open := "no material gap is open"
	switch {
	case q.MaterialGaps == 1:
		open = "1 material gap is still open"
	case q.MaterialGaps > 1:
		open = fmt.Sprintf("%d material gaps are still open", q.MaterialGaps)
	}
	message := fmt.Sprintf("%s has taken %d rounds, and %s. Its budget allows %d rounds, but beyond %d it goes on only if you say so. How many rounds may it take in all? Decline to end it with what there is.",
		about, q.Round, open, q.Most, loopstate.ConfirmBeyondRounds)
	if q.Ends != "" {
		message += " As it stands it would end anyway: " + q.Ends + "."
	}
	return Question{
		Message: message,
		Schema: map[string]any{
			"type": "object",
			"properties": map[string]any{"rounds": map[string]any{
				"type": "integer", "title": "Rounds in all", "description": fmt.Sprintf("From %d to %d, counting the %d that are done", q.Least, q.Most, q.Round),
				"minimum": q.Least, "maximum": q.Most, "default": q.Most,
			}},
			"required": []string{"rounds"},
		},
	}
}

// roundsIn reads the form strictly, unlike the arguments of a tool: only a whole number within the bounds is a
// confirmation.
func roundsIn(content map[string]any, q loops.RoundsQuestion) int {
	rounds, ok := content["rounds"].(float64)
	if !ok || rounds != float64(int(rounds)) || int(rounds) < q.Least || int(rounds) > q.Most {
		return 0
	}
	return int(rounds)
}

// somethingElse is the choice for none of the readings: the user describes the question.
const somethingElse = "something else"

func readingForm(q loops.ReadingQuestion) Question {
	message := "Before the research begins: which question do you mean?"
	if query := quotedQuery(q.Query); query != "" {
		message = query + " can be meant in several ways. Which question do you mean?"
	}
	return Question{
		Message: message + " Decline to begin with it as it stands.",
		Schema: map[string]any{
			"type": "object",
			"properties": map[string]any{
				"reading": map[string]any{"type": "string", "title": "The question", "enum": append(slices.Clone(q.Readings), somethingElse)},
				"other":   map[string]any{"type": "string", "title": "In your own words", "description": "Only for “" + somethingElse + "”", "maxLength": loopstate.MaxReadingChars},
			},
			"required": []string{"reading"},
		},
	}
}

// readingIn reads the form strictly: exactly one of the readings, or the user's own words if they chose somethingElse.
func readingIn(content map[string]any, q loops.ReadingQuestion) string {
	reading, _ := content["reading"].(string)
	if reading != somethingElse && slices.Contains(q.Readings, reading) {
		return reading
	}
	other, _ := content["other"].(string)
	other = strings.Join(strings.Fields(other), " ")
	if reading != somethingElse || !utf8.ValidString(other) || utf8.RuneCountInString(other) > loopstate.MaxReadingChars {
		return ""
	}
	return other
}
