package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Asker puts a question to the user while a call is under way. The server provides one, by [WithAsker], for
// clients that can ask.
type Asker interface {
	// Ask returns the user's answer; the zero Answer when they declined or did not answer. An error ends the
	// call, before anything was changed: the call was cancelled, or ([ErrAsked]) the question goes out with
	// its result and the client calls again.
	Ask(ctx context.Context, q Question) (Answer, error)
	// Operation is one id for all repeats of a call that carries an answer; empty for every other call.
	Operation() string
	// Declined reports whether the user has said no to what this call asked.
	Declined() bool
	// About is what the question was about that a call carries the answer to, as that question said.
	About() string
}

// Question is a form for the user.
type Question struct {
	Message string
	Schema  map[string]any // JSON Schema of a flat object, as MCP's elicitation takes it
	About   string         // for the call that carries the answer: a few letters or digits; may be empty
}

// Answer is what the user filled in. Its content is foreign: no client promises that it fits the schema.
type Answer struct {
	Accepted bool
	Unasked  bool // there was no time left to ask
	Content  map[string]any
}

// ErrAsked ends a call whose question goes to the user with its result.
var ErrAsked error = &shownError{"the user is asked first"}

type askerKey struct{}

// WithAsker lets the tools ask the user.
func WithAsker(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerFrom is what asks the user in a call, or nil where the client cannot ask.
func AskerFrom(ctx context.Context) Asker {
	asker, _ := ctx.Value(askerKey{}).(Asker)
	return asker
}

// answeredCall is the operation id of a call that carries the user's answer, or empty.
func answeredCall(ctx context.Context) string {
	if a := AskerFrom(ctx); a != nil {
		return a.Operation()
	}
	return ""
}

// operation is by what a repeat of a call is recognised: the host's own id, or that of the call that carries the user's
// answer.
func operation(ctx context.Context, id string) string { return cmp.Or(id, answeredCall(ctx)) }

// askRounds asks the user for more rounds, or is nil where the client cannot ask.
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

// declinedRounds tells the host that the user has said no, so that it does not ask them the same again.
func declinedRounds(ctx context.Context) []loopstate.Rejected {
	if a := AskerFrom(ctx); a != nil && a.Declined() {
		return []loopstate.Rejected{{Item: "more rounds", Why: "the user was asked and declined; finish with what there is, unless they say otherwise"}}
	}
	return nil
}

// maxQueryShown is how much of the loop's question the form repeats, in code points: enough to know it by.
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

// roundsIn reads the form strictly, unlike a tool's arguments: what counts is what the user confirmed, and
// nothing is guessed of it. Anything but a whole number within the form's bounds confirms nothing.
func roundsIn(content map[string]any, q loops.RoundsQuestion) int {
	rounds, ok := content["rounds"].(float64)
	if !ok || rounds != float64(int(rounds)) || int(rounds) < q.Least || int(rounds) > q.Most {
		return 0
	}
	return int(rounds)
}
