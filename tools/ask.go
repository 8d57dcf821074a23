package tools

import (
	"cmp"
	"context"
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
