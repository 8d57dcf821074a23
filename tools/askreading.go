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

// somethingElse is the choice for none of the readings: the user describes the question.
const somethingElse = "something else"

// askReading returns a function that asks the user which reading of a vague question they mean, or nil if the client
// cannot ask.
func askReading(ctx context.Context) loops.AskReading {
	asker := AskerFrom(ctx)
	if asker == nil {
		return nil
	}
	return func(ctx context.Context, q loops.ReadingQuestion) (string, error) {
		answer, err := asker.Ask(ctx, readingForm(q))
		if err != nil || !answer.Accepted {
			return "", err
		}
		return readingIn(answer.Content, q), nil
	}
}

func readingForm(q loops.ReadingQuestion) Question {
	message := "Before the research begins: which question do you mean?"
	if query := []rune(strings.Join(strings.Fields(q.Query), " ")); len(query) > maxQueryShown {
		message = fmt.Sprintf("“%s…” can be meant in several ways. Which question do you mean?", string(query[:maxQueryShown]))
	} else if len(query) > 0 {
		message = fmt.Sprintf("“%s” can be meant in several ways. Which question do you mean?", string(query))
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

// readingSaid tells the host the result of asking for a reading.
func readingSaid(ctx context.Context, in loopInitIn, a loops.Started) string {
	const next = " The loop takes the query as it stands. If the difference matters, ask the user and call loop_init with what they mean as query."
	asker := AskerFrom(ctx)
	switch {
	case len(in.Readings) == 0:
		return ""
	case strings.TrimSpace(a.Query) != strings.TrimSpace(in.Query):
		return "The user chose: " + a.Query
	case asker == nil:
		return "The user could not be asked in this client." + next
	case asker.Declined():
		return "The user was asked and declined to choose: the loop takes the query as it stands."
	}
	return "The user was asked and chose nothing." + next
}
