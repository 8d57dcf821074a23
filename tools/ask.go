package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Asker asks the user a question during a call. The server provides one by [WithAsker] for clients that can ask.
type Asker interface {
	// Ask returns the user's answer, or the zero Answer if they declined or did not answer. An error ends the call before
	// any change: the call was cancelled, or ([ErrAsked]) its result contains the question and the client calls again.
	Ask(ctx context.Context, q Question) (Answer, error)
	// Operation is the same id for all repeats of a call with an answer; empty for other calls.
	Operation() string
	// Declined reports whether the user declined the question of this call.
	Declined() bool
	// About is Question.About of the question that the call answers.
	About() string
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
func WithAsker(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerFrom returns the asker of a call, or nil if the client cannot ask.
func AskerFrom(ctx context.Context) Asker {
	asker, _ := ctx.Value(askerKey{}).(Asker)
	return asker
}

// answeredCall returns the operation id of a call with the user's answer, or "".
func answeredCall(ctx context.Context) string {
	if a := AskerFrom(ctx); a != nil {
		return a.Operation()
	}
	return ""
}

// operation returns the id that identifies repeats of a call: the host's, or that of the call with the user's answer.
func operation(ctx context.Context, id string) string { return cmp.Or(id, answeredCall(ctx)) }

// askRounds returns a function that asks the user for more rounds, or nil if the client cannot ask.
func askRounds(ctx context.Context) loops.AskRounds {
	asker := AskerFrom(ctx)
	if asker == nil {
		return nil
	}
	return func(ctx context.Context, q loops.RoundsQuestion) (int, error) {
		answer, err := asker.Ask(ctx, roundsForm(q))
		if err != nil || !answer.Accepted {
			return 0, err
		}
		return roundsIn(answer.Content, q), nil
	}
}

// declinedRounds tells the host that the user declined more rounds, so that it does not ask again.
func declinedRounds(ctx context.Context) []loopstate.Rejected {
	if a := AskerFrom(ctx); a != nil && a.Declined() {
		return []loopstate.Rejected{{Item: "more rounds", Why: "the user was asked and declined; finish with what there is, unless they say otherwise"}}
	}
	return nil
}

// maxQueryShown bounds the question in a form, in code points.
const maxQueryShown = 160

func roundsForm(q loops.RoundsQuestion) Question {
	about := "This research"
	if query := []rune(strings.Join(strings.Fields(q.Query), " ")); len(query) > maxQueryShown {
		about = fmt.Sprintf("The research on “%s…”", string(query[:maxQueryShown]))
	} else if len(query) > 0 {
		about = fmt.Sprintf("The research on “%s”", string(query))
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
