package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Asker asks the user a question during a call. The server provides one by [WithAsker] for clients that can ask.
type Asker struct {
	// Ask returns the user's answer, or the zero Answer if they declined or did not answer. An error ends the call before
	// any change: the call was cancelled, or ([ErrAsked]) its result contains the question and the client calls again.
	Ask func(ctx context.Context, q Question) (Answer, error)

	Declined  bool   // the user declined the question of this call
	Operation string // the same id for all repeats of a call with an answer; empty for other calls
	About     string // Question.About of the question that the call answers
}

// Question is a form for the user.
type Question struct {
	Message string
	Schema  map[string]any // JSON Schema of a flat object, as MCP's elicitation takes it
	About   string         // for the call with the answer: letters or digits; may be empty
}

// Answer is the content of the form. It is untrusted and may not match the schema.
type Answer struct {
	Accepted bool
	Unasked  bool // there was no time to ask
	Content  map[string]any
}

// ErrAsked ends a call whose result contains a question for the user.
var ErrAsked error = &shownError{"the user is asked first"}

type askerKey struct{}

// WithAsker returns a context in which tools can ask the user.
func WithAsker(ctx context.Context, a *Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerFrom returns the asker of a call, or nil if the client cannot ask.
func AskerFrom(ctx context.Context) *Asker {
	asker, _ := ctx.Value(askerKey{}).(*Asker)
	return asker
}

// operation returns the id that identifies repeats of a call: the host's, or that of the call with the user's answer.
func operation(ctx context.Context, id string) string {
	if a := AskerFrom(ctx); a != nil {
		return cmp.Or(id, a.Operation)
	}
	return id
}

// asking returns a function that asks the user by a form and reads the accepted answer, or nil if the client cannot ask.
func asking[Q, A any](ctx context.Context, form func(Q) Question, read func(map[string]any, Q) A) func(context.Context, Q) (A, error) {
	asker := AskerFrom(ctx)
	if asker == nil {
		return nil
	}
	return func(ctx context.Context, q Q) (none A, err error) {
		answer, err := asker.Ask(ctx, form(q))
		if err != nil || !answer.Accepted {
			return none, err
		}
		return read(answer.Content, q), nil
	}
}

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
