package resources

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/tools"
)

// HideFault is deferred by a handler. It logs a panic or an internal error, and replaces it with an error for clients.
// what names the resource, prompt or completion. Errors that were written for clients pass unchanged.
func HideFault(ctx context.Context, logger *slog.Logger, what string, err *error) {
	internal := fmt.Errorf("internal error in this %s; retry, and if this persists, read the log (stderr)", what)
	if p := recover(); p != nil {
		logger.ErrorContext(ctx, "panic", "in", what, "panic", p, "stack", string(debug.Stack()))
		*err = internal
		return
	}
	mistake := tools.MistakeIn(*err)
	var unverified *verdict.UnverifiedError
	switch {
	case *err == nil:
	case mistake != nil:
		*err = mistake
	case errors.As(*err, &unverified):
		*err = fmt.Errorf("%w; this resource contains verified text only: correct the text, or call loop_report with allow_unverified", unverified)
	case errors.Is(*err, context.DeadlineExceeded):
		*err = fmt.Errorf("this %s took longer than %s and timed out; retry", what, tools.CallTimeout)
	case errors.Is(*err, context.Canceled):
		*err = errors.New("the call was cancelled")
	default:
		logger.ErrorContext(ctx, "internal error", "in", what, "error", *err)
		*err = internal
	}
}

// logPanic is deferred by a hook. The library would show a panic to the client, or close the connection.
func logPanic(ctx context.Context, logger *slog.Logger, hook string) {
	if p := recover(); p != nil {
		logger.ErrorContext(ctx, "panic in a hook", "hook", hook, "panic", p, "stack", string(debug.Stack()))
	}
}
